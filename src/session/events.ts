import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProcessExit} from '../shared/failure.ts';
import type {ApprovalLevel} from './settings/approval.ts';
import type {QueueChange, SendingChange} from './queue/queue-changes.ts';
import type {SandboxState} from './settings/sandbox.ts';
import type {CustomCommand} from './content/custom-command.ts';
import type {Entry, PermissionDecision, TurnOutcome} from './entries.ts';
import type {AnsweredQuestion, ElicitationQuestion, ElicitationOutcome} from './forms/form-request.ts';
import type {AuthMethod, AuthStatus} from '../shared/authentication.ts';
import type {LineCounts} from './line-counts.ts';
import type {Unreviewed} from './review.ts';
import type {
  BackgroundWork,
  ConnectionState,
  CursorAnchor,
  LegacyModels,
  OfferedAnswers,
  OutdatedFile,
  OwnServerState,
  TerminalState,
} from './state.ts';
import type {ScreenChange} from './terminals/terminal-screen.ts';

/** A `session/update` of a kind that neither the schema nor its drafts define; wrapped by the normalizer. */
export interface UnknownUpdate {
  readonly sessionUpdate: '_unknown';
  /** The kind, unchanged. */
  readonly kind: string;
  readonly json: string;
}

/** Whether the agent works, and on what it works in the background ("Prompt Lifecycle", version 2). */
export interface StateUpdate {
  readonly sessionUpdate: 'state_update';
  /** `running`, `idle`, `requires_action`, or a state of the agent's own. */
  readonly state: string;
  /** Absent if the agent does not report it. */
  readonly background?: readonly BackgroundWork[];
}

/** A position in the conversation that the agent can return to ("Session cursors"). */
export interface CursorUpdate {
  readonly sessionUpdate: 'cursor_update';
  readonly cursorId: string;
  /** Absent if it stays as it was. */
  readonly canFork?: boolean;
  /** The message that it is next to; absent if it stays as it was, or is no message. */
  readonly anchor?: CursorAnchor;
}

/** The end of a replay (version 2): nothing has to be done about it, since the response follows. */
interface ReplayComplete {
  readonly sessionUpdate: 'replay_complete';
}

/** Prompts that the agent expects next. */
export interface PromptSuggestions {
  readonly sessionUpdate: 'prompt_suggestions_update';
  /** Their texts. */
  readonly suggestions: readonly string[];
}

/** The kinds of updates that the SDK's version 1 does not know. */
export type NewerUpdate = StateUpdate | CursorUpdate | ReplayComplete | PromptSuggestions;

/** Every update that can reach the reducer. */
export type Update = acp.SessionUpdate | UnknownUpdate | NewerUpdate;
export type UpdateKind = Update['sessionUpdate'];
export type UpdateOf<Kind extends UpdateKind> = Extract<Update, {sessionUpdate: Kind}>;

/** The response to `initialize`, with sign-in methods of all kinds. */
export type InitializeResponse = Omit<acp.InitializeResponse, 'authMethods'> & {
  readonly authMethods?: readonly AuthMethod[];
};

export type OpeningMethod = 'new' | 'load' | 'resume' | 'fork';

/** An opened session: the response to `session/new`, `session/load`, `session/resume` or `session/fork`. */
export interface OpenedSession {
  readonly sessionId: acp.SessionId;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** The names of the MCP servers the session was opened with; earlier versions did not store them. */
  readonly mcpServers?: readonly string[];
  readonly modes?: acp.SessionModeState | null;
  readonly models?: LegacyModels | null;
  readonly configOptions?: readonly acp.SessionConfigOption[] | null;
  /** A greeting that the agent sends as a message when the session opens (pi: `_meta.piAcp.startupInfo`); not an answer to a prompt. */
  readonly greeting?: string;
}

