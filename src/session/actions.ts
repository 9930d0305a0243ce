import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Result} from '../shared/failure.ts';
import type {UndoPlan} from './transcript/diffs.ts';
import type {CustomCall} from './content/custom-command.ts';
import type {FormContent} from './forms/form-schema.ts';
import type {McpServerRow} from './lifecycle/mcp-servers.ts';
import type {NextOpening} from './events.ts';
import type {QueueChange} from './queue/queue-changes.ts';
import type {LimitUse} from './settings/limits.ts';
import type {ApprovalLevel} from './settings/approval.ts';
import type {RewindPlan, RewindPoint} from './rewind.ts';
import type {CommentChange, ReviewChange, ReviewOutcome, ReviewRange} from './review.ts';

/** The user's answer to a permission request. The option is given by index, so that hostile ids never pass through the screen. */
export type PermissionAnswer = (ChosenAnswer & AnsweredRequest) | {readonly kind: 'cancelled'};

type ChosenAnswer =
  | {readonly kind: 'option'; readonly index: number}
  /** Allows it once and adds the suggested rule. */
  | {readonly kind: 'rule'}
  /** Writes this content instead of the proposed one: allows a write that acp-tui does once, and rejects one of the agent's own. */
  | {readonly kind: 'edited'; readonly content: string};

interface AnsweredRequest {
  /** `changes` of the request that the user saw, by default as it was first shown: what allows something counts only if it has not changed since. */
  readonly changes?: number;
  /** The key that was pressed. */
  readonly key?: string;
}

/** The user's answer to an elicitation ("Elicitation", user response). */
export type ElicitationAnswer =
  /** The content of a form; empty for a URL. */
  | {readonly kind: 'accepted'; readonly content: FormContent}
  | {readonly kind: 'declined'}
  | {readonly kind: 'cancelled'}
  /** Stops waiting for the user to finish in the browser. */
  | {readonly kind: 'done'};

/** A question of acp-tui's own with two answers. `text` has to be read before `yes` can be chosen. */
export interface UserQuestion {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
}

/** What the user allowed for a session with an option of the kind `allow_always`. Its texts are the agent's own. */
export interface SessionGrant {
  readonly id: string;
  readonly sessionId: acp.SessionId;
  /** The name of the option. */
  readonly answer: string;
  /** What it covers, in one line: "all edits", "the command npm test". */
  readonly covers: string;
}

/** A tool call or a command of the agent, with the subagent whose it is. */
export interface CancellableTask {
  readonly kind: 'tool_call' | 'terminal';
  readonly id: string;
  readonly subagent?: acp.SessionId | undefined;
}

export type RequestAnswer = PermissionAnswer | ElicitationAnswer;

/** What the status command has printed, or in a sentence why not. */
export interface StatusLine {
  readonly text?: string | undefined;
  readonly problem?: string;
}

/** A session as listed by its agent. Its texts are not sanitized. */
export interface ListedSession {
  readonly sessionId: acp.SessionId;
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly title: string | undefined;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number | undefined;
}

/** Filter of an agent's session list: those of a folder, or all; the archived ones, if it supports archiving. */
export interface ListedSessionFilter {
  readonly cwd?: string;
  readonly archived?: boolean;
}

/** A page of an agent's session list, with the cursor of the next one. */
export interface ListedPage {
  readonly sessions: readonly ListedSession[];
  readonly next?: string | undefined;
}

/**
 * Actions of a front end on a session. Results arrive as events in the state; a returned failure is only for the caller. Arguments and results are plain data,
 * and nothing is returned at once: the session may run in another process.
 */
