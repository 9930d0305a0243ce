import type {Folders} from '../shared/files/session-folders.ts';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {RequestAnswer, SessionGrant, UserQuestion} from '../session/actions.ts';
import type {ApprovalLevel} from '../session/settings/approval.ts';
import type {
  ElicitationQuestion,
  ElicitationOutcome,
  AnsweredQuestion,
} from '../session/forms/form-request.ts';
import type {FormContent} from '../session/forms/form-schema.ts';
import type {DecisionRecord, PermissionRule} from '../session/requests/permission-rules.ts';
import type {OfferedAnswers, OutdatedFile} from '../session/state.ts';
import type {OpenSandbox} from '../sandbox/session-sandbox.ts';
import type {ProcessExit, Result} from '../shared/failure.ts';
import type {PermissionDecision} from '../session/entries.ts';
import type {RuleVerdict} from './rules/match.ts';
import type {TargetHost} from './rules/rule-target.ts';

/**
 * A response to the agent, or its JSON-RPC error (codes: docs/permissions.md, "Errors the agent gets"). The host does not depend on the SDK's classes;
 * `conversation/` turns a refusal into a `RequestError`.
 */
export type HostResponse<T> = {readonly ok: true; readonly value: T} | Refusal;

export interface Refusal {
  readonly ok: false;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * The client's services for an agent, with permission checks. Requests, decisions, commands and writes are reported to the
 * listeners given to `createHost`.
 */
export interface Host {
  /** "Requesting Permission": decided by the policy, or by a call of `answer`. `signal` cancels the request. */
  requestPermission(prompt: PermissionPrompt, signal: AbortSignal): Promise<acp.RequestPermissionResponse>;
  /** An update of a tool call, which may change a pending permission request. */
  toolCallUpdated(sessionId: acp.SessionId, update: acp.ToolCallUpdate): void;
  /** A text of the agent is about to be shown. */
  agentSpoke(sessionId: acp.SessionId): void;
  /** `fs/read_text_file`. */
  read(
    request: acp.ReadTextFileRequest,
    signal: AbortSignal,
  ): Promise<HostResponse<acp.ReadTextFileResponse>>;
  /** `fs/write_text_file`. Asks the user unless the policy or a granted permission covers it. */
  write(
    request: acp.WriteTextFileRequest,
    signal: AbortSignal,
  ): Promise<HostResponse<acp.WriteTextFileResponse>>;
  /** `terminal/create`. Asks the user unless the policy or a granted permission covers it. `calledBy` is the custom command that runs it, if it is not the agent. */
  createTerminal(
    request: acp.CreateTerminalRequest,
    signal: AbortSignal,
    calledBy?: string,
  ): Promise<HostResponse<acp.CreateTerminalResponse>>;
  /** Whether a program in the sandbox may connect to a host that is not known. Asks the user unless the policy decides. */
  connect(connection: Connection): Promise<boolean>;
  /** Whether what was written in the sandbox, and something runs later, is kept. Asks the user unless a rule decides; undefined if nobody has decided. */
  keepWritten(writes: readonly SandboxWrite[], how: KeepOptions): Promise<boolean | undefined>;
  /** Returns the plan that an agent keeps in a file, read synchronously; undefined if it must not be read. */
  readPlan(uri: string): PlanFile | undefined;
  /** The user's own shell commands (`!`). */
  readonly shell: UserShell;
  /** The other `terminal/*` requests, and stopping all commands. */
  readonly terminals: Omit<TerminalService, 'create'>;
  /** Answers the pending request with this id; fails if it is no longer pending, or if what was saved cannot be written. */
  answer(id: string, answer: RequestAnswer): Promise<Result<void>>;
  /** `elicitation/create`. Asks the user, if there is one; `signal` cancels the request, `isForNone` is that of the question. */
  elicit(
    request: acp.CreateElicitationRequest,
    how: {readonly signal: AbortSignal; readonly isForNone: boolean},
  ): Promise<HostResponse<acp.CreateElicitationResponse>>;
  /** `elicitation/complete`. */
  completeElicitation(elicitationId: acp.ElicitationId): void;
  /** Asks the user with acp-tui's own form, which may ask for secrets. Undefined if it was not answered, or there is no user. */
  askForm(form: HostForm): Promise<FormContent | undefined>;
  /** Answers all pending requests with `cancelled`, when a turn is cancelled, an agent is lost or a session closed. */
  cancelPending(): void;
  /** A session is open, and has what was allowed while its agent started. */
  sessionOpened(sessionId: acp.SessionId): void;
  /** A turn starts; grants of the previous one end. */
  turnStarted(): void;
  /** A turn is about to end: auto-approved effects that no tool call has shown get their own entry. */
  turnEnded(): void;
  /** Adds a folder to the workspace, with links resolved. Does not affect pending requests. */
  addRoot(folder: string): void;
  /** Another folder takes the place of one of the workspace, both with links resolved. */
  moveRoot(from: string, to: string): void;
  setApproval(level: ApprovalLevel): void;
  readonly sessionGrants: SessionGrants;
  /** Asks the user a question of acp-tui's own, as a permission request. Undefined if it was cancelled, or there is no user. */
  askUser(question: HostQuestion, sessionId: acp.SessionId): Promise<boolean | undefined>;
  /** Asks the user one of acp-tui's own questions with several choices: returns the index of the chosen one, or -1 for `no`. */
  askChoice(question: UserChoice, sessionId: acp.SessionId): Promise<number | undefined>;
  /** Returns the requests that were refused because there is no user, oldest first. */
  denied(): readonly DeniedRequest[];
}

/** What the user allowed for the session, oldest first. */
export interface SessionGrants {
  list(): readonly SessionGrant[];
  takeBack(id: string): void;
}

/** What a program in the sandbox has written, and something runs later. */
export interface SandboxWrite {
  readonly path: string;
  /** In a few words: what was done to it. */
  readonly what: string;
  /** Not only its text is another one. */
  readonly isAlso?: string | undefined;
  readonly before?: string | undefined;
  /** Undefined if it is gone, or no text. */
  readonly after?: string | undefined;
}

export interface KeepOptions {
  readonly sessionId: acp.SessionId;
  /** True if the user can no longer be asked: then only rules, and what was allowed before, decide. */
  readonly isTooLate: boolean;
}

/** A connection that a program in the sandbox wants to open. */
export interface Connection {
  readonly sessionId: acp.SessionId;
  readonly host: TargetHost;
}

/** A plan in a file. `name` is its path relative to the session's folder. */
export interface PlanFile {
  readonly name: string;
  readonly text: string;
}

/** A permission request. `raw` is its JSON text if it had to be corrected. */
export interface PermissionPrompt extends OfferedAnswers {
  readonly request: acp.RequestPermissionRequest;
  readonly raw?: string;
  /** Who asks, if it is not the agent. */
  readonly asker?: string;
  /** The custom command that runs it, as it is typed: `/tests`. */
  readonly calledBy?: string;
  /** True if acp-tui writes the file or runs the command once it is allowed, so that the user can change that. */
  readonly isDoneHere?: boolean;
  /** True if acp-tui asks, since the agent has not: what is shown is what it will do. */
  readonly isOfHost?: boolean;
  /** What asks the user, as a decision names it: `--approve none`. */
  readonly askedBy?: string;
  /** Files whose content its diffs do not match. */
  readonly outdated?: readonly OutdatedFile[];
}

export type HostForm = Omit<Extract<ElicitationQuestion, {mode: 'form'}>, 'mode' | 'asker'>;

export interface UserChoice extends Omit<HostQuestion, 'yes'> {
  readonly choices: readonly string[];
}

/** A question of this process. */
export interface HostQuestion extends UserQuestion {
  /** Aborts when it no longer matters. */
  readonly withdrawn?: AbortSignal;
}

/** A request that was refused because there is no user. Its texts are the agent's own. */
export interface DeniedRequest {
  /** `session/request_permission`, `fs/write_text_file` or `terminal/create`. */
  readonly method: string;
  /** What it would have done, in one line: a tool call's title, a path, a command line. */
  readonly title: string;
  readonly kind?: acp.ToolKind;
  readonly toolCallId?: acp.ToolCallId;
  /** The session that made the request; a subagent has its own. */
  readonly sessionId?: acp.SessionId;
  /** The lowest `--approve` level that would have allowed it; undefined if none would, or a rule decided. */
  readonly allowedBy: ApprovalLevel | undefined;
  /** The rule that denied it: `rule: any .env* (user)`. */
  readonly rule?: string | undefined;
}

/** Reports permission requests. One that the policy decides is requested and resolved synchronously. */
export interface PermissionListener {
  requested(id: string, asked: PermissionPrompt): void;
  /** After a change by the agent, this is offered with a request. */
  offered(id: string, offered: OfferedAnswers): void;
  /** The files no longer match the diffs that the request shows. */
  outdated(id: string, outdated: readonly OutdatedFile[]): void;
  resolved(id: string, call: CallOfSession, decision: PermissionDecision): void;
}

/** Identifies a tool call: its id is unique only within its session, and subagents have their own sessions. */
export interface CallOfSession {
  readonly sessionId: acp.SessionId;
  readonly toolCallId: acp.ToolCallId;
}

/** "Terminals": commands that the agent runs through acp-tui. Never asks the user. */
export interface TerminalService {
  create(request: acp.CreateTerminalRequest): Promise<HostResponse<acp.CreateTerminalResponse>>;
  output(terminalId: acp.TerminalId): HostResponse<acp.TerminalOutputResponse>;
  /** `signal` aborts the wait, not the command. */
  waitForExit(
    terminalId: acp.TerminalId,
    signal: AbortSignal,
  ): Promise<HostResponse<acp.WaitForTerminalExitResponse>>;
  kill(terminalId: acp.TerminalId): Promise<HostResponse<acp.KillTerminalResponse>>;
  release(terminalId: acp.TerminalId): Promise<HostResponse<acp.ReleaseTerminalResponse>>;
  /** Types into a command with a pseudo-terminal; ignored for others. */
  type(terminalId: acp.TerminalId, text: string): void;
  /** True if a command is certainly waiting for input. */
  awaitsInput(terminalId: acp.TerminalId): boolean;
  /** Starts a new generation of commands, and returns a function that stops all commands requested before it. */
  startGeneration(): () => Promise<void>;
  /** Stops every command with its process tree; resolves when all have ended. */
  closeAll(): Promise<void>;
  /** Stops every command synchronously, with SIGKILL, for exits that cannot wait. */
  killAllNow(): void;
}

/** A command that was started. */
export interface StartedCommand {
  /** As it would be typed. */
  readonly command: string;
  readonly cwd: string;
  /** True if it has a pseudo-terminal, and can be typed into. */
  readonly pty: boolean;
  /** Absent for an agent's command. */
  readonly runBy?: 'user';
}

/** Events of a terminal for the session. */
export interface TerminalListener {
  created(terminalId: acp.TerminalId, started: StartedCommand): void;
  /** Called once if there are no pseudo-terminals, with the reason. */
  withoutPty(reason: string): void;
  /** The agent exceeded the limit of terminals for the first time. */
  limited(): void;
  output(terminalId: acp.TerminalId, data: string): void;
  exited(terminalId: acp.TerminalId, exit: ProcessExit): void;
  released(terminalId: acp.TerminalId): void;
}

/** What the user made of what an agent proposed, once it is done, or has failed. */
export interface CompletedEdit {
  /** The file; undefined for a command. */
  readonly path: string | undefined;
  readonly before: string;
  readonly after: string;
  /** `instead` if the agent was told no; `gone` if it could not be done. */
  readonly state: 'done' | 'instead' | 'gone';
  /** Why it could not be done. */
  readonly why?: string | undefined;
}

/** Options of `createHost` (in `host.ts`). */
export interface HostOptions extends Folders {
  readonly approval: ApprovalLevel;
  /** Returns the rules as they are now; called for every request. */
  readonly rules: () => readonly PermissionRule[];
  /** The agent's name as the user started it, and the name it reports itself. */
  readonly agent: {readonly label: string; readonly claimed: () => string | undefined};
  /** True if there is a user who can answer. Without one, asking means refusing. */
  readonly hasUser: boolean;
  /** acp-tui's own folders, absolute: protected paths. */
  readonly ownFolders?: readonly string[];
  /** The environment of commands. */
  readonly env: NodeJS.ProcessEnv;
  /** Opens the sandbox of the agent's commands; absent if they are not confined. The user's own never are. */
  readonly sandbox?: OpenSandbox | undefined;
  /** Returns what is known of a tool call; a permission request may contain only its id. */
  readonly toolCall: (call: CallOfSession) => KnownToolCall | undefined;
  /** Returns the folder of a subagent that works in another folder than its session; undefined for other sessions. */
  readonly folderOf: (sessionId: acp.SessionId) => string | undefined;
  /** True until a cancelled turn has ended; requests in the meantime are answered with `cancelled`. */
  readonly isCancelling: () => boolean;
  readonly permissions: PermissionListener;
  readonly elicitations: ElicitationListener;
  readonly terminals: TerminalListener;
  /** Called after a file was written or a command was started as the user has changed it, or neither could be done, before the agent gets its answer. */
  readonly onEdited?: ((edit: CompletedEdit) => Promise<void>) | undefined;
  /** A file was written in place instead of being replaced atomically; `reason` says why. */
  readonly onWrittenInPlace?: ((path: string, reason: string) => void) | undefined;
  /** Called for every decision, including those of the policy. */
  readonly onDecision: (decision: Omit<DecisionRecord, 'at'>) => void;
  /** Called when the user accepts a suggested rule. */
  readonly onRule: (rule: string) => void;
  /** Reports updates of tool calls that the host created, to ask about a write or a command. */
  readonly onUpdate: (sessionId: acp.SessionId, update: acp.SessionUpdate) => void;
  /** Returns what the user's hooks decide about an operation that needs permission; undefined if none does. */
  readonly decideByHook?: (
    operation: RequestedOperation,
    signal: AbortSignal,
  ) => Promise<RuleVerdict | undefined>;
}

/** An operation that needs permission. */
export interface RequestedOperation {
  readonly kind: acp.ToolKind;
  /** All that it is: a command is an execution, whatever kind it claims. */
  readonly kinds: readonly acp.ToolKind[];
  /** The tool's own name, if the agent tells it. */
  readonly tool: string | undefined;
  readonly title: string | undefined;
  /** Lines for a shell. */
  readonly command: string | undefined;
  /** A file that it is about, absolute, after symlinks. */
  readonly path: string | undefined;
  /** The folder of a command. */
  readonly cwd: string | undefined;
  readonly rawInput: unknown;
  /** True if the answer to the agent has no place for a reason. */
  readonly isRequest: boolean;
  /** True if it is about too many files to name each: hooks that run for it can only deny it, or else ask. */
  readonly isMany?: boolean;
}

/** The parts of a tool call that matter for permission. */
export interface KnownToolCall {
  /** The tool's own name. */
  readonly name?: string | null | undefined;
  readonly title?: string | null;
  readonly kind?: acp.ToolKind | null;
  readonly content?: readonly acp.ToolCallContent[] | null;
  readonly locations?: readonly acp.ToolCallLocation[] | null;
  readonly rawInput?: unknown;
  /** The decision, once there is one. */
  readonly permission?: PermissionDecision | undefined;
}

/** The JSON-RPC error codes for agents. Never -32000, which means that authentication is required. */
export const codes = {notFound: -32002, invalidParams: -32602, internal: -32603, cancelled: -32800} as const;

export function accept<T>(value: T): {readonly ok: true; readonly value: T} {
  return {ok: true, value};
}

export function refuse(code: keyof typeof codes, message: string, data?: unknown): Refusal {
  return {ok: false, code: codes[code], message, ...(data !== undefined && {data})};
}

/** Returns the refusal for a request that the user or the policy rejected. */
export function deny(message: string): Refusal {
  return refuse('internal', message, {reason: 'denied'});
}

/** Reports the agent's elicitations. */
export interface ElicitationListener {
  requested(id: string, asked: ElicitationQuestion): void;
  resolved(id: string, outcome: ElicitationOutcome, answers: readonly AnsweredQuestion[]): void;
  completed(id: string): void;
}

/**
 * The shell for the user's own commands. Each command has its own process and terminal, so several can run at once and each can
 * be stopped with everything it started. Folder, exported variables, functions and aliases persist between commands.
 */
export interface UserShell {
  /** Resolves when the command has started, or with the reason why it could not start. */
  run(command: string): Promise<HostResponse<void>>;
  /** Sends Ctrl+C. */
  interrupt(terminalId: string): void;
  readonly terminals: Pick<TerminalService, 'type' | 'kill' | 'awaitsInput'>;
  /** Stops every command with its process tree, and discards the shell state. */
  close(): Promise<void>;
  /** Stops every command synchronously, with SIGKILL, for exits that cannot wait. */
  killNow(): void;
}