/** All events of a session. `at` is milliseconds since the epoch: the reducer has no clock of its own. */
export type SessionEvent = {readonly at: number} & (
  | {readonly type: 'connection_changed'; readonly connection: ConnectionState}
  | {
      readonly type: 'agent_initialized';
      readonly response: InitializeResponse;
      readonly fallbackName: string;
    }
  /** The agent starts in a sandbox; undefined if it does not, although it did before. */
  | {readonly type: 'sandbox_changed'; readonly sandbox?: SandboxState | undefined}
  /** The agent reported the sign-in status. */
  | {readonly type: 'auth_status_reported'; readonly status: AuthStatus}
  | {
      readonly type: 'session_opened';
      readonly session: OpenedSession;
      readonly how: OpeningMethod;
      /** The turn before which a fork ends. */
      readonly rewoundTo?: number | undefined;
    }
  /** `session/load` was sent: the following updates are a replay, until the session is opened or the replay dropped. */
  | {readonly type: 'replay_started'}
  | {readonly type: 'replay_dropped'}
  /** The user renamed the session; `agentKnows` if the agent stored the title. */
  | {readonly type: 'renamed'; readonly title: string; readonly agentKnows: boolean}
  /** An exported session was imported. */
  | {
      readonly type: 'imported';
      readonly title: string;
      readonly entries: readonly Entry[];
      /** Absent if there are none. */
      readonly subagents?: readonly ImportedSubagent[];
      readonly terminals: readonly ImportedTerminal[];
    }
  /** The user added a folder to the workspace: its real path. */
  | {readonly type: 'folder_added'; readonly path: string}
  /** Where folders of the session really are: those that are links, too. */
  | {readonly type: 'folders_resolved'; readonly real: Readonly<Record<string, string>>}
  | {readonly type: 'session_update'; readonly update: Update}
  /** An update for a subagent's session ("Subagents"). */
  | {readonly type: 'subagent_updated'; readonly sessionId: acp.SessionId; readonly update: Update}
  | {
      readonly type: 'prompt_started';
      readonly turn: number;
      readonly content: readonly acp.ContentBlock[];
      /** True if it is already in the transcript, because the agent required a sign-in before accepting it. */
      readonly repeats?: boolean;
    }
  /** The agent accepted a prompt during the turn. */
  | {readonly type: 'prompt_steered'; readonly content: readonly acp.ContentBlock[]}
  | {
      readonly type: 'prompt_ended';
      readonly turn: number;
      readonly outcome: TurnOutcome;
      readonly usage?: acp.Usage | null;
      /** See `TurnSummary`. */
      readonly isUnsent?: true;
    }
  /** The prompt of the running turn waits for the snapshot before it, or no longer. */
  | {readonly type: 'snapshot_awaited'; readonly isAwaited: boolean}
  | {readonly type: 'cancel_requested'}
  | (OfferedAnswers & {
      readonly type: 'permission_requested';
      readonly id: string;
      readonly request: acp.RequestPermissionRequest;
      readonly raw?: string;
      /** Who asks, if it is not the agent. */
      readonly asker?: string;
      /** The custom command that runs it, as it is typed: `/tests`. */
      readonly calledBy?: string;
      /** True if acp-tui writes the file once it is allowed, so that the user can change the content. */
      readonly isDoneHere?: boolean;
      /** True if acp-tui asks, since the agent has not: what is shown is what it will do. */
      readonly isOfHost?: boolean;
      /** What asks the user, as a decision names it: `--approve none`. */
      readonly askedBy?: string;
      /** Files that do not match its diffs. */
      readonly outdated?: readonly OutdatedFile[];
    })
  /** The agent changed a request; this is what is offered now. */
  | (OfferedAnswers & {readonly type: 'permission_rule_offered'; readonly id: string})
  /** Files no longer match the diffs of a request, which stays pending. */
  | {readonly type: 'permission_outdated'; readonly id: string; readonly outdated: readonly OutdatedFile[]}
  | {
      readonly type: 'permission_resolved';
      readonly id: string;
      readonly toolCallId: acp.ToolCallId;
      readonly decision: PermissionDecision;
      /** The subagent that made the call, if any. */
      readonly subagent?: acp.SessionId;
    }
  | {readonly type: 'elicitation_requested'; readonly id: string; readonly asked: ElicitationQuestion}
  | {
      readonly type: 'elicitation_resolved';
      readonly id: string;
      readonly outcome: ElicitationOutcome;
      readonly answers: readonly AnsweredQuestion[];
    }
  /** An elicitation was refused without asking the user; `text` says why. */
  | {readonly type: 'elicitation_refused'; readonly text: string}
  /** What the user had to do in the browser is finished, or the user stopped waiting for it. */
  | {readonly type: 'elicitation_completed'; readonly id: string}
  | {
      readonly type: 'terminal_created';
      readonly terminalId: acp.TerminalId;
      readonly command: string;
      readonly cwd: string;
      /** True if it has a pseudo-terminal, and can be typed into. */
      readonly pty: boolean;
      /** Absent for an agent's command. */
      readonly runBy?: 'user';
    }
  | {readonly type: 'terminal_output'; readonly terminalId: acp.TerminalId; readonly data: string}
  /**
   * Output was interpreted and has changed the terminal's screen. `isBehind` while more output is still to be interpreted.
   * Never emitted if output is not interpreted.
   */
  | {
      readonly type: 'terminal_drawn';
      readonly terminalId: acp.TerminalId;
      readonly isBehind: boolean;
      readonly change?: ScreenChange;
    }
  /** The command seems to wait for input; assumed until it prints again or ends. */
  | {readonly type: 'terminal_waits'; readonly terminalId: acp.TerminalId}
  | {readonly type: 'terminal_exited'; readonly terminalId: acp.TerminalId; readonly exit: ProcessExit}
  | {readonly type: 'terminal_released'; readonly terminalId: acp.TerminalId}
  /** A setting was requested: shown immediately, and reverted if the agent rejects it. */
  | {readonly type: 'mode_set'; readonly modeId: acp.SessionModeId}
  | {readonly type: 'model_set'; readonly modelId: string}
  | {readonly type: 'config_options_set'; readonly configOptions: readonly acp.SessionConfigOption[]}
  /** What became of an MCP server that acp-tui runs for the agent. */
  | {readonly type: 'mcp_server_state'; readonly name: string; readonly state: OwnServerState}
  /** All changes in the folder during a turn; after its end. */
  | ({
      readonly type: 'turn_changes';
      readonly turn: number;
      /** The ids of comments on lines that have changed. */
      readonly changedComments?: readonly string[];
    } & LineCounts)
  /** The changes in the folder that are not reviewed, as far as snapshots cover them. */
  | ({readonly type: 'unreviewed_changes'} & Unreviewed)
  /** The queue changed, by the user or since its prompts are sent. */
  | {readonly type: 'queue_changed'; readonly change: QueueChange | SendingChange}
  | {readonly type: 'approval_changed'; readonly approval: ApprovalLevel}
  | {readonly type: 'custom_commands_changed'; readonly commands: readonly CustomCommand[]}
  | {
      readonly type: 'notice';
      readonly level: 'info' | 'warning' | 'error';
      readonly text: string;
      /** True if it names the limit that ends the turn. */
      readonly isLimit?: true;
      /** The name of the mode or option in which the agent starts, and asks less: editors are told, too. */
      readonly setting?: string;
      /** The ids of all providers that are as the user has set them with `/providers`, which is not stored. */
      readonly providers?: readonly string[];
      /** Files that the user restored: reported to the agent with the next prompt. */
      readonly restored?: RestoreReport;
    }
);

