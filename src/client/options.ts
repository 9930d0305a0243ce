import {statSync} from 'node:fs';
import path from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ForegroundProgram} from '../agents/foreground.ts';
import {isRemoteUrl} from '../agents/remote/address.ts';
import {type AgentCommand, resolveAgent, type ResolveOptions, withProcess} from '../agents/resolve.ts';
import type {CommonOptions} from '../cli/options.ts';
import type {PreparedServer} from '../mcp/prepare.ts';
import type {ClientOffer, SystemPrompt} from '../protocol/connection.ts';
import type {WireMessage} from '../protocol/handlers-interface.ts';
import type {Log} from '../protocol/transport.ts';
import type {WireEvent} from '../recording/format.ts';
import type {ApprovalLevel} from '../session/actions.ts';
import type {SessionEvent, Opening} from '../session/events.ts';
import type {DecisionRecord, PermissionRule} from '../session/requests/permission-rules.ts';
import type {SessionState} from '../session/state.ts';
import type {ProcessExit, Result} from '../shared/failure.ts';
import {version} from '../shared/version.ts';
import type {Credentials} from '../storage/credentials/credentials.ts';
import type {TurnSnapshots, TurnSnapshotsOptions} from '../snapshots/turn-snapshots.ts';
import type {AgentSettings} from '../storage/settings/agent-settings.ts';

/** Options of one conversation. */
export interface ClientOptions {
  readonly agent: AgentCommand;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute. */
  readonly additionalDirectories: readonly string[];
  readonly offer: ClientOffer;
  /** Sent whenever a session is opened; with an agent that does not support it, none is opened. */
  readonly systemPrompt?: SystemPrompt;
  readonly approval: ApprovalLevel;
  /** True if there is a user who can answer. Without one, asking means refusing. */
  readonly person: boolean;
  /** A sign-in method to use before the session is opened. */
  readonly authMethod?: string;
  /** Saved credentials for agents; absent if they are not used. */
  readonly credentials?: Credentials;
  /** Absent if programs cannot use the terminal. */
  readonly foreground?: Foreground;
  /** For the first session, including a resumed one. */
  readonly settings: RequestedSettings;
  /** For new sessions, if different: includes the user's settings for the agent. */
  readonly newSettings?: RequestedSettings;
  /** Default: a new session. */
  readonly opening?: Opening;
  /** Absent if there are no rules and decisions are not logged. */
  readonly permissions?: Permissions;
  /** Absent if no MCP servers are configured. */
  readonly mcp?: McpServers;
  /** How long the agent may take to answer `initialize`, in seconds. */
  readonly startSeconds: number;
  readonly version: string;
  /** Where to keep previous file contents for undo while the client exists; without it none are kept. */
  readonly changesFolder?: string;
  /** Opens the snapshots of the folder; without it none are taken. */
  readonly openSnapshots?: (of: Pick<TurnSnapshotsOptions, 'folder' | 'onOff' | 'log'>) => TurnSnapshots;
}

/** Runs a program in the window's terminal below a heading; resolves when it has ended. */
export type Foreground = (
  program: ForegroundProgram & {readonly heading: string; readonly isEditor?: boolean},
) => Promise<Result<ProcessExit>>;

/** The permission rules, and where decisions are recorded. */
export interface Permissions {
  /** Returns the rules for a session in this folder. */
  rules(folder: string): readonly PermissionRule[];
  /** Subscribes to changes; returns the function to unsubscribe. */
  follow(listener: () => void): () => void;
  decided(decision: Omit<DecisionRecord, 'at'>): void;
  /** Adds a rule that the user accepted. */
  allowAlways(rule: string): void;
}

/** The MCP servers for new sessions. */
export interface McpServers {
  /** Returns each server as it would be used for a session opened there now. */
  prepare(place: McpPlace): readonly PreparedServer[];
  /** Turns a server on or off for new sessions in this folder. */
  switch(name: string, place: McpPlace): Result<void>;
}

export interface McpPlace {
  readonly agent: AgentCommand;
  /** Absolute. */
  readonly cwd: string;
  readonly capabilities: acp.AgentCapabilities | undefined;
}

/** Session settings to apply before the first prompt, each verified against what the agent offers. */
export interface RequestedSettings {
  readonly mode?: string;
  readonly model?: string;
  /** `--set id=value`, in order. */
  readonly options: readonly (readonly [id: string, value: string])[];
}

