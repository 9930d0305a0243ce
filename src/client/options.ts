import {stat} from 'node:fs/promises';
import path from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ForegroundProgram} from '../agents/foreground.ts';
import {type AgentCommand, resolveAgent, type ResolveOptions, withProcess} from '../agents/resolve.ts';
import type {CommonOptions} from '../cli/options.ts';
import type {PreparedServer} from '../mcp/prepare.ts';
import type {ClientOffer} from '../protocol/connection.ts';
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
import type {TurnSnapshotsOptions} from '../snapshots/turn-snapshots.ts';
import type {AgentSettings} from '../storage/settings/agent-settings.ts';

/** Options of one conversation. */
export interface ClientOptions {
  readonly agent: AgentCommand;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute. */
  readonly additionalDirectories: readonly string[];
  readonly offer: ClientOffer;
  readonly approval: ApprovalLevel;
  /** True if somebody is there to be asked. Without one, asking means refusing. */
  readonly person: boolean;
  /** A sign-in method to use before the session is opened. */
  readonly authMethod?: string;
  /** What signs in to agents besides their environment; absent where nothing does. */
  readonly credentials?: Credentials;
  /** Absent where no terminal can be given to a program. */
  readonly foreground?: Foreground;
  /** Wanted of the first session, also of one that goes on. */
  readonly settings: RequestedSettings;
  /** Wanted of new sessions, where that is more: what the user's settings say of the agent. */
  readonly newSettings?: RequestedSettings;
  /** A new session without it. */
  readonly opening?: Opening;
  /** Absent where there are no rules, and decisions are not written down. */
  readonly permissions?: Permissions;
  /** Absent where no MCP servers are named anywhere. */
  readonly mcp?: McpServers;
  /** How long the agent may take to answer `initialize`, in seconds. */
  readonly startSeconds: number;
  readonly version: string;
  /** Where to keep what undoing writes takes, only for as long as the client lives; without it nothing is kept. */
  readonly changesFolder?: string;
  /** Where snapshots of the folder are kept and for how long; without it none are taken. */
  readonly snapshots?: Pick<TurnSnapshotsOptions, 'state' | 'keepDays' | 'maxWaitMs'>;
}

/** Runs a program in the window's terminal below a heading; resolves when it has ended. */
export type Foreground = (
  program: ForegroundProgram & {readonly heading: string; readonly isEditor?: boolean},
) => Promise<Result<ProcessExit>>;

/** Rules that hold, and what becomes of decisions. */
export interface Permissions {
  /** Those that hold for a session in this folder. */
  rules(folder: string): readonly PermissionRule[];
  /** Calls back after each change. Returns the way out. */
  follow(listener: () => void): () => void;
  decided(decision: Omit<DecisionRecord, 'at'>): void;
  /** Makes a rule of what the user allowed for good. */
  allowAlways(rule: string): void;
}

/** The MCP servers that sessions are opened with. */
export interface McpServers {
  /** What becomes of each when a session is opened there now. */
  prepare(place: McpPlace): readonly PreparedServer[];
  /** Switches one on or off, for what is opened in this folder from now on. */
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
  /** The newest state, never a throttled one. */
  state(): SessionState;
  readonly log: Log;
}

/** Follows the bytes on the wire. */
export interface WireListener {
  /** Sees every line in both directions, before anything is mended. */
  readonly onWire?: (message: WireMessage) => void;
  /** Hears the same lines, what else comes of the agent's process, and when one starts and ends. */
  readonly onEvent?: ((event: WireEvent) => void) | undefined;
  /** Asked before more is read from the agent; nothing is read until its promise resolves. */
  readonly pace?: () => Promise<void> | undefined;
}

export type {Log};

/** What the command line leaves open, and a setting or the kind of run decides. */
interface Defaults {
  /** An agent that is to be started so, whatever the options say. */
  readonly command?: AgentCommand;
  readonly opening?: Opening;
  readonly agent: string;
  readonly approval: ApprovalLevel;
  /** What the settings say of this agent. */
  readonly ofAgent: Pick<AgentSettings, 'env' | 'mode' | 'model' | 'options' | 'process'>;
  readonly person: boolean;
  readonly resolve: Omit<ResolveOptions, 'env'>;
  /** How long an agent may take to answer `initialize`. */
  readonly startSeconds: number;
}

/** Turns the options of the command line into those of a client: agent resolved, paths absolute and there. */
export async function clientOptionsFrom(
  given: CommonOptions,
  defaults: Defaults,
): Promise<Result<ClientOptions>> {
  const {ofAgent, person, startSeconds} = defaults;
  const env = {...ofAgent.env, ...given.env};
  const agent: Result<AgentCommand> = defaults.command
    ? {ok: true, value: {...defaults.command, env}}
    : resolveAgent(given.agent ?? defaults.agent, {...defaults.resolve, env});
  if (!agent.ok) return agent;
  const cwd = path.resolve(given.cwd ?? '.');
  const additionalDirectories = given.additionalDirectories.map((folder) => path.resolve(folder));
  for (const folder of [cwd, ...additionalDirectories]) {
    const problem = await problemWith(folder);
    if (problem !== undefined) return {ok: false, failure: {kind: 'file', path: folder, problem}};
  }
  const options: ClientOptions = {
    agent: withProcess(agent.value, ofAgent),
    cwd,
    additionalDirectories,
    offer: given.offer,
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

/** What the command line says wins over what the settings say of the agent. */
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

async function problemWith(folder: string): Promise<string | undefined> {
  try {
    return (await stat(folder)).isDirectory() ? undefined : 'it is not a folder';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such folder' : String(error);
  }
}
