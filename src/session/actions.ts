import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Result} from '../shared/failure.ts';
import type {Changes, UndoPlan} from './transcript/diffs.ts';
import type {FormContent} from './forms/form-schema.ts';
import type {McpServerRow} from './lifecycle/mcp-servers.ts';
import type {Opening} from './events.ts';

/** Operations that are allowed without asking; docs/permissions.md has the exact table. */
export type ApprovalLevel = (typeof APPROVAL_LEVELS)[number];
/** From the strictest to the widest; each allows what those before it do. */
export const APPROVAL_LEVELS = ['none', 'reads', 'edits', 'all'] as const;

/** The outcome of steering a running turn: the agent took the prompt, started a separate turn whose end it does not report, or refused. */
export type SteerOutcome = 'taken' | 'detached' | 'refused';

/** `repeats`: the prompt is in the transcript already, since the agent wanted a sign-in before it took it. */
export interface PromptOptions {
  readonly repeats?: boolean;
}

/** The user's answer to a permission request. The option is named by its place, so that hostile ids never travel through the screen. */
export type PermissionAnswer =
  /** `key` is the one that was pressed. */
  | {readonly kind: 'option'; readonly index: number; readonly key?: string}
  /** Allows it once, and the same from now on by the rule that was offered. */
  | {readonly kind: 'rule'; readonly key?: string}
  | {readonly kind: 'cancelled'};

/** The user's answer to a question of the agent ("Elicitation", user response). */
export type ElicitationAnswer =
  /** The content of a form; that of an address is empty. */
  | {readonly kind: 'accepted'; readonly content: FormContent}
  | {readonly kind: 'declined'}
  | {readonly kind: 'cancelled'}
  /** Waits no longer for what is done at an address that was opened. */
  | {readonly kind: 'done'};

export type RequestAnswer = PermissionAnswer | ElicitationAnswer;

/** A session as its agent lists it. Its texts are the agent's, not cleaned. */
export interface ListedSession {
  readonly sessionId: acp.SessionId;
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly title: string | undefined;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number | undefined;
}

/** Actions of a front end on a session. Results come back as events in the state; a returned failure is only for the caller. */
export interface SessionActions {
  /** Sends one prompt turn ("Prompt Turn"). Only when the session is ready and idle; never two at once. */
  prompt(content: readonly acp.ContentBlock[], how?: PromptOptions): void;
  /**
   * Asks the agent to take a prompt into the running turn (`_session/steering`, an extension); only where the agent said
   * that it can (`steers` of `AgentInfo`).
   */
  steer(content: readonly acp.ContentBlock[]): Promise<Result<SteerOutcome>>;
  /** Ends the work of a subagent whose agent lets that be done; the subagent itself stays ("Subagents"). */
  cancelSubagent(sessionId: acp.SessionId): void;
  /**
   * Cancels the running turn ("Cancellation"): answers what is pending, marks tool calls; or gives up the sign-in that the agent
   * is busy with. Nothing when neither is.
   */
  cancel(): void;
  /** Answers a waiting request by our id; nothing when it is no longer waiting. */
  answer(id: string, answer: RequestAnswer): void;
  /** Runs a command of the user in the user's shell, which keeps folder and environment from one command to the next. */
  runShell(command: string): Promise<void>;
  /** Ctrl+C for a command of the user. */
  interruptCommand(terminalId: string): void;
  /** Types into a command of ours that has a pseudo-terminal; nothing happens to any other. */
  typeInto(terminalId: string, text: string): void;
  /** Ends a command of ours with all that came of it; the agent keeps its terminal. */
  stopCommand(terminalId: string): Promise<void>;
  /** `session/set_mode`, or the `mode` category of the config options. */
  setMode(modeId: string): Promise<Result<void>>;
  /** The `model` category of the config options, or the old `session/set_model`. */
  setModel(modelId: string): Promise<Result<void>>;
  /** `session/set_config_option`; a boolean option takes a boolean. */
  setConfigOption(configId: string, value: string | boolean): Promise<Result<void>>;
  /**
   * Signs in with a method, then opens the session unless one is open, and does again what had failed for it. A failure leaves the
   * methods to choose from, unless the session can go on without.
   */
  authenticate(methodId: string): Promise<Result<void>>;
  /** `logout`, where the agent has it; a notice tells what is known of the session then. */
  logOut(): Promise<Result<void>>;
  setApproval(level: ApprovalLevel): void;
  /**
   * Opens another session with the same agent in the same folders; the transcript keeps what was said before. When that fails,
   * the old one goes on, if one was open.
   */
  openSession(opening: Exclude<Opening, {kind: 'later'}>): Promise<Result<void>>;
  /** Ends the agent's process if it still runs, starts it again, and goes on with the session; the transcript stays. */
  restart(): Promise<Result<void>>;
  /** "Session List": all pages, each as it comes; those of one folder, or of all. */
  listSessions(
    cwd: string | undefined,
    onPage: (sessions: readonly ListedSession[]) => void,
  ): Promise<Result<void>>;
  /** `session/set_title` where the agent has it, else only here; an empty title takes ours back. */
  renameSession(title: string): Promise<Result<void>>;
  /** Lets the agent delete or archive one of its sessions. Deleting cannot be taken back. */
  changeSession(change: 'delete' | 'archive' | 'unarchive', sessionId: acp.SessionId): Promise<Result<void>>;
  /** Adds a folder to those of the session; a relative path starts at the working folder. */
  addDirectory(path: string): Promise<Result<void>>;
  /** The files that were changed, as it stands now. */
  changes(): Promise<Changes>;
  /** What `undo` would do, for the newest turn that wrote something; undefined when there is nothing to take back. */
  planUndo(): Promise<UndoPlan | undefined>;
  /** Takes back what a turn wrote through us, each file wholly or not at all; a notice tells what was done. */
  undo(turn: number): Promise<void>;
  /** The MCP servers, as they stand for the next session that is opened. */
  listMcpServers(): readonly McpServerRow[];
  /** Switches an MCP server on or off for sessions that are opened in this folder from now on. */
  toggleMcpServer(name: string): Result<void>;
  /** The tail of what the agent wrote on stderr. */
  stderrTail(): string;
  /** Ends everything this session started; resolves when no process is left. */
  close(): Promise<void>;
}
