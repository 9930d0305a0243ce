import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Failure, ProcessExit} from '../shared/failure.ts';
import type {AuthMethod, AuthStatus} from './lifecycle/authentication.ts';
import type {Entry, ToolCallEntry, TurnSummary} from './entries.ts';
import type {Field} from './forms/form-schema.ts';
import type {Link} from './forms/form-request.ts';
import type {List} from './transcript/persistent-list.ts';
import type {TerminalScreen} from './terminals/terminal-screen.ts';

/** One conversation with one agent, as plain immutable data. Only `reduce` makes a new one. */
export interface SessionState {
  readonly connection: ConnectionState;
  /** What the agent said of itself in its `initialize` response. */
  readonly agent: AgentInfo | undefined;
  readonly sessionId: acp.SessionId | undefined;
  /** Absolute working folder of the session; never changes within one. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** The names of the MCP servers that the session was opened with; undefined where that is not known. */
  readonly mcpServers: readonly string[] | undefined;
  /** Index in `entries` from which on the agent speaks of these servers: where it was last told of them. */
  readonly serversSince: number;
  /** What the agent calls it. */
  readonly title: string | undefined;
  /** What the user called it, where the agent could not be told. */
  readonly ownTitle: string | undefined;
  /** Everything said and done, in the order in which it first appeared. Ids are stable and unique. */
  readonly entries: List<Entry>;
  /** Index in `entries` where the open session began: ids of the protocol are unique only from there on. */
  readonly sessionStart: number;
  /** What the agent tells of a session that is being loaded; it joins `entries` when all of it has come. */
  readonly replay: SessionState | undefined;
  /** Counts how often entries changed their places: only a replay does that. */
  readonly rearranged: number;
  /** How often the agent went away since a turn last came to its end. */
  readonly losses: number;
  /** Indices in `entries` of the messages that are still open (`complete` is false), oldest first. */
  readonly streaming: readonly number[];
  /** True from the opening of a new session to the first prompt that its agent took: until then it has cost nothing. */
  readonly unused: boolean;
  readonly turn: TurnState;
  /** How the last turn ended; undefined before the first end. */
  readonly lastTurn: TurnSummary | undefined;
  /** Plans of the turn; the stable `plan` update has id ''. One that is finished also stands in `entries`. */
  readonly plans: readonly PlanState[];
  readonly commands: readonly acp.AvailableCommand[];
  /** Undefined where the agent offers none, or where `configOptions` replace them. */
  readonly modes: acp.SessionModeState | undefined;
  /** The old `models` block, set with `session/set_model`; not in today's schema. */
  readonly models: LegacyModels | undefined;
  readonly configOptions: readonly acp.SessionConfigOption[] | undefined;
  readonly usage: UsageState | undefined;
  /** Requests of the agent that wait for the user, oldest first. */
  readonly pending: readonly PendingRequest[];
  /** Terminals by id: those that we run, and those that an agent runs and only describes. */
  readonly terminals: Readonly<Record<acp.TerminalId, TerminalState>>;
  /** The subagents that work for this session, at any depth, by the id of their own session. */
  readonly subagents: Readonly<Record<acp.SessionId, SubagentState>>;
}

/** A child session ("Subagents"); the entry in its parent's transcript tells its name and what it is at. */
export interface SubagentState {
  /** The subagent that it works for; undefined where it works for the session itself. */
  readonly parent: acp.SessionId | undefined;
  /** Its own transcript. What waits for the user, and all terminals, stand in the session that all belong to. */
  readonly session: SessionState;
}

/** Where the connection stands; `since` is a time in milliseconds since the epoch. */
export type ConnectionState =
  | {readonly kind: 'starting'; readonly step: StartStep; readonly since: number}
  | {
      readonly kind: 'authentication_required';
      readonly methods: readonly AuthMethod[];
      readonly problem?: string;
    }
  | {readonly kind: 'ready'}
  /** The agent runs, but no session is open: one is still to be chosen, or could not be opened as `failure` says. */
  | {readonly kind: 'no_session'; readonly failure: Failure | undefined}
  /** The session could not be opened. */
  | {readonly kind: 'failed'; readonly failure: Failure}
  /** It was open, and the agent went away; another session that shared the agent may tell the user so already. */
  | {readonly kind: 'lost'; readonly failure: Failure; readonly toldElsewhere?: boolean}
  | {readonly kind: 'closed'};

export type StartStep = 'launching' | 'initializing' | 'authenticating' | 'opening_session';

interface AgentInfo {
  readonly name: string;
  readonly title: string | undefined;
  readonly version: string | undefined;
  readonly capabilities: acp.AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
  /** How the user is signed in, where it tells. */
  readonly authStatus: AuthStatus | undefined;
  /** True if it takes prompts into a running turn (`_meta.steering`, an extension). */
  readonly steers: boolean;
}

