import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AuthMethod, AuthMethodVariables, AuthVariable} from '../shared/authentication.ts';
import type {ClientOffer, SystemPrompt} from './connection.ts';
import * as schema from './schema.ts';
import {isJsonObject, type JsonObject} from '../text/json.ts';

/** Returns the client's capabilities for `initialize` ("Initialization", client capabilities). */
export function clientCapabilities(offer: ClientOffer): acp.ClientCapabilities {
  return {
    fs: {readTextFile: offer.fs, writeTextFile: offer.fs},
    terminal: offer.terminal,
    session: {configOptions: {boolean: {}}, notices: {}, compaction: {}},
    plan: {},
    subagents: {},
    ...(offer.elicitation && {elicitation: {form: {}, url: {}}}),
    // The legacy form of this capability, which many agents still check.
    ...(offer.terminalSignIn && {auth: {terminal: true}, _meta: {'terminal-auth': true}}),
  };
}

/** True if the agent accepts additional directories in `session/new`. */
export function takesAdditionalDirectories(capabilities: acp.AgentCapabilities | undefined): boolean {
  return isOffered(capabilities?.sessionCapabilities?.additionalDirectories);
}

/** Returns why the agent does not support the system prompt; undefined if it does. */
export function systemPromptProblem(
  {override}: SystemPrompt,
  capabilities: acp.AgentCapabilities | undefined,
): string | undefined {
  const offered = capabilities?.sessionCapabilities?.systemPrompt;
  if (!isOffered(offered)) return 'this agent does not support it';
  if (override === undefined || isOffered(offered?.mode?.override)) return undefined;
  return 'this agent only supports additions to its own (--append-system-prompt)';
}

/** A capability without options is an empty object if it is supported. */
export function isOffered(capability: object | null | undefined): boolean {
  return capability !== undefined && capability !== null;
}

/** A valid name of an environment variable. */
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Returns the sign-in methods of an `initialize` response, each parsed separately: invalid ones and repeated ids are left out. The SDK doesn't know the kind
 * `env_var`, and would treat an unknown kind as `agent` and send it.
 */
export function readAuthMethods(raw: unknown): readonly AuthMethod[] {
  const listed = isJsonObject(raw) ? raw['authMethods'] : undefined;
  const read = Array.isArray(listed) ? listed.flatMap((method) => readMethod(method) ?? []) : [];
  return firstOfEach(read, ({id}) => id);
}

/** Only the first of several with the same name is kept: selecting another would run the first. */
function firstOfEach<T>(all: readonly T[], nameOf: (one: T) => string): readonly T[] {
  const names = new Set<string>();
  return all.filter((one) => !names.has(nameOf(one)) && names.add(nameOf(one)));
}

function readMethod(raw: unknown): AuthMethod | undefined {
  if (!isJsonObject(raw)) return undefined;
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

function readVariables({id, name, description, vars, link}: JsonObject): AuthMethodVariables | undefined {
  if (typeof id !== 'string' || typeof name !== 'string' || !Array.isArray(vars)) return undefined;
  const read = vars.map(readVariable);
  const isWhole = read.length > 0 && read.every((variable) => variable !== undefined);
  // If one of its variables cannot be asked for, the method cannot work.
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
  if (!isJsonObject(raw)) return undefined;
  const {name, label, secret, optional} = raw;
  if (typeof name !== 'string' || !VARIABLE.test(name)) return undefined;
  return {
    name,
    // Hidden by default: showing a secret is worse than hiding a plain value.
    secret: secret !== false,
    optional: optional === true,
    ...(typeof label === 'string' && label !== '' && {label}),
  };
}
