import {homedir} from 'node:os';
import {resolve, isAbsolute, join} from 'node:path';
import type {ProtocolChoice} from '../session/settings/protocol.ts';
import type {Result} from '../shared/failure.ts';
import type {AgentSettings, AgentsSettings} from '../settings/schema/agent-settings.ts';
import {invalidAgent, CORRECT_SETTINGS, parseCommandLine} from './command-line.ts';
import {quoteWord, quoteWords} from '../text/shell-quote.ts';
import {findAgentId, findKnownProgram} from './programs.ts';
import {programName, programOnPath} from '../shared/processes/executable.ts';
import {isRemoteUrl, remoteAgent, parseRemoteAgent, type RemoteAddress} from './remote/address.ts';

export interface ResolveOptions {
  /** Environment variables for the agent, added to the inherited ones; the command line can refer to both. */
  readonly env: Readonly<Record<string, string>>;
  /** The inherited environment; by default that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
  /** The command that `demo` stands for. */
  readonly demoCommand: {readonly command: string; readonly args: readonly string[]};
  /** Finds agents by name; without it only programs are resolved. */
  readonly find?: FindAgent;
  /** Returns the id of the installable agent with this name or program; undefined if unknown. */
  readonly installable?: (name: string) => string | undefined;
  /** Returns the name of an agent that is spelled like one; undefined if there is none. */
  readonly similar?: (name: string) => string | undefined;
}

/**
 * Resolves the value of `--agent`: the name `demo`, a name that `find` knows, or a command line, split as a shell does. `NAME=value` words in front set the
 * agent's environment. An invalid one is the failure `bad_agent`.
 */
export function resolveAgent(
  text: string,
  {env, environment = process.env, demoCommand, find, installable, similar}: ResolveOptions,
): Result<AgentCommand> {
  const agent = text.trim();
  if (agent === 'demo') return {ok: true, value: {label: agent, byName: true, ...demoCommand, env}};
  const found = find?.(agent);
  if (found) {
    return found.ok
      ? {ok: true, value: {label: agent, byName: true, ...found.value, env: {...found.value.env, ...env}}}
      : found;
  }
  if (isRemoteUrl(agent)) {
    const remote = parseRemoteAgent(agent, environment);
    return remote.ok ? {ok: true, value: {...remote.value, env}} : remote;
  }
  const line = parseCommandLine(agent, env, environment);
  if (!line.ok) return line;
  const {program, args} = line.value;
  // The agent runs in the session's folder, but its path is relative to the current one.
  const command = program.includes('/') ? resolve(program) : program;
  const path = line.value.env['PATH'] ?? environment['PATH'];
  // Both read the registry.
  const isMissing = !program.includes('/') && programOnPath(program, path) === undefined;
  const id = isMissing ? installable?.(program) : undefined;
  const near = isMissing && id === undefined && program === agent ? similar?.(program) : undefined;
  return {
    ok: true,
    value: {
      label: programName(program, args),
      command,
      args,
      env: line.value.env,
      ...(id && {installable: id}),
      ...(near && {similar: near}),
    },
  };
}

