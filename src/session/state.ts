import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Failure, ProcessExit} from '../shared/failure.ts';
import type {ApprovalLevel} from './settings/approval.ts';
import type {CustomCommand} from './content/custom-command.ts';
import type {QueueState} from './queue/queue.ts';
import type {SandboxState} from './settings/sandbox.ts';
import type {AuthMethod, AuthStatus} from '../shared/authentication.ts';
import type {ToolCallEntry, TurnSummary} from './entries.ts';
import type {EntryList} from './transcript/entry-list.ts';
import type {Field} from './forms/form-schema.ts';
import type {Link} from './forms/form-request.ts';
import type {LineCounts} from './line-counts.ts';
import type {Unreviewed} from './review.ts';
import type {TerminalScreen} from './terminals/terminal-screen.ts';
import type {IdMap} from './terminals/id-map.ts';

/** The state of an MCP server that acp-tui runs for the agent: it is started when the agent first uses it. */
export type OwnServerState = 'unused' | 'started' | 'failed';

/** One conversation with one agent, as immutable data. Only `reduce` creates new states. */
export interface SessionState {
  readonly connection: ConnectionState;
  /** From the agent's `initialize` response. */
  readonly agent: AgentInfo | undefined;
  readonly sessionId: acp.SessionId | undefined;
  /** Absolute working folder; never changes within a session. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** Where each of its folders really was when it was used last; absent in sessions of before. */
  readonly realFolders?: Readonly<Record<string, string>>;
  /** Names of the MCP servers the session was opened with; undefined if unknown. */
  readonly mcpServers: readonly string[] | undefined;
  /** The states of those that acp-tui runs itself. */
  readonly ownServers?: Readonly<Record<string, OwnServerState>> | undefined;
  /** Index in `entries` where the agent last got the list of these servers. */
  readonly serversSince: number;
  /** The title from the agent. */
  readonly title: string | undefined;
  /** The user's title, if the agent does not support setting one. */
  readonly ownTitle: string | undefined;
  /** The transcript, in order of first appearance. Ids are stable and unique. */
  readonly entries: EntryList;
  /** Index in `entries` where the open session starts: protocol ids are unique only from there on. */
  readonly sessionStart: number;
  /** Index in `entries` from where on a call may be the one that a permission request is about: what came before has ended, as its turn has, or is only known from a replay. */
  readonly askableFrom: number;
  /** Index in `entries` where what is of the open session alone starts, if it is a copy of another one. */
  readonly copiedAt?: number;
  /** What the agent has replayed of a session that is being loaded; what is not stored is added to `entries` when it is complete. */
  readonly replay: SessionState | undefined;
  /** How often the agent was lost since a turn last ended. */
  readonly losses: number;
  /** Indices in `entries` of incomplete messages, oldest first. */
  readonly streaming: readonly number[];
  /** True until the agent has accepted the first prompt of a new session, which has no costs before that. */
  readonly unused: boolean;
  readonly turn: TurnState;
  /** How the last turn ended; undefined before that. */
  readonly lastTurn: TurnSummary | undefined;
  /** The limit that ended the turn, in a sentence; undefined if none did. */
  readonly limitReached?: string | undefined;
  /** What the last covered turn changed in the folder. */
  readonly turnChanges?: ({readonly turn: number} & LineCounts) | undefined;
  /** What is not reviewed in the folder, as of the end of the last turn or the last review. */
  readonly unreviewed?: Unreviewed | undefined;
  /** Plans of the turn; the stable `plan` update has id ''. A finished plan is in `entries`, too. */
  readonly plans: readonly PlanState[];
  readonly commands: readonly acp.AvailableCommand[];
  /** As the agent sent them; an option of the category `mode` replaces them (`modesOf`). */
  readonly modes: acp.SessionModeState | undefined;
  /** The legacy `models` block, set with `session/set_model`; no longer in the schema. */
  readonly models: LegacyModels | undefined;
  readonly configOptions: readonly acp.SessionConfigOption[] | undefined;
  /** What was said of modes and options in which the agent asks less when the session was opened. */
  readonly startWarnings?: readonly {readonly setting: string; readonly text: string}[];
  /** The ids of LLM providers that are as the user has set them for this session. */
  readonly ownProviders?: readonly string[];
  readonly usage: UsageState | undefined;
  /** The sandbox of the agent; undefined if it runs without. */
  readonly sandbox?: SandboxState | undefined;
  /** The user's own slash commands for the folder. */
  readonly customCommands: readonly CustomCommand[];
  /** Operations that are allowed without asking. */
  readonly approval: ApprovalLevel;
  readonly queue: QueueState;
  /** Requests waiting for the user, oldest first. */
  readonly pending: readonly PendingRequest[];
  /** Terminals by id: those that acp-tui runs, and those that an agent runs and reports. */
  readonly terminals: IdMap<TerminalState>;
  /** What the running agent reports of itself. */
  readonly live?: LiveState | undefined;
  /** Subagents of this session at any depth, by the id of their own session. */
  readonly subagents: Readonly<Record<acp.SessionId, SubagentState>>;
}

