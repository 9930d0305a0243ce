import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AuthMethod, AuthMethodVariables, AuthVariable} from '../session/lifecycle/authentication.ts';
import type {ClientOffer, SystemPrompt} from './connection.ts';
import {isFields, type Fields} from './normalize/deviation.ts';
import * as schema from './schema.ts';

/** Returns the client's capabilities for `initialize` ("Initialization", client capabilities). */
export function clientCapabilities(offer: ClientOffer): acp.ClientCapabilities {
  return {
    fs: {readTextFile: offer.fs, writeTextFile: offer.fs},
    terminal: offer.terminal,
    session: {configOptions: {boolean: {}}, notices: {}, compaction: {}},
    plan: {},
    subagents: {},
    ...(offer.elicitation && {elicitation: {form: {}, url: {}}}),
    // The older name of the same, which many agents still look for.
    ...(offer.terminalSignIn && {auth: {terminal: true}, _meta: {'terminal-auth': true}}),
  };
}

/** True if the agent takes additional roots with `session/new`. */
export function takesAdditionalDirectories(capabilities: acp.AgentCapabilities | undefined): boolean {
  return isOffered(capabilities?.sessionCapabilities?.additionalDirectories);
}

/** Returns why the agent does not take the system prompt, in words; undefined if it does. */
export function systemPromptProblem(
  {override}: SystemPrompt,
  capabilities: acp.AgentCapabilities | undefined,
): string | undefined {
  const offered = capabilities?.sessionCapabilities?.systemPrompt;
  if (!isOffered(offered)) return 'this agent does not support it';
  if (override === undefined || isOffered(offered?.mode?.override)) return undefined;
  return 'this agent only supports additions to its own (--append-system-prompt)';
}

/** A capability without options of its own is an empty object when it is there. */
function isOffered(capability: object | null | undefined): boolean {
  return capability !== undefined && capability !== null;
}

/** What a shell takes as the name of a variable. */
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The sign-in methods of an `initialize` answer, each read by itself: one that cannot be read is left out, as is one with the id
 * of another. The SDK knows
 * nothing of the kind `env_var`, and takes a kind that it does not know for `agent`, to which it would be sent.
 */
export function readAuthMethods(raw: unknown): readonly AuthMethod[] {
  const listed = isFields(raw) ? raw['authMethods'] : undefined;
  const read = Array.isArray(listed) ? listed.flatMap((method) => readMethod(method) ?? []) : [];
  return firstOfEach(read, ({id}) => id);
}

/** Of several that go by one name only the first could be meant: choosing another would carry that out. */
function firstOfEach<T>(all: readonly T[], nameOf: (one: T) => string): readonly T[] {
  const names = new Set<string>();
  return all.filter((one) => !names.has(nameOf(one)) && names.add(nameOf(one)));
}

function readMethod(raw: unknown): AuthMethod | undefined {
  if (!isFields(raw)) return undefined;
  const {type} = raw;
  if (type === 'env_var') return readVariables(raw);
  const parsed = schema.authMethod.safeParse(raw);
  if (!parsed.success) return undefined;
  if (type === undefined || type === null || type === 'agent' || 'type' in parsed.data) return parsed.data;
  const {id, name, description} = parsed.data;
  return {
    type: 'unknown',
    id,
    name,
    kind: typeof type === 'string' ? type : JSON.stringify(type),
    ...(description && {description}),
  };
}

function readVariables({id, name, description, vars, link}: Fields): AuthMethodVariables | undefined {
  if (typeof id !== 'string' || typeof name !== 'string' || !Array.isArray(vars)) return undefined;
  const read = vars.map(readVariable);
  const isWhole = read.length > 0 && read.every((variable) => variable !== undefined);
  // One that cannot be asked for would leave the agent without what it needs.
  if (!isWhole) return undefined;
  return {
    type: 'env_var',
    id,
    name,
    vars: firstOfEach(read, (variable) => variable.name),
    ...(typeof description === 'string' && {description}),
    ...(typeof link === 'string' && {link}),
  };
}

function readVariable(raw: unknown): AuthVariable | undefined {
  if (!isFields(raw)) return undefined;
  const {name, label, secret, optional} = raw;
  if (typeof name !== 'string' || !VARIABLE.test(name)) return undefined;
  return {
    name,
    // Shown by mistake is worse than hidden by mistake.
    secret: secret !== false,
    optional: optional === true,
    ...(typeof label === 'string' && label !== '' && {label}),
  };
}
