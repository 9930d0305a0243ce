import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Failure} from '../shared/failure.ts';
import type {AnsweredQuestion, ElicitationOutcome} from './forms/form-request.ts';

/** What every entry has. */
interface EntryBase {
  readonly id: string;
  /** The turn it belongs to; undefined for what came outside of one. */
  readonly turn: number | undefined;
  /** When it first appeared, in milliseconds since the epoch. */
  readonly at: number;
  /** True once a refusal has taken it out of the conversation (the agent will not see it in the next prompt). */
  readonly excluded?: boolean;
  /** True where the agent, telling the conversation again, did not know of it. */
  readonly onlyHere?: boolean;
}

/** A message that streams in. Neighbouring text is one block; nothing is lost of other content. */
interface MessageBase extends EntryBase {
  readonly messageId: acp.MessageId | undefined;
  readonly content: readonly acp.ContentBlock[];
  /**
   * False while more is expected: until the turn ends or something else is said or done. A late chunk with the same
   * `messageId` opens it again.
   */
  readonly complete: boolean;
  /** Raw text at its end that the next chunk decides on: half a character, the beginning of a control sequence. */
  readonly carry?: string | undefined;
}

export type UserMessageEntry = MessageBase & {readonly type: 'user_message'};
export type AgentMessageEntry = MessageBase & {readonly type: 'agent_message'};
export type AgentThoughtEntry = MessageBase & {readonly type: 'agent_thought'};

export type MessageEntry = UserMessageEntry | AgentMessageEntry | AgentThoughtEntry;

/** `cancelled` is ours: the protocol has no such status, but asks that unfinished calls are marked so. */
export type ToolStatus = acp.ToolCallStatus | 'cancelled';

export type DiffContent = Extract<acp.ToolCallContent, {readonly type: 'diff'}>;

export interface ToolCallEntry extends EntryBase {
  readonly type: 'tool_call';
  readonly toolCallId: acp.ToolCallId;
  readonly title: string;
  /** The tool's programmatic name, where the agent tells it. */
  readonly name: string | undefined;
  readonly kind: acp.ToolKind;
  readonly status: ToolStatus;
  readonly content: readonly acp.ToolCallContent[];
  readonly locations: readonly acp.ToolCallLocation[];
  readonly rawInput: unknown;
  readonly rawOutput: unknown;
  readonly endedAt: number | undefined;
  /** How long it waited for the user's answers, in milliseconds. */
  readonly waitedMs?: number;
  /** How its permission was decided, once it was asked for. */
  readonly permission: PermissionDecision | undefined;
  /** The changes that were approved, or written through this client: they stay, whatever the agent tells afterwards. */
  readonly approvedDiffs?: readonly DiffContent[];
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
  /** The agent's notices are live, not history; ours say what this client did. */
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
  /** What it is at: `running`, `idle`, `requires_action`, `unknown`, or what an agent calls it. */
  readonly state: string | undefined;
  /** Why it came to rest; `error` has its words in `problem`. */
  readonly stopReason?: string | undefined;
  readonly problem?: string | undefined;
  /** True if the user may cancel its work. */
  readonly canCancel?: boolean | undefined;
  /** Since when it works, in milliseconds since the epoch; undefined while it rests. */
  readonly since?: number | undefined;
  /** How long it had worked before that, in milliseconds. */
  readonly workedMs?: number | undefined;
  /** What it has used, where the agent tells. */
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

/** Updates of a kind that we do not know: shown, never lost. Neighbours of one kind share an entry. */
export interface UnknownEntry extends EntryBase {
  readonly type: 'unknown';
  readonly kind: string;
  /** How many of them came. */
  readonly count: number;
  /** The updates as JSON text, one a line; the first ones only, where they are many or large. */
  readonly json: string;
}

/** The end of a turn: duration, cost and failure. A failure that ended a turn has no entry of its own. */
export interface TurnEndEntry extends EntryBase {
  readonly type: 'turn_end';
  readonly summary: TurnSummary;
}

/** The agent could not be started, or went away while no turn ran. */
export interface FailureEntry extends EntryBase {
  readonly type: 'failure';
  readonly failure: Failure;
}

/** A command of the user's own; the agent knows nothing of it but what the user sends. */
export interface ShellCommandEntry extends EntryBase {
  readonly type: 'shell_command';
  readonly command: string;
  readonly terminalId: acp.TerminalId;
  readonly endedAt: number | undefined;
}

/** A question of the agent and its answer ("Elicitation"). */
export interface ElicitationEntry extends EntryBase {
  readonly type: 'elicitation';
  readonly mode: 'form' | 'url';
  readonly message: string;
  /** Who asked, where it was not the agent. */
  readonly asker: string | undefined;
  /** The tool call that it was for, by its id and as it was called then. */
  readonly toolCallId: acp.ToolCallId | undefined;
  readonly about: string | undefined;
  /** The address that was to be opened. */
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
  /** The option's name as the agent wrote it; undefined when none was chosen. */
  readonly option: string | undefined;
  /** `user`, `--approve edits`, or the text of a rule. */
  readonly by: string;
}

export type TurnOutcome =
  | {readonly kind: 'stopped'; readonly stopReason: acp.StopReason}
  | {readonly kind: 'failed'; readonly failure: Failure};

export interface TurnSummary {
  readonly turn: number;
  readonly outcome: TurnOutcome;
  readonly durationMs: number;
  /** Token counts of the turn, where the agent told them. */
  readonly usage?: acp.Usage;
  /** What the turn cost: the cumulative cost at its end less that at its start, where both are known. */
  readonly cost?: acp.Cost;
  /** True if the agent ended it by itself without an answer and without having done anything. */
  readonly isEmpty?: true;
}
