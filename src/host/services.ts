import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ApprovalLevel, RequestAnswer} from '../session/actions.ts';
import type {
  ElicitationQuestion,
  ElicitationOutcome,
  AnsweredQuestion,
} from '../session/forms/form-request.ts';
import type {FormContent} from '../session/forms/form-schema.ts';
import type {DecisionRecord, PermissionRule} from '../session/requests/permission-rules.ts';
import type {OutdatedFile} from '../session/state.ts';
import type {UndoneFile, UndoPlan} from '../session/transcript/diffs.ts';
import type {ProcessExit} from '../shared/failure.ts';
import type {PermissionDecision} from '../session/entries.ts';

/**
 * An answer to the agent, or the JSON-RPC error that it gets (codes: docs/permissions.md, "Errors that the agent gets").
 * The host does not know the SDK's classes; `client/` turns a refusal into a `RequestError`.
 */
export type Answer<T> = {readonly ok: true; readonly value: T} | Refusal;

export interface Refusal {
  readonly ok: false;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * The client's side of the work, with permission: what an agent asks of us goes through here. Everything that is asked,
 * decided, run or written is told to the listeners given to `createHost`.
 */
export interface Host {
  /** "Requesting Permission": answered by the policy, or by whoever answers `answer`; `signal` withdraws it. */
  requestPermission(asked: PermissionPrompt, signal: AbortSignal): Promise<acp.RequestPermissionResponse>;
  /** What the agent tells of a tool call of a session, which may be one that it waits for permission for. */
  toolCallUpdated(sessionId: acp.SessionId, update: acp.ToolCallUpdate): void;
  /** `fs/read_text_file`. */
  read(request: acp.ReadTextFileRequest, signal: AbortSignal): Promise<Answer<acp.ReadTextFileResponse>>;
  /** `fs/write_text_file`; asks where neither the policy nor a granted permission covers it. */
  write(request: acp.WriteTextFileRequest, signal: AbortSignal): Promise<Answer<acp.WriteTextFileResponse>>;
  /** `terminal/create`; asks where neither the policy nor a granted permission covers it. */
  createTerminal(
    request: acp.CreateTerminalRequest,
    signal: AbortSignal,
  ): Promise<Answer<acp.CreateTerminalResponse>>;
  /** The plan that an agent keeps in a file, read at once; undefined where it is not to be read. */
  readPlan(uri: string): PlanFile | undefined;
  /** The user's own commands. */
  readonly shell: UserShell;
  /** The other `terminal/*` requests, and the end of everything that runs. */
  readonly terminals: Omit<TerminalService, 'create'>;
  /** The user's answer to a request by our id; nothing when it no longer waits. */
  answer(id: string, answer: RequestAnswer): void;
  /** `elicitation/create`: asks the user where there is one; `signal` withdraws it. */
  elicit(
    request: acp.CreateElicitationRequest,
    signal: AbortSignal,
  ): Promise<Answer<acp.CreateElicitationResponse>>;
  /** `elicitation/complete`. */
  completeElicitation(elicitationId: acp.ElicitationId): void;
  /** Asks the user with a form of our own, which may ask for secrets; undefined when it was not answered, or nobody is there. */
  askForm(form: HostForm): Promise<FormContent | undefined>;
  /** Answers everything that waits with `cancelled`: a cancelled turn, a lost agent, a closed session. */
  cancelPending(): void;
  /** A turn begins (they count from 1): what was granted for the last one is over. */
  turnStarted(turn: number): void;
  /** A turn is about to end: what was done unasked and no call has shown gets an entry of its own. */
  turnEnded(): void;
  /** Undefined where nothing is kept. */
  readonly changes: ChangesService | undefined;
  /** Lets a further folder be used, absolute; what waits goes on waiting. */
  addRoot(folder: string): void;
  setApproval(level: ApprovalLevel): void;
  /** All rules that hold from now on; what already waits goes on waiting. */
  setRules(rules: readonly PermissionRule[]): void;
  /**
   * Asks the user something of our own, on the prompt of permission requests. Undefined when it was cancelled, or nobody is
   * there.
   */
  askUser(question: UserQuestion, sessionId: acp.SessionId): Promise<boolean | undefined>;
  /** What was refused because nobody could be asked, oldest first. */
  denied(): readonly DeniedRequest[];
}

/** A plan in a file; `name` is its path from the session's folder. */
export interface PlanFile {
  readonly name: string;
  readonly text: string;
}

/** `raw` is the request as JSON text when it had to be mended. */
export interface PermissionPrompt {
  readonly request: acp.RequestPermissionRequest;
  readonly raw?: string;
  /** Who asks, where it is not the agent. */
  readonly asker?: string;
  /** The rule that would allow the same from now on, where one can be offered. */
  readonly rule?: string;
  /** Files that hold something else than its diffs start from. */
  readonly outdated?: readonly OutdatedFile[];
}

export type HostForm = Omit<Extract<ElicitationQuestion, {mode: 'form'}>, 'mode' | 'asker'>;

/** A question of our own with two answers, and the text that has to be read before the first can be given. */
export interface UserQuestion {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
}

/** A request of the agent that was refused because nobody could be asked. Its texts are the agent's own. */
export interface DeniedRequest {
  /** `session/request_permission`, `fs/write_text_file` or `terminal/create`. */
  readonly method: string;
  /** What it wanted, in one line: a tool call's title, a path, a command line. */
  readonly title: string;
  readonly kind?: acp.ToolKind;
  readonly toolCallId?: acp.ToolCallId;
  /** The session that wanted it: that of a subagent, too. */
  readonly sessionId?: acp.SessionId;
  /** The lowest `--approve` level that would have allowed it; undefined when none would, or a rule decided. */
  readonly allowedBy: ApprovalLevel | undefined;
  /** The rule that stood against it: `rule: any .env* (user)`. */
  readonly rule?: string | undefined;
}

/** Permission requests as they come and go. One that is decided at once is requested and resolved in the same breath. */
export interface PermissionListener {
  requested(id: string, asked: PermissionPrompt): void;
  /** A request that the agent changed offers this rule now. */
  ruleOffered(id: string, rule: string): void;
  /** The files of these diffs hold something else than the request shows. */
  outdated(id: string, outdated: readonly OutdatedFile[]): void;
  resolved(id: string, call: CallOfSession, decision: PermissionDecision): void;
}

/** A tool call by the session that it is of: ids of calls are unique within one, and subagents have sessions of their own. */
export interface CallOfSession {
  readonly sessionId: acp.SessionId;
  readonly toolCallId: acp.ToolCallId;
}

/** A file that was written through us. */
export interface WrittenFile {
  /** Absolute, after symlinks. */
  readonly path: string;
  /** What it held; null when it did not exist, undefined when it could not be read, or is too large to be kept. */
  readonly before: Buffer | null | undefined;
  readonly after: Buffer;
  /** Why it was written in place and not replaced in one step; undefined when it was replaced. */
  readonly inPlace?: string;
}

/** Lists writes through the host by turn, and undoes them. */
export interface ChangesService {
  /** What one turn made of each file, or all turns together. */
  list(turn?: number): readonly ChangedFile[];
  /** What taking back the newest turn would do; undefined when there is nothing to take back. */
  plan(): Promise<UndoPlan | undefined>;
  /** Takes the writes of a turn back; tells what became of each file. */
  undo(turn: number): Promise<readonly UndoneFile[]>;
  hasOtherTurns(turn: number): boolean;
  /** Whether a path was written through us in a turn (undefined: in any), be it taken back since. Links are followed. */
  wrote(path: string, turn: number | undefined): Promise<boolean>;
  /** Forgets everything. */
  close(): Promise<void>;
}

export interface ChangedFile {
  /** Absolute, after symlinks. */
  readonly path: string;
  /** Of what `read` reads, in bytes. */
  readonly size: number;
  /** What it held before and after, undefined where that was not kept; `before` is null where there was no file. */
  read(): Promise<{readonly before: Buffer | null | undefined; readonly after: Buffer | undefined}>;
}

/** "File System": confined to the roots after resolving symlinks. Asks nobody. */
export interface FileSystemService {
  read(request: acp.ReadTextFileRequest, signal?: AbortSignal): Promise<Answer<acp.ReadTextFileResponse>>;
  write(request: acp.WriteTextFileRequest): Promise<Answer<acp.WriteTextFileResponse>>;
}

/** "Terminals": commands that the agent runs through us. Asks nobody. */
export interface TerminalService {
  create(request: acp.CreateTerminalRequest): Promise<Answer<acp.CreateTerminalResponse>>;
  output(terminalId: acp.TerminalId): Answer<acp.TerminalOutputResponse>;
  /** `signal` aborts the wait, not the command. */
  waitForExit(
    terminalId: acp.TerminalId,
    signal: AbortSignal,
  ): Promise<Answer<acp.WaitForTerminalExitResponse>>;
  kill(terminalId: acp.TerminalId): Promise<Answer<acp.KillTerminalResponse>>;
  release(terminalId: acp.TerminalId): Promise<Answer<acp.ReleaseTerminalResponse>>;
  /** Types into a command that has a pseudo-terminal; nothing happens to any other. */
  type(terminalId: acp.TerminalId, text: string): void;
  /** True if a command surely waits for somebody to type. */
  awaitsInput(terminalId: acp.TerminalId): boolean;
  /** Begins anew: what it returns ends every command that was asked for before, and none later. */
  beginAnew(): () => Promise<void>;
  /** Ends every command with its whole tree; resolves when none is left. */
  closeAll(): Promise<void>;
  /** The same for exits that cannot wait: synchronous, SIGKILL. */
  killAllNow(): void;
}

/** A command that was started. */
export interface StartedCommand {
  /** As it would be typed. */
  readonly command: string;
  readonly cwd: string;
  /** True if it has a pseudo-terminal, and with that input. */
  readonly pty: boolean;
  /** Left out where an agent had it run. */
  readonly runBy?: 'user';
}

/** Events of a terminal for the session. */
export interface TerminalListener {
  created(terminalId: acp.TerminalId, started: StartedCommand): void;
  /** Told once: there are no pseudo-terminals, and why. */
  withoutPty(reason: string): void;
  /** The agent wanted more terminals at once than it may have. */
  limited(): void;
  output(terminalId: acp.TerminalId, data: string): void;
  exited(terminalId: acp.TerminalId, exit: ProcessExit): void;
  released(terminalId: acp.TerminalId): void;
}

/** Options of `createHost` (in `host.ts`). */
export interface HostOptions {
  /** Absolute; has to exist. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly approval: ApprovalLevel;
  readonly rules: readonly PermissionRule[];
  /** The agent by the name that the user gave it, and by what it calls itself. */
  readonly agent: {readonly label: string; readonly claimed: () => string | undefined};
  /** True if somebody is there to be asked. Without one, asking means refusing. */
  readonly person: boolean;
  /** acp-tui's own folders, absolute: nothing in them is written or named by a command unasked. */
  readonly ownFolders?: readonly string[];
  /** The environment of commands. */
  readonly env: NodeJS.ProcessEnv;
  /** What the session knows of a tool call: a permission request may carry nothing but its id. */
  readonly toolCall: (call: CallOfSession) => KnownToolCall | undefined;
  /** The folder of a subagent that works in another one than its session; undefined for any other session. */
  readonly folderOf: (sessionId: acp.SessionId) => string | undefined;
  /** True while a cancelled turn has not ended: what is asked then is answered with `cancelled`. */
  readonly isCancelling: () => boolean;
  readonly permissions: PermissionListener;
  readonly elicitations: ElicitationListener;
  readonly terminals: TerminalListener;
  readonly onWritten?: (written: Pick<WrittenFile, 'path' | 'inPlace'>) => void;
  /** Where to keep what undoing takes; without it nothing is kept. */
  readonly changesFolder?: string | undefined;
  /** Told of every decision, also of those that nobody was asked about. */
  readonly onDecision: (decision: Omit<DecisionRecord, 'at'>) => void;
  /** Told when the user allows something for good, by a rule. */
  readonly onRule: (rule: string) => void;
  /** Tells how a tool call that the host made itself (to ask for a write or a command) went on. */
  readonly onUpdate: (sessionId: acp.SessionId, update: acp.SessionUpdate) => void;
}

/** The part of a tool call that permission rests on. */
export interface KnownToolCall {
  /** The tool's own name. */
  readonly name?: string | null | undefined;
  readonly title?: string | null;
  readonly kind?: acp.ToolKind | null;
  readonly content?: readonly acp.ToolCallContent[] | null;
  readonly locations?: readonly acp.ToolCallLocation[] | null;
  readonly rawInput?: unknown;
  /** How it was decided, once it was. */
  readonly permission?: PermissionDecision | undefined;
}

/** The JSON-RPC codes that the agent gets. Never -32000: that means authentication. */
export const codes = {notFound: -32002, invalidParams: -32602, internal: -32603, cancelled: -32800} as const;

export function accept<T>(value: T): {readonly ok: true; readonly value: T} {
  return {ok: true, value};
}

export function refuse(code: keyof typeof codes, message: string, data?: unknown): Refusal {
  return {ok: false, code: codes[code], message, ...(data !== undefined && {data})};
}

/** A person or the policy said no. */
export function denied(message: string): Refusal {
  return refuse('internal', message, {reason: 'denied'});
}

/** Questions of the agent as they come and go. */
export interface ElicitationListener {
  requested(id: string, asked: ElicitationQuestion): void;
  resolved(id: string, outcome: ElicitationOutcome, answers: readonly AnsweredQuestion[]): void;
  completed(id: string): void;
}

/**
 * The shell that the user's own commands run in. Each command has a process and a terminal of its own, so that several can run
 * side by side and each can be stopped with all that it started; folder, exported variables, functions and aliases go on from
 * one to the next.
 */
export interface UserShell {
  /** Resolves when the command has been started, or with why it could not be. */
  run(command: string): Promise<Answer<void>>;
  /** Ctrl+C. */
  interrupt(terminalId: string): void;
  readonly terminals: Pick<TerminalService, 'type' | 'kill' | 'awaitsInput'>;
  /** Ends every command with its whole tree, and forgets all. */
  close(): Promise<void>;
  /** The same for exits that cannot wait: synchronous, SIGKILL. */
  killNow(): void;
}
