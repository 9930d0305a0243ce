import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Failure} from '../shared/failure.ts';
import type {AnsweredQuestion, ElicitationOutcome} from './forms/form-request.ts';

/** Common to all entries. */
interface EntryBase {
  readonly id: string;
  /** The turn it belongs to; undefined outside of turns. */
  readonly turn: number | undefined;
  /** When it first appeared, in milliseconds since the epoch. */
  readonly at: number;
  /** True if a refusal removed it from the conversation: the agent no longer sees it. */
  readonly excluded?: boolean;
  /** True if the agent did not send it when it replayed the conversation. */
  readonly onlyHere?: boolean;
}

/** A streamed message. Adjacent text is merged into one block; other content is unchanged. */
interface MessageBase extends EntryBase {
  readonly messageId: acp.MessageId | undefined;
  readonly content: readonly acp.ContentBlock[];
  /**
   * False while more is expected: until the turn ends or another entry starts. A late chunk with the same `messageId` reopens it.
   */
  readonly complete: boolean;
  /** Raw text at its end that is incomplete without the next chunk: half a character, the start of a control sequence. */
  readonly carry?: string | undefined;
  /** How often the agent has replaced its content; absent if never. */
  readonly replaced?: number;
}

export type UserMessageEntry = MessageBase & {readonly type: 'user_message'};
export type AgentMessageEntry = MessageBase & {readonly type: 'agent_message'};
export type AgentThoughtEntry = MessageBase & {readonly type: 'agent_thought'};

export type MessageEntry = UserMessageEntry | AgentMessageEntry | AgentThoughtEntry;

/** Version 1 has neither `cancelled`, although it asks clients to mark unfinished calls of a cancelled turn, nor `paused`. */
export type ToolStatus = acp.ToolCallStatus | 'cancelled' | 'paused';

export type DiffContent = Extract<acp.ToolCallContent, {readonly type: 'diff'}>;

export interface ToolCallEntry extends EntryBase {
  readonly type: 'tool_call';
  readonly toolCallId: acp.ToolCallId;
  readonly title: string;
  /** The tool's programmatic name, if the agent sends it. */
  readonly name: string | undefined;
  readonly kind: acp.ToolKind;
  readonly status: ToolStatus;
  /** True if the agent has reported it as cancelled, and not only acp-tui. */
  readonly isCancelledByAgent?: true;
  /** True if the agent can cancel it alone. */
  readonly canCancel?: boolean | undefined;
  readonly content: readonly acp.ToolCallContent[];
  readonly locations: readonly acp.ToolCallLocation[];
  readonly rawInput: unknown;
  readonly rawOutput: unknown;
  readonly endedAt: number | undefined;
  /** Time spent waiting for the user's answers, in milliseconds. */
  readonly waitedMs?: number;
  /** True once a form has asked the user for it: the form, and the entry of its answer, show the questions. */
  readonly isAsked?: true;
  /** The ID under which acp-tui asked about it or showed it by itself, before the agent reported it. */
  readonly askedAs?: acp.ToolCallId;
  /** The decision about its permission request, if there was one. */
  readonly permission: PermissionDecision | undefined;
  /** Changes that were approved, or written through acp-tui; kept whatever the agent sends later. */
  readonly approvedChanges?: readonly acp.ToolCallContent[];
  /** Paths outside of the sandbox that it could not write, as its output says. */
  readonly refusedWrites?: readonly string[];
}

export interface PlanEntry extends EntryBase {
  readonly type: 'plan';
  readonly planId: string;
  readonly content: acp.PlanUpdateContent;
}

export interface NoticeEntry extends EntryBase {
  readonly type: 'notice';
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  /** Notices of the agent exist only while the session is live; those of the client report what acp-tui did. */
  readonly source: 'agent' | 'client';
}

export interface CompactionEntry extends EntryBase {
  readonly type: 'compaction';
  readonly compactionId: string;
  readonly status: acp.CompactionStatus;
  readonly summary: readonly acp.ContentBlock[];
  readonly error: string | undefined;
}

