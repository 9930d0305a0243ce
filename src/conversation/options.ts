import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ForegroundProgram} from '../agents/foreground.ts';
import type {AgentCommand} from '../agents/resolve.ts';
import type {PreparedServer} from '../mcp/prepare.ts';
import type {ClientOffer, SystemPrompt} from '../protocol/connection.ts';
import type {WireMessage} from '../protocol/handlers-interface.ts';
import type {Log} from '../protocol/transport.ts';
import type {WireEvent} from '../recording/format.ts';
import type {Choice} from '../session/settings/options.ts';
import type {ApprovalLevel} from '../session/settings/approval.ts';
import type {SessionEvent, Opening} from '../session/events.ts';
import type {DecisionRecord, HookRecord, PermissionRule} from '../session/requests/permission-rules.ts';
import type {SessionState} from '../session/state.ts';
import type {Failure, ProcessExit, Result} from '../shared/failure.ts';
import type {Hook} from '../session/settings/hooks.ts';
import type {Limits} from '../session/settings/limits.ts';
import type {UsageRow} from '../session/settings/usage.ts';
import type {SandboxSettings, SandboxState} from '../session/settings/sandbox.ts';
import type {Credentials} from '../storage/credentials/credentials.ts';
import type {CommandLibrary} from './prompt/command-library.ts';
import type {Folders} from '../shared/files/session-folders.ts';
import type {TurnSnapshots, TurnSnapshotsOptions} from '../snapshots/turn-snapshots.ts';

/** The LLM provider of an agent's settings; `${NAME}` in its URL and headers is expanded when it is set. */
export interface OwnProvider {
  readonly id: string;
  readonly apiType: string;
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of one conversation. */
export interface ConversationOptions extends Folders {
  readonly agent: AgentCommand;
  /** What the agent, hooks and commands inherit: see `agentEnvironment`. */
  readonly environment: NodeJS.ProcessEnv;
  readonly offer: ClientOffer;
  /** Sent whenever a session is opened; with an agent that does not support it, none is opened. */
  readonly systemPrompt?: SystemPrompt;
  /** Set in the agent's process before a session is opened; if it cannot be, none is opened. */
  readonly provider?: OwnProvider | undefined;
  readonly approval: ApprovalLevel;
  /** Why the agent may not be started: settings that protect cannot be read. */
  readonly refusal?: Failure | undefined;
  /** Absent if the agent and what it starts are not confined. */
  readonly sandbox?: SandboxSettings;
  /** Absent if there are none. */
  readonly limits?: Limits;
  /** Reads what all sessions have used today. Absent if nothing is stored. */
  readonly usageToday?: () => Result<readonly UsageRow[]>;
  /** True if a prompt that fails at a limit of the provider is sent again when that ends, without being asked. */
  readonly waitsForLimits?: boolean;
  /** Absent if no answers about agents are kept. */
  readonly agentFolders?: AgentFolders;
  /** Absent if nothing is stored. */
  readonly startModes?: StartModes;
  /** True if there is a user who can answer. Without one, asking means refusing. */
  readonly hasUser: boolean;
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
  /** The user's own slash commands; absent if there are none. */
  readonly customCommands?: CommandLibrary;
  /** Absent if no MCP servers are configured. */
  readonly mcp?: McpServers;
  /** How long the agent may take to answer `initialize`, in seconds. */
  readonly startSeconds: number;
  readonly version: string;
  /** Opens the snapshots of the folder; without it none are taken. */
  readonly openSnapshots?: (of: Pick<TurnSnapshotsOptions, 'folder' | 'onOff' | 'log'>) => TurnSnapshots;
}

/** What follows from a session's agent, and the settings in its folder. */
export type OptionsOfAgent = Pick<
  ConversationOptions,
  'systemPrompt' | 'provider' | 'sandbox' | 'refusal' | 'waitsForLimits'
> &
  Required<Pick<ConversationOptions, 'offer' | 'approval' | 'limits' | 'newSettings' | 'permissions'>>;

/** Returns what the settings say of an agent in a folder. A stored session that was confined stays so, and one that cannot be read may have been. */
export type OptionsForAgent = (of: AgentInFolder) => OptionsOfAgent;

export interface AgentInFolder extends Pick<ConversationOptions, 'agent' | 'cwd'> {
  readonly kept?: {readonly sandbox?: Partial<SandboxState> | undefined} | 'unreadable' | undefined;
  /** As the user has chosen for this session; otherwise options and settings decide. */
  readonly isConfined?: boolean | undefined;
}

/** Returns the options without a sign-in method to use at each start. */
export function withoutMethod(options: ConversationOptions): ConversationOptions {
  const {authMethod, ...others} = options;
  return authMethod === undefined ? options : others;
}

/** Runs a program in the window's terminal below a heading; resolves when it has ended. */
export type Foreground = (
  program: ForegroundProgram & {readonly heading: string; readonly isEditor?: boolean},
) => Promise<Result<ProcessExit>>;

/** The permission rules and hooks, and where decisions are recorded. */
export interface Permissions {
  /** Returns the rules for a session in this folder, as they are now. */
  rules(folder: string): readonly PermissionRule[];
  /** Returns the hooks for a session in this folder. */
  hooks(folder: string): readonly Hook[];
  decided(decision: Omit<DecisionRecord, 'at'>): void;
  /** Logs what a hook did. */
  hookRan(record: Omit<HookRecord, 'at'>): void;
  /** Adds a rule of the user, or moves it to another list. */
  add(rule: Pick<PermissionRule, 'effect' | 'text'>): Promise<Result<void>>;
}

/** Where agents keep their state, as the user answered: `agents.<name>.sandbox.folders` in the settings. */
export interface AgentFolders {
  of(agent: string): readonly string[] | undefined;
  save(agent: string, folders: readonly string[]): Promise<Result<void>>;
}

/** The mode in which a new session of an agent started last, unless the user chose it. */
export interface StartModes {
  of(agent: string): Choice | undefined;
  save(agent: string, mode: Choice): void;
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

/** Receives a conversation's events and returns the resulting state. */
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