/** Receives a client's events and returns the resulting state. */
export interface SessionSink {
  emit(event: SessionEvent): void;
  /** Returns the latest state, without throttling. */
  state(): SessionState;
  readonly log: Log;
}

/** Observes the messages of a connection. */
export interface WireListener {
  /** Gets every line in both directions, before corrections. */
  readonly onWire?: (message: WireMessage) => void;
  /** Gets the same lines, the agent's other output, and the start and end of its process. */
  readonly onEvent?: ((event: WireEvent) => void) | undefined;
  /** Called before reading more from the agent; nothing is read until its promise resolves. */
  readonly pace?: () => Promise<void> | undefined;
}

export type {Log};

/** Defaults for what the command line does not set, from the settings or the kind of run. */
interface Defaults {
  /** An agent command that overrides the options. */
  readonly command?: AgentCommand;
  readonly opening?: Opening;
  readonly agent: string;
  readonly approval: ApprovalLevel;
  /** The settings for this agent. */
  readonly ofAgent: AgentSettings;
  readonly person: boolean;
  readonly resolve: Omit<ResolveOptions, 'env'>;
  /** How long an agent may take to answer `initialize`, in seconds. */
  readonly startSeconds: number;
}

/** Returns client options from those of the command line: with the agent resolved, and absolute paths that exist. */
export async function clientOptionsFrom(
  given: CommonOptions,
  defaults: Defaults,
): Promise<Result<ClientOptions>> {
  const {ofAgent, person, startSeconds} = defaults;
  const env = {...ofAgent.env, ...given.env};
  const {command} = defaults;
  const agent: Result<AgentCommand> =
    command && !isRemoteUrl(command.command)
      ? {ok: true, value: {...command, env}}
      : resolveAgent(command?.command ?? given.agent ?? defaults.agent, {...defaults.resolve, env});
  if (!agent.ok) return agent;
  const cwd = path.resolve(given.cwd ?? '.');
  const additionalDirectories = given.additionalDirectories.map((folder) => path.resolve(folder));
  for (const folder of [cwd, ...additionalDirectories]) {
    const problem = problemWith(folder);
    if (problem !== undefined) return {ok: false, failure: {kind: 'file', path: folder, problem}};
  }
  const systemPrompt = systemPromptOf(given.systemPrompt, ofAgent);
  const options: ClientOptions = {
    agent: withProcess(agent.value, ofAgent),
    cwd,
    additionalDirectories,
    offer: offerTo(agent.value, given.offer, ofAgent),
    ...(systemPrompt && {systemPrompt}),
    approval: given.approve ?? defaults.approval,
    person,
    ...(given.authMethod !== undefined && {authMethod: given.authMethod}),
    settings: given.settings,
    newSettings: newSettings(given.settings, ofAgent),
    ...(defaults.opening && {opening: defaults.opening}),
    startSeconds,
    version,
  };
  return {ok: true, value: options};
}

/** One that runs elsewhere gets no files and commands of this computer, unless its settings say so. */
function offerTo(
  {remote}: AgentCommand,
  {fs, terminal, ...others}: ClientOffer,
  of: AgentSettings,
): ClientOffer {
  const isLocal = remote === undefined;
  return {...others, fs: fs && (of.files ?? isLocal), terminal: terminal && (of.terminals ?? isLocal)};
}

function systemPromptOf(
  given: SystemPrompt,
  {systemPrompt: override, appendSystemPrompt: append}: Defaults['ofAgent'],
): SystemPrompt | undefined {
  const wanted = {
    ...(override !== undefined && {override}),
    ...(append !== undefined && {append}),
    ...given,
  };
  return Object.keys(wanted).length > 0 ? wanted : undefined;
}

/** The command line overrides the settings for the agent. */
function newSettings(
  given: RequestedSettings,
  {mode, model, options = {}}: Defaults['ofAgent'],
): RequestedSettings {
  const named = new Set(given.options.map(([id]) => id));
  const others = Object.entries(options).filter(([id]) => !named.has(id));
  return {
    ...(mode !== undefined && {mode}),
    ...(model !== undefined && {model}),
    ...given,
    options: [...others.map(([id, value]) => [id, String(value)] as const), ...given.options],
  };
}

/** Synchronous: the first use of Node's thread pool takes milliseconds, and the first paint waits for this. */
function problemWith(folder: string): string | undefined {
  try {
    return statSync(folder).isDirectory() ? undefined : 'it is not a folder';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such folder' : String(error);
  }
}
