import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProcessExit} from '../shared/failure.ts';
import type {Entry, PermissionDecision, TurnOutcome} from './entries.ts';
import type {AnsweredQuestion, ElicitationQuestion, ElicitationOutcome} from './forms/form-request.ts';
import type {AuthMethod, AuthStatus} from './lifecycle/authentication.ts';
import type {ConnectionState, LegacyModels, OutdatedFile, TerminalState} from './state.ts';
import type {ScreenChange} from './terminals/terminal-screen.ts';

/** A `session/update` of a kind that neither the schema nor its drafts know; the normaliser wraps it so. */
export interface UnknownUpdate {
  readonly sessionUpdate: '_unknown';
  /** The kind as it came. */
  readonly kind: string;
  readonly json: string;
}

/** Every update that can reach the reducer. */
export type Update = acp.SessionUpdate | UnknownUpdate;
export type UpdateKind = Update['sessionUpdate'];
export type UpdateOf<Kind extends UpdateKind> = Extract<Update, {sessionUpdate: Kind}>;

/** The answer to `initialize`, with sign-in methods of all kinds. */
export type InitializeResponse = Omit<acp.InitializeResponse, 'authMethods'> & {
  readonly authMethods?: readonly AuthMethod[];
};

export type OpeningMethod = 'new' | 'load' | 'resume' | 'fork';

/** An opened session: the response to `session/new`, `session/load`, `session/resume` or `session/fork`. */
export interface OpenedSession {
  readonly sessionId: acp.SessionId;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** The names of the MCP servers that the agent was told of; earlier versions did not store them. */
  readonly mcpServers?: readonly string[];
  readonly modes?: acp.SessionModeState | null;
  readonly models?: LegacyModels | null;
  readonly configOptions?: readonly acp.SessionConfigOption[] | null;
  /** What the agent says of itself as a message when the session begins (pi: `_meta.piAcp.startupInfo`): no answer to a prompt. */
  readonly greeting?: string;
}