/** A word as typed: of quoted, escaped and plain characters. */
const TYPED_WORD = /(?:\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|[^\s'"\\])+/g;

/** Returns the value of `--agent` so that it means the same in every folder: a relative path of a program is made absolute. */
export function withAbsoluteProgram(text: string): string {
  const line = parseCommandLine(text, {});
  if (!line.ok || isRemoteUrl(text.trim())) return text;
  const {program, args} = line.value;
  const typed = Array.from(text.matchAll(TYPED_WORD)).at(-1 - args.length);
  if (!typed || !program.includes('/') || isAbsolute(program)) return text;
  return `${text.slice(0, typed.index)}${quoteWord(resolve(program))}${text.slice(typed.index + typed[0].length)}`;
}

/** The start command of a named agent. */
type NamedAgent = Omit<AgentCommand, 'label'>;

/** Returns the agent of that name; undefined if unknown, a failure if it is known but cannot be started. */
type FindAgent = (name: string) => Result<NamedAgent> | undefined;

interface KnownAgents {
  readonly configured: AgentsSettings;
  /** Returns the start command of an installed agent. */
  readonly installed: (name: string) => NamedAgent | undefined;
  /** The inherited environment, with the `PATH` to search. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Finds agents by name: in the settings first, then installed ones, then well-known programs on PATH. */
export function createAgentFinder({configured, installed, environment}: KnownAgents): FindAgent {
  return (name) => {
    const {command, url, ...settings} = (Object.hasOwn(configured, name) && configured[name]) || {};
    if (command !== undefined) return configuredAgent(name, command, environment);
    if (url !== undefined) return configuredRemote(name, {...settings, url});
    const start = installed(name);
    if (start) return {ok: true, value: start};
    const program = findKnownProgram(name);
    if (!program || programOnPath(program.program, environment['PATH']) === undefined) return undefined;
    return {ok: true, value: {command: program.program, args: program.args, env: {}}};
  };
}

/**
 * Resolves a command from the settings. It must mean the same in every folder, so a path has to be absolute: a relative one would be resolved in the
 * workspace.
 */
function configuredAgent(
  name: string,
  command: NonNullable<AgentSettings['command']>,
  environment: NodeJS.ProcessEnv,
): Result<NamedAgent> {
  const line = typeof command === 'string' ? parseCommandLine(command, {}, environment) : undefined;
  if (line && !line.ok)
    return badCommand(name, line.failure.kind === 'bad_agent' ? line.failure.problem : '');
  const {program, args, env} = line?.value ?? written(command as {command: string; args?: string[]});
  if (program.includes('/') && !isAbsolute(program))
    return badCommand(name, `the path ${program} must start with / or ~`);
  return {ok: true, value: {command: program, args, env}};
}

function configuredRemote(
  name: string,
  settings: AgentSettings & {readonly url: string},
): Result<NamedAgent> {
  const {url, token, headers, allowUnencrypted, cwd} = settings;
  const secrets = {
    url,
    ...(token !== undefined && {token}),
    ...(headers && {headers}),
    ...(allowUnencrypted && {allowUnencrypted}),
  };
  const remote = remoteAgent(name, secrets, cwd);
  return remote.ok ? {ok: true, value: {...remote.value, env: {}}} : remote;
}

function written({command, args = []}: {readonly command: string; readonly args?: readonly string[]}) {
  const program = command.startsWith('~/') ? join(homedir(), command.slice(2)) : command;
  return {program, args, env: {}};
}

function badCommand(name: string, problem: string): Result<never> {
  return invalidAgent(
    name,
    `its command in the settings (agents.${name}) is invalid: ${problem}`,
    CORRECT_SETTINGS,
  );
}

/**
 * True if `before`, an earlier command of an agent, is the agent of `now`. Named agents are the same whatever their command; the label of a command line is
 * only the end of a path, which different agents may share.
 */
export function isSameAgent(before: Omit<AgentCommand, 'env'>, now: AgentCommand): boolean {
  return before.label === now.label && (now.byName === true || commandKey(before) === commandKey(now));
}

/** Returns what an agent's command is compared by. */
export function commandKey({command, args}: Pick<AgentCommand, 'command' | 'args'>): string {
  return JSON.stringify([command, ...args]);
}

/** Returns what `--agent` names it by. */
export function nameOf({byName, label, command, args}: AgentCommand): string {
  return byName ? label : quoteWords([command, ...args]);
}

/** Returns the agent with a process per session if the settings ask for it. */
export function withProcess(agent: AgentCommand, {process}: Pick<AgentSettings, 'process'>): AgentCommand {
  return process === 'own' ? {...agent, ownProcess: true} : agent;
}

/** Agents whose live tests all pass in version 2 of the protocol, by their ids in the registry: none yet. */
const TESTED_WITH_2: ReadonlySet<string> = new Set();

/** Returns the agent with the version of the protocol that it is offered. */
export function withProtocol(
  agent: AgentCommand,
  choice: ProtocolChoice | undefined,
  tested = TESTED_WITH_2,
): AgentCommand {
  const isTested = tested.has(findAgentId(agent.label) ?? agent.label);
  return choice === '2' || (choice === 'auto' && isTested) ? {...agent, protocolVersion: 2} : agent;
}

/** An agent that can be started: what `--agent` was resolved to. */
export interface AgentCommand {
  /** The user's name for it; shown until the agent reports its own. */
  readonly label: string;
  /** True if the label is a name, not the end of a command. */
  readonly byName?: boolean;
  /** A program, looked up on PATH if it has no slash. */
  readonly command: string;
  readonly args: readonly string[];
  /** The id to pass to `agents install`, for a known agent that is not installed. */
  readonly installable?: string;
  /** The name of an agent that is spelled like this command, in case there is no such program. */
  readonly similar?: string;
  /** Added to the inherited environment. */
  readonly env: Readonly<Record<string, string>>;
  /** True if each session needs its own process. */
  readonly ownProcess?: boolean;
  /** 2 if it is offered that version of the protocol. */
  readonly protocolVersion?: 2;
  /** Set for a remote agent; `command` is then its URL in a form that may be shown. */
  readonly remote?: RemoteAddress;
}