export interface LegacyModels {
  readonly availableModels: readonly {
    readonly modelId: string;
    readonly name: string;
    readonly description?: string | null;
  }[];
  readonly currentModelId: string;
}

export type TurnState =
  | {readonly kind: 'idle'}
  | {
      readonly kind: 'running' | 'cancelling';
      /** Counts from 1 within this process. */
      readonly turn: number;
      readonly startedAt: number;
      /** When the agent last sent anything; stall notices count from here. */
      readonly lastActivityAt: number;
      readonly cancelledAt?: number;
      /** Index in `entries` of the prompt. */
      readonly promptEntry: number;
      /** True for the first turn of a session. */
      readonly isFirst: boolean;
      /** What the session had cost when the turn began; undefined where nobody knows. */
      readonly costAtStart: acp.Cost | 'nothing' | undefined;
    };

export interface UsageState {
  /** Tokens in the context, and the size of the context. */
  readonly used: number;
  readonly size: number;
  /** Cumulative cost of the session. */
  readonly cost: acp.Cost | undefined;
}

export interface PlanState {
  readonly id: string;
  readonly content: acp.PlanUpdateContent;
  /** Index in `entries` of its entry, once it was finished. */
  readonly finishedEntry: number | undefined;
}

export interface PendingPermission {
  readonly kind: 'permission';
  /** Ours, unique in this process; the answer names it. */
  readonly id: string;
  readonly toolCallId: acp.ToolCallId;
  /**
   * What it asks for: its own call, laid over what was known of that call when it came. Another request for the same call does
   * not change it; an update of the call does.
   */
  readonly call: ToolCallEntry;
  /** How often the agent has changed that since it came. */
  readonly changes: number;
  readonly options: readonly acp.PermissionOption[];
  readonly askedAt: number;
  /** What the agent sent, as JSON text, when the normaliser had to mend it: the user sees what he approves. */
  readonly raw?: string;
  /** Who asks, where it is not the agent. */
  readonly asker?: string;
  /** The subagent that asks. */
  readonly subagent?: acp.SessionId;
  /** The rule that would allow the same from now on: the user may choose that too, beside the agent's options. */
  readonly rule?: string;
  /** Files that are not as its diffs show them; another list whenever one has changed. */
  readonly outdated?: readonly OutdatedFile[];
}

/** A file that is not as the diff of a request shows it. */
export interface OutdatedFile {
  /** As the agent named it. */
  readonly path: string;
  /** `differs` when it already did as the request came, `changed` when it has changed since. */
  readonly why: 'differs' | 'changed';
}

/** Requests that wait for the user. */
export type PendingRequest = PendingPermission | PendingElicitation;

export type PendingElicitation = PendingForm | PendingUrl;

interface PendingQuestion {
  /** Ours, unique in this process; the answer names it. */
  readonly id: string;
  readonly message: string;
  /** The tool call that it is for. */
  readonly toolCallId: acp.ToolCallId | undefined;
  readonly askedAt: number;
  /** Who asks, where it is not the agent. */
  readonly asker?: string;
  /** The subagent that asks. */
  readonly subagent?: acp.SessionId;
}

/** "Elicitation", form mode. */
export interface PendingForm extends PendingQuestion {
  readonly kind: 'form';
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly fields: readonly Field[];
}

/** "Elicitation", URL mode. */
export interface PendingUrl extends PendingQuestion {
  readonly kind: 'url';
  readonly link: Link;
  /** The user has let it be opened: what is done there is not done yet. */
  readonly isOpened: boolean;
}

export interface TerminalState {
  readonly id: acp.TerminalId;
  /**
   * Who runs it: this client for the agent, this client for its user, or the agent, which only describes it
   * (`_meta.terminal_output` and its kin).
   */
  readonly runBy: 'client' | 'user' | 'agent';
  /** The command line as it would be typed; undefined where an agent does not tell it. */
  readonly command: string | undefined;
  readonly cwd: string | undefined;
  /** True if it has a pseudo-terminal of ours, and with that input. */
  readonly pty: boolean;
  /** As it looks; undefined where nothing is interpreted. */
  readonly screen: TerminalScreen | undefined;
  /** True while output was taken in that is not on the screen yet. */
  readonly isBehind: boolean;
  /** True while it seems to wait for somebody to type. */
  readonly awaitsInput: boolean;
  /** The tail that is shown where there is no screen: plain text, control sequences gone, at most `TERMINAL_TAIL` UTF-16 units. */
  readonly output: string;
  /** The beginning of a control sequence whose rest is still to come. */
  readonly carry: string;
  /** True if the start of the output is no longer in `output`. */
  readonly truncated: boolean;
  readonly exit: ProcessExit | undefined;
  readonly released: boolean;
}