/** Everything that can happen to a session. `at` is milliseconds since the epoch: the reducer has no clock of its own. */
export type SessionEvent = {readonly at: number} & (
  | {readonly type: 'connection_changed'; readonly connection: ConnectionState}
  | {
      readonly type: 'agent_initialized';
      readonly response: InitializeResponse;
      readonly fallbackName: string;
    }
  /** The agent told how the user is signed in. */
  | {readonly type: 'auth_status_told'; readonly status: AuthStatus}
  | {
      readonly type: 'session_opened';
      readonly session: OpenedSession;
      readonly how: OpeningMethod;
    }
  /** `session/load` was sent: the updates that follow tell the conversation, until the session is opened or this is dropped. */
  | {readonly type: 'replay_started'}
  | {readonly type: 'replay_dropped'}
  /** The user gave the session a name; `agentKnows` where the agent took it. */
  | {readonly type: 'renamed'; readonly title: string; readonly agentKnows: boolean}
  /** A conversation that was exported elsewhere comes in whole. */
  | {
      readonly type: 'imported';
      readonly title: string;
      readonly entries: readonly Entry[];
      /** Left out where there are none. */
      readonly subagents?: readonly ImportedSubagent[];
      readonly terminals: readonly ImportedTerminal[];
    }
  /** The user added a folder to those of the session. */
  | {readonly type: 'folder_added'; readonly path: string}
  | {readonly type: 'session_update'; readonly update: Update}
  /** The same of the session of a subagent ("Subagents"). */
  | {readonly type: 'subagent_updated'; readonly sessionId: acp.SessionId; readonly update: Update}
  | {
      readonly type: 'prompt_started';
      readonly turn: number;
      readonly content: readonly acp.ContentBlock[];
      /** True for one that is in the transcript already: the agent wanted a sign-in before it took it. */
      readonly repeats?: boolean;
    }
  /** The agent took a prompt into the running turn. */
  | {readonly type: 'prompt_steered'; readonly content: readonly acp.ContentBlock[]}
  | {
      readonly type: 'prompt_ended';
      readonly turn: number;
      readonly outcome: TurnOutcome;
      readonly usage?: acp.Usage | null;
    }
  | {readonly type: 'cancel_requested'}
  | {
      readonly type: 'permission_requested';
      readonly id: string;
      readonly request: acp.RequestPermissionRequest;
      readonly raw?: string;
      /** Who asks, where it is not the agent. */
      readonly asker?: string;
      /** The rule that would allow the same from now on, where one can be offered. */
      readonly rule?: string;
      /** Files that hold something else than its diffs start from. */
      readonly outdated?: readonly OutdatedFile[];
    }
  /** The agent changed what it asks for, and this is the rule that can be offered now; none where it is left out. */
  | {readonly type: 'permission_rule_offered'; readonly id: string; readonly rule?: string}
  /** Files hold something else than the diffs of a request show, which stays. */
  | {readonly type: 'permission_outdated'; readonly id: string; readonly outdated: readonly OutdatedFile[]}
  | {
      readonly type: 'permission_resolved';
      readonly id: string;
      readonly toolCallId: acp.ToolCallId;
      readonly decision: PermissionDecision;
      /** The subagent whose call it is. */
      readonly subagent?: acp.SessionId;
    }
  | {readonly type: 'elicitation_requested'; readonly id: string; readonly asked: ElicitationQuestion}
  | {
      readonly type: 'elicitation_resolved';
      readonly id: string;
      readonly outcome: ElicitationOutcome;
      readonly answers: readonly AnsweredQuestion[];
    }
  /** A question of the agent that nobody was asked, and why. */
  | {readonly type: 'elicitation_refused'; readonly text: string}
  /** The agent told that what was to be done at an address is done; or the user does not wait for that any longer. */
  | {readonly type: 'elicitation_completed'; readonly id: string}
  | {
      readonly type: 'terminal_created';
      readonly terminalId: acp.TerminalId;
      readonly command: string;
      readonly cwd: string;
      /** True if it has a pseudo-terminal, and with that input. */
      readonly pty: boolean;
      /** Left out where an agent had it run. */
      readonly runBy?: 'user';
    }
  | {readonly type: 'terminal_output'; readonly terminalId: acp.TerminalId; readonly data: string}
  /**
   * What was printed has been interpreted, and the terminal's screen has changed. `isBehind` while output was taken in that is
   * not on it yet; where nothing is interpreted this event never comes.
   */
  | {
      readonly type: 'terminal_drawn';
      readonly terminalId: acp.TerminalId;
      readonly isBehind: boolean;
      readonly change?: ScreenChange;
    }
  /** The command seems to wait for somebody to type; it is taken for that until it prints again or ends. */
  | {readonly type: 'terminal_waits'; readonly terminalId: acp.TerminalId}
  | {readonly type: 'terminal_exited'; readonly terminalId: acp.TerminalId; readonly exit: ProcessExit}
  | {readonly type: 'terminal_released'; readonly terminalId: acp.TerminalId}
  /** Settings that we asked for: shown at once, taken back by sending the old value when the agent refuses. */
  | {readonly type: 'mode_set'; readonly modeId: acp.SessionModeId}
  | {readonly type: 'model_set'; readonly modelId: string}
  | {readonly type: 'config_options_set'; readonly configOptions: readonly acp.SessionConfigOption[]}
  | {readonly type: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string}
);

export type SessionEventType = SessionEvent['type'];
export type SessionEventOf<Type extends SessionEventType> = Extract<SessionEvent, {type: Type}>;

/** The session that a client opens once its agent is initialized. */
export type Opening =
  | {readonly kind: 'new'}
  /** Nothing before the user has chosen. */
  | {readonly kind: 'later'}
  /** The newest of the folder that the agent lists. */
  | {readonly kind: 'newest'; readonly fork?: boolean}
  /** A session of before; as a copy with `fork`, and without telling it again, where that can be done, when it `isHere`. */
  | {
      readonly kind: 'continue';
      readonly sessionId: acp.SessionId;
      readonly fork?: boolean;
      readonly isHere?: boolean;
    };

/** What an export keeps of a subagent. */
export interface ImportedSubagent {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly title?: string | undefined;
  readonly entries: readonly Entry[];
}

/** What an export keeps of a terminal. */
export type ImportedTerminal = Pick<TerminalState, 'id' | 'runBy' | 'output' | 'truncated'> &
  Partial<Pick<TerminalState, 'command' | 'cwd' | 'screen' | 'exit'>>;