/** A subagent that works for this session ("Subagents"); `SessionState.subagents` has its transcript. */
export interface SubagentEntry extends EntryBase {
  readonly type: 'subagent';
  readonly sessionId: acp.SessionId;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** `running`, `idle`, `requires_action`, `unknown`, or a state of the agent's own. */
  readonly state: string | undefined;
  /** Why it stopped; for `error`, `problem` has the message. */
  readonly stopReason?: string | undefined;
  readonly problem?: string | undefined;
  /** True if the user may cancel its work. */
  readonly canCancel?: boolean | undefined;
  /** When it started working, in milliseconds since the epoch; undefined while idle. */
  readonly since?: number | undefined;
  /** How long it had worked before, in milliseconds. */
  readonly workedMs?: number | undefined;
  /** Its token usage, if the agent reports it. */
  readonly usage?: acp.Usage | undefined;
}

/** A message between sessions (draft protocol). */
export interface SessionMessageEntry extends EntryBase {
  readonly type: 'session_message';
  readonly messageId: acp.MessageId;
  readonly sender: acp.SessionId | undefined;
  readonly recipient: acp.SessionId | undefined;
  readonly content: readonly acp.ContentBlock[];
}

/** Updates of an unknown kind, shown as JSON. Adjacent ones of the same kind share an entry. */
export interface UnknownEntry extends EntryBase {
  readonly type: 'unknown';
  readonly kind: string;
  /** The number of updates. */
  readonly count: number;
  /** The updates as JSON text, one per line; only the first ones if there are many or large ones. */
  readonly json: string;
}

/** The end of a turn: duration, cost and failure. A failure that ended a turn has no entry of its own. */
export interface TurnEndEntry extends EntryBase {
  readonly type: 'turn_end';
  readonly summary: TurnSummary;
}

/** The agent could not be started, or was lost outside of a turn. */
export interface FailureEntry extends EntryBase {
  readonly type: 'failure';
  readonly failure: Failure;
}

/** A command that the user ran; the agent only gets what the user attaches of it. */
export interface ShellCommandEntry extends EntryBase {
  readonly type: 'shell_command';
  readonly command: string;
  readonly terminalId: acp.TerminalId;
  readonly endedAt: number | undefined;
}

/** An elicitation and its answer ("Elicitation"). */
export interface ElicitationEntry extends EntryBase {
  readonly type: 'elicitation';
  readonly mode: 'form' | 'url';
  readonly message: string;
  /** Who asked, if it was not the agent. */
  readonly asker: string | undefined;
  /** The related tool call; `about` is its title at that time. */
  readonly toolCallId: acp.ToolCallId | undefined;
  readonly about: string | undefined;
  /** The URL to open. */
  readonly url: string | undefined;
  /** Empty unless a form was accepted. */
  readonly answers: readonly AnsweredQuestion[];
  readonly outcome: ElicitationOutcome;
}

export type Entry =
  | UserMessageEntry
  | AgentMessageEntry
  | AgentThoughtEntry
  | ToolCallEntry
  | PlanEntry
  | NoticeEntry
  | CompactionEntry
  | SubagentEntry
  | SessionMessageEntry
  | UnknownEntry
  | TurnEndEntry
  | FailureEntry
  | ShellCommandEntry
  | ElicitationEntry;

export type EntryType = Entry['type'];

/** Who answered a permission request, and how. */
export interface PermissionDecision {
  readonly outcome: 'allowed' | 'rejected' | 'cancelled' | 'withdrawn';
  /** The name of the selected option; undefined if none was selected. */
  readonly option: string | undefined;
  /** `user`, `--approve edits`, or the text of a rule. */
  readonly by: string;
  /** What the user allowed with it for the session; undefined if only what was asked. */
  readonly covers?: string;
}

export type TurnOutcome =
  | {readonly kind: 'stopped'; readonly stopReason: acp.StopReason}
  | {readonly kind: 'failed'; readonly failure: Failure};

export interface TurnSummary {
  readonly turn: number;
  readonly outcome: TurnOutcome;
  readonly durationMs: number;
  /** Tokens of the turn, if the agent reports them. */
  readonly usage?: acp.Usage;
  /** The cost of the turn: the cumulative cost at its end minus that at its start, if both are known. */
  readonly cost?: acp.Cost;
  /** How many files its completed calls have changed, if any. */
  readonly changedFiles?: number;
  /** True if the agent ended it without an answer and without doing anything. */
  readonly isEmpty?: true;
  /** True if the agent did not take the prompt: it was cancelled before, or needs a sign-in first. */
  readonly isUnsent?: true;
}