export interface SessionActions {
  /** Returns the limits in force, and what is used of them. */
  limitUses(): Promise<readonly LimitUse[]>;
  /** Changes the queue, from which prompts are sent; fails if the prompt is not queued any more. */
  changeQueue(change: QueueChange): Promise<Result<void>>;
  /** Sends the prompt that waits for its snapshot now. */
  sendWithoutSnapshot(): void;
  /** Cancels the work of a subagent, if its agent supports it; the subagent itself stays ("Subagents"). */
  cancelSubagent(sessionId: acp.SessionId): void;
  /** Has the agent cancel one tool call or one of its commands, if it can: everything else goes on. It reports the end of what was cancelled. */
  cancelTask(task: CancellableTask): Promise<Result<void>>;
  /**
   * Cancels the running turn ("Cancellation"), with its pending requests and tool calls, or a sign-in in progress. Otherwise does
   * nothing.
   */
  cancel(): void;
  /** Answers the pending request with this id; fails if it is no longer pending, or if what was saved cannot be written. */
  answer(id: string, answer: RequestAnswer): Promise<Result<void>>;
  /** Asks the user, as a pending request. Undefined if it was cancelled, or there is no user. */
  askUser(question: UserQuestion): Promise<boolean | undefined>;
  /** Runs a command in the user's shell, which keeps its folder and environment between commands. */
  runShell(command: string): Promise<void>;
  /**
   * Runs the user's status command where hooks run, and returns its first line. Undefined if it has to be run again once the session's phase has changed: it was
   * stopped, or there is no sandbox for it yet.
   */
  runStatusCommand(command: string, input: string): Promise<Result<StatusLine | undefined>>;
  /** Returns the whole prompt of a custom command, whose commands are run, each with the permission that a command of the agent needs. */
  expandCommand(call: CustomCall): Promise<Result<string>>;
  /** Saves a prompt as a command of the user's; returns its file. */
  saveCommand(name: string, prompt: string): Promise<Result<string>>;
  /** Sends Ctrl+C to one of the user's commands. */
  interruptCommand(terminalId: string): void;
  /** Types into a command that acp-tui runs in a pseudo-terminal; ignored for others. */
  typeInto(terminalId: string, text: string): void;
  /** Stops a command that acp-tui runs, with its process tree; the agent keeps its terminal. */
  stopCommand(terminalId: string): Promise<void>;
  /** `session/set_mode`, or the `mode` category of the config options. */
  setMode(modeId: string): Promise<Result<void>>;
  /** The `model` category of the config options, or the old `session/set_model`. */
  setModel(modelId: string): Promise<Result<void>>;
  /** `session/set_config_option`; a boolean option takes a boolean. */
  setConfigOption(configId: string, value: string | boolean): Promise<Result<void>>;
  /**
   * Signs in with a method, opens the session unless one is open, and retries what had failed. After a failure the methods are
   * offered again, unless the session can continue without a sign-in.
   */
  authenticate(methodId: string): Promise<Result<void>>;
  /** `logout`, if the agent supports it; a notice says what this means for the session. */
  logOut(): Promise<Result<void>>;
  setApproval(level: ApprovalLevel): void;
  /** Returns what was allowed for the session, oldest first. */
  sessionGrants(): Promise<readonly SessionGrant[]>;
  /** Takes back what was allowed for the session; ignored if it was before. */
  takeBack(id: string): void;
  /**
   * Opens another session with the same agent in the same folders, and keeps the transcript. If that fails, the previous session
   * continues, if one was open.
   */
  openSession(opening: NextOpening): Promise<Result<void>>;
  /** Stops the agent's process if it still runs, starts it again and resumes the session, keeping the transcript. */
  restart(): Promise<Result<void>>;
  /** "Session List": returns a page, by default the first; `allSessions` reads them all. */
  listSessions(filter: ListedSessionFilter, cursor?: string): Promise<Result<ListedPage>>;
  /** `session/set_title` if the agent supports it, otherwise only in acp-tui. An empty title restores the automatic one. */
  renameSession(title: string): Promise<Result<void>>;
  /** Has the agent delete, archive or unarchive one of its sessions. Deleting cannot be undone. */
  changeSession(change: 'delete' | 'archive' | 'unarchive', sessionId: acp.SessionId): Promise<Result<void>>;
  /** Adds a folder to the workspace; a relative path starts at the working folder. */
  addDirectory(path: string): Promise<Result<void>>;
  /** Lets the agent's sandbox write a folder, after a restart of the agent; a relative path starts at the working folder. */
  addSandboxFolder(path: string): Promise<Result<void>>;
  /** Returns what `undo` would do for the newest turn that changed something; undefined if there is nothing to undo. */
  planUndo(): Promise<UndoPlan | undefined>;
  /** Undoes what changed in a turn, each file completely or not at all; a notice says what was done. `only`: these files, by their paths. */
  undo(turn: number, only?: readonly string[]): Promise<void>;
  /** Returns the points that the session can be rewound to, newest first. */
  rewindPoints(): Promise<readonly RewindPoint[]>;
  /** Returns what `rewind` would do to the files, without changing any. */
  planRewind(point: RewindPoint): Promise<RewindPlan>;
  /** Restores the files of a plan, see `undo`, and then opens the session in which the conversation goes on, unless a file was refused. */
  rewind(
    plan: Pick<RewindPlan, 'point' | 'now'> & {readonly next?: NextOpening},
    only?: readonly string[],
  ): Promise<Result<void> | undefined>;
  /** Reads all changes in the folder, also those of other programs. */
  review(range: ReviewRange): Promise<ReviewOutcome>;
  /** Accepts or reverts a change of a review, by its id, or undoes the last of these. Files do not change during a turn. */
  changeReview(change: ReviewChange, of: string): Promise<ReviewOutcome>;
  /** Changes the stored comments of the review, which are not sent yet. */
  saveReviewComments(change: CommentChange): Promise<void>;
  /** "Configurable LLM Providers": returns the agent's providers. */
  listProviders(): Promise<Result<readonly acp.ProviderInfo[]>>;
  /** Asks the user for a provider's new configuration and sends it; a notice reports the result. */
  configureProvider(providerId: acp.ProviderId): Promise<Result<void>>;
  /** Returns the MCP servers with their state in the next session. */
  listMcpServers(): Promise<readonly McpServerRow[]>;
  /** Turns an MCP server on or off for new sessions in this folder. */
  toggleMcpServer(name: string): Promise<Result<void>>;
  /** The user was notified in the terminal: for hooks. */
  notified(reason: string): void;
  /** Returns the end of the agent's stderr output. */
  stderrTail(): Promise<string>;
  /** Stops everything this session started; resolves when all processes have ended. */
  close(): Promise<void>;
}