/** What the user restored, in a sentence. */
export interface RestoreReport {
  readonly sentence: string;
  /** The sentence about the restore that this one undoes. */
  readonly undoes?: string | undefined;
}

export type SessionEventType = SessionEvent['type'];
export type SessionEventOf<Type extends SessionEventType> = Extract<SessionEvent, {type: Type}>;

/** A place in a conversation, before a prompt, that the agent can copy the session up to. */
export interface ForkPoint {
  readonly sessionId: acp.SessionId;
  /** The turn of the prompt. */
  readonly turn: number;
  /** How the agent knows the place: as one of its cursors, or as the last message before it. */
  readonly at: {readonly cursorId: string} | {readonly messageId: string};
}

/** Which session to open once the agent is initialized. */
export type Opening =
  | {readonly kind: 'new'}
  /** None until the user selects one. */
  | {readonly kind: 'later'}
  /** The newest one the agent lists for the folder. */
  | {readonly kind: 'newest'; readonly fork?: boolean}
  /** An earlier session; with `fork` as a copy. If it `isHere`, its transcript is already known and need not be replayed. */
  | {
      readonly kind: 'continue';
      readonly sessionId: acp.SessionId;
      readonly fork?: boolean;
      /** How far the copy goes; undefined if to the end. */
      readonly forkAt?: ForkPoint;
      readonly isHere?: boolean;
    };

/** Which session to open in place of the open one. */
export type NextOpening = Exclude<Opening, {kind: 'later'}>;

/** A subagent in an exported session. */
export interface ImportedSubagent {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly title?: string | undefined;
  readonly entries: readonly Entry[];
}

/** A terminal in an exported session. */
export type ImportedTerminal = Pick<TerminalState, 'id' | 'runBy' | 'output' | 'truncated'> &
  Partial<Pick<TerminalState, 'command' | 'cwd' | 'screen' | 'exit'>>;