/** A tool call, a terminal or a subagent that the agent lets run beside what it does. */
export interface BackgroundWork {
  readonly kind: 'tool_call' | 'terminal' | 'subagent';
  readonly id: string;
}

/** A place next to a message. */
export interface CursorAnchor {
  readonly messageId: string;
  readonly position: 'before' | 'after';
}

/** What a running agent reports of itself beside the transcript; nothing of it outlives the agent. */
export interface LiveState {
  /** Its work, also without a prompt; undefined while it is idle. `since` is in milliseconds since the epoch. */
  readonly work?: {readonly since: number; readonly needsUser: boolean} | undefined;
  readonly background?: readonly BackgroundWork[];
  /** What was said of its cursors, newest first: see `cursorsOf`. */
  readonly cursors?: CursorChange | undefined;
  /** The prompt that it expects next. */
  readonly suggestion?: string | undefined;
}

/** A position that the agent can return to, or a change of one. Linked, so that another one costs the same however many there are. */
export interface CursorChange {
  readonly cursorId: string;
  readonly canFork?: boolean;
  readonly anchor?: CursorAnchor;
  readonly before: CursorChange | undefined;
}

/** A child session ("Subagents"); the entry in its parent's transcript has its name and status. */
export interface SubagentState {
  /** The parent subagent; undefined if the parent is the session itself. */
  readonly parent: acp.SessionId | undefined;
  /** Its own transcript. Pending requests and terminals are in the root session. */
  readonly session: SessionState;
}

/** The state of the connection; `since` is in milliseconds since the epoch. */
export type ConnectionState =
  | {
      readonly kind: 'starting';
      readonly step: StartStep;
      readonly since: number;
      /** Of reconnecting, counted from 1. */
      readonly attempt?: number;
      /** What the agent printed on stderr without answering `initialize`; at most three lines. */
      readonly output?: string;
    }
  | {
      readonly kind: 'authentication_required';
      readonly methods: readonly AuthMethod[];
      readonly problem?: string;
    }
  | {readonly kind: 'ready'}
  /** The agent runs, but no session is open: none was selected yet, or it could not be opened (`failure`). */
  | {readonly kind: 'no_session'; readonly failure: Failure | undefined}
  /** The session could not be opened. */
  | {readonly kind: 'failed'; readonly failure: Failure}
  /** The agent of an open session was lost; `reportedElsewhere` if another session with the same agent already reports it. */
  | {readonly kind: 'lost'; readonly failure: Failure; readonly reportedElsewhere?: boolean}
  | {readonly kind: 'closed'};

export type StartStep = 'launching' | 'reconnecting' | 'initializing' | 'authenticating' | 'opening_session';

