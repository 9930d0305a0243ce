import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AgentCommand} from '../agents/resolve.ts';
import type {ForegroundProgram} from '../agents/foreground.ts';
import type {ProcessExit, Result} from '../shared/failure.ts';
import type {PreparedServer} from '../mcp/prepare.ts';
import type {Credentials} from '../storage/credentials/credentials.ts';
import type {ClientOffer} from '../protocol/connection.ts';
import type {WireMessage} from '../protocol/handlers-interface.ts';
import type {WireEvent} from '../recording/format.ts';
import type {Log} from '../protocol/transport.ts';
import type {ApprovalLevel} from '../session/actions.ts';
import type {DecisionRecord} from '../session/decision-record.ts';
import type {PermissionRule} from '../session/permission-rules.ts';
import type {SessionEvent} from '../session/events.ts';
import type {Opening} from '../session/opening-kinds.ts';
import type {SessionState} from '../session/state.ts';

/** What one conversation is started with. */
export interface ClientOptions {
  readonly agent: AgentCommand;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute. */
  readonly additionalDirectories: readonly string[];
  readonly offer: ClientOffer;
  readonly approval: ApprovalLevel;
  /** Whether somebody is there to be asked. Without one, asking means refusing. */
  readonly person: boolean;
  /** A sign-in method to use before the session is opened. */
  readonly authMethod?: string;
  /** What signs in to agents besides their environment; absent where nothing does. */
  readonly credentials?: Credentials;
  /** Absent where no terminal can be given to a program. */
  readonly foreground?: Foreground;
  /** Wanted of the first session, also of one that goes on. */
  readonly settings: WantedSettings;
  /** Wanted of new sessions, where that is more: what the user's settings say of the agent. */
  readonly newSettings?: WantedSettings;
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
}

/** Gives a program the terminal that the window is in, with a heading above what it prints; resolves when it has ended. */
export type Foreground = (
  program: ForegroundProgram & {readonly heading: string},
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
export interface WantedSettings {
  readonly mode?: string;
  readonly model?: string;
  /** `--set id=value`, in order. */
  readonly options: readonly (readonly [id: string, value: string])[];
}

/** Where a client's events go, and where it reads what became of them. */
export interface SessionLink {
  emit(event: SessionEvent): void;
  /** The newest state, never a throttled one. */
  state(): SessionState;
  readonly log: Log;
}

/** Follows the bytes on the wire. */
export interface WireWatch {
  /** Sees every line in both directions, before anything is mended. */
  readonly onWire?: (message: WireMessage) => void;
  /** Hears the same lines, what else comes of the agent's process, and when one starts and ends. */
  readonly onEvent?: ((event: WireEvent) => void) | undefined;
  /** Asked before more is read from the agent; nothing is read until its promise resolves. */
  readonly pace?: () => Promise<void> | undefined;
}

export type {Log};