interface AgentInfo {
  /** The version of the protocol that is spoken with it. */
  readonly protocolVersion: number;
  readonly name: string;
  readonly title: string | undefined;
  readonly version: string | undefined;
  readonly capabilities: acp.AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
  /** How the user is signed in, if the agent reports it. */
  readonly authStatus: AuthStatus | undefined;
  /** True if it accepts prompts during a turn (`_meta.steering`, an extension). */
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

/** What a session had cost by then; undefined if that is not known. */
export type CostBefore = acp.Cost | 'nothing' | undefined;

export type TurnState =
  | {readonly kind: 'idle'}
  | {
      readonly kind: 'running' | 'cancelling';
      /** Counts from 1 within this process. */
      readonly turn: number;
      readonly startedAt: number;
      /** When the agent last sent anything. */
      readonly lastActivityAt: number;
      /** True while the prompt waits for the snapshot before it. */
      readonly awaitsSnapshot?: boolean;
      /** Index in `entries` of the prompt. */
      readonly promptEntry: number;
      /** True for the first turn of a session. */
      readonly isFirst: boolean;
      readonly costAtStart: CostBefore;
      /** When a limit of the provider ends that the agent has reported in this turn, in milliseconds since the epoch. */
      readonly limitEnd?: number | undefined;
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
  /** Index of its entry in `entries`, once it is finished. */
  readonly finishedEntry: number | undefined;
}

/** What acp-tui adds to the options of a request, and knows of them. */
export interface OfferedAnswers {
  /** The suggested rule that would allow the same in the future, offered next to the agent's options. */
  readonly rule?: string;
  /** Why a command has none. */
  readonly noRule?: string;
  /** What each option decides beyond the request, in a few words, empty for nothing: for the session if its kind is `allow_always`, else for the turn. Absent if none lasts, or while that is not known. */
  readonly covers?: readonly string[];
}

export interface PendingPermission extends OfferedAnswers {
  readonly kind: 'permission';
  /** Assigned by acp-tui, unique in this process; the answer refers to it. */
  readonly id: string;
  readonly toolCallId: acp.ToolCallId;
  /** The tool call to approve: the request merged over what was known of it. Other requests for the same call do not change it; updates of the call do. */
  readonly call: ToolCallEntry;
  /** How often what it shows has changed since: its call, the suggested rule, or its outdated files. */
  readonly changes: number;
  readonly options: readonly acp.PermissionOption[];
  readonly askedAt: number;
  /** The request as JSON text if the normalizer had to correct it, so that the user sees what was sent. */
  readonly raw?: string;
  /** Who asks, if not the agent. */
  readonly asker?: string;
  /** The custom command that runs it, as it is typed: `/tests`. */
  readonly calledBy?: string;
  /** True if acp-tui writes the file once it is allowed, so that the user can change the content. */
  readonly isDoneHere?: boolean;
  /** True if acp-tui asks about a call that the agent has not asked about: what the agent says of it changes nothing. */
  readonly isFixed?: true;
  /** The subagent that asks, if any. */
  readonly subagent?: acp.SessionId;
  /** What asks the user, as a decision names it: `--approve none`. */
  readonly askedBy?: string;
  /** Files that do not match its diffs; a new list whenever one has changed. */
  readonly outdated?: readonly OutdatedFile[];
}

/** A file that does not match the diff of a request. */
export interface OutdatedFile {
  /** The path as the agent wrote it. */
  readonly path: string;
  /** `differs` if it never matched, `changed` if it changed after the request arrived. */
  readonly why: 'differs' | 'changed';
}

/** A request waiting for the user. */
export type PendingRequest = PendingPermission | PendingElicitation;

export type PendingElicitation = PendingForm | PendingUrl;

interface PendingQuestion {
  /** Assigned by acp-tui, unique in this process; the answer refers to it. */
  readonly id: string;
  readonly message: string;
  /** The related tool call. */
  readonly toolCallId: acp.ToolCallId | undefined;
  readonly askedAt: number;
  /** Who asks, if not the agent. */
  readonly asker?: string;
  /** True if the agent sent no session id. */
  readonly isForNone?: boolean;
  /** The subagent that asks, if any. */
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
  /** True after the user has opened it, until it is completed. */
  readonly isOpened: boolean;
}

export interface TerminalState {
  readonly id: acp.TerminalId;
  /** Who runs it: acp-tui for the agent, acp-tui for the user, or the agent, which only reports it (`_meta.terminal_output` and similar fields). */
  readonly runBy: 'client' | 'user' | 'agent';
  /** The command line for display; undefined if the agent does not report it. */
  readonly command: string | undefined;
  readonly cwd: string | undefined;
  /** True if acp-tui gave it a pseudo-terminal, so it can be typed into. */
  readonly pty: boolean;
  /** The screen; undefined if output is not interpreted. */
  readonly screen: TerminalScreen | undefined;
  /** True while received output is not on the screen yet. */
  readonly isBehind: boolean;
  /** True while it seems to wait for input. */
  readonly awaitsInput: boolean;
  /** The end of the output, shown if there is no screen: plain text without control sequences, at most `TERMINAL_TAIL` UTF-16 units. */
  readonly output: string;
  /** The beginning of an incomplete control sequence. */
  readonly carry: string;
  /** True if the start of the output is no longer in `output`. */
  readonly truncated: boolean;
  readonly exit: ProcessExit | undefined;
  readonly released: boolean;
  /** True if the agent that runs it can cancel it alone. */
  readonly canCancel?: boolean;
}
