import type {ApprovalLevel} from '../session/actions.ts';
import type {Changes} from '../session/transcript/diffs.ts';
import type {SignInProgram} from '../session/lifecycle/authentication.ts';
import type {ContentItem} from '../session/content/content-items.ts';
import type {RewindPlan, RewindPoint} from '../session/rewind.ts';
import type {SessionState} from '../session/state.ts';
import type {History} from './editor/history.ts';
import type {Hex} from './themes/color.ts';
import type {AgentColors, Theme} from './themes/themes.ts';
import type {Keymap} from './keymap/keymap.ts';
import type {Draft} from './editor/draft.ts';
import type {ReplayView} from './pages/replay.ts';
import type {Scroll} from './pages/scroll.ts';
import type {ScreenMode, Viewer} from './pages/viewer-state.ts';
import type {CommandOutput, QueuedPrompt} from './queue/queued-prompt.ts';
import type {ReviewView} from './review/review-view.ts';
import type {ReadingLevel, RowRange, SeenRows} from './requests/seen-rows.ts';
import type {FormState} from './requests/form-state.ts';
import type {SettingRow, SettingsReturn} from './settings/setting-row.ts';
import type {FoundFiles} from './completion/menu-items.ts';

/** Names an open session in this window; not the protocol's session id, which comes later and may change. */
export type SessionKey = string;

/** Whose keys edit the draft. */
export const EDITING = ['readline', 'vim'] as const;
export type Editing = (typeof EDITING)[number];

/** What of the window follows the settings. */
export interface Preferences {
  readonly keymap: Keymap;
  /** What of the keys in the settings could not be as it was wished, in sentences. */
  readonly keyProblems: readonly string[];
  readonly editing: Editing;
  /** What must have been on the screen before it can be allowed. */
  readonly requireReading: ReadingLevel;
  /** The theme's name, see themes/themes.ts. */
  readonly theme: string;
  readonly ownThemes: readonly Theme[];
  /** The user's own colors of agents. */
  readonly agentColors: AgentColors | undefined;
  /** True for no animation. */
  readonly reducedMotion: boolean;
  readonly notifications: NotificationLevel;
}

/** How the user is told about what needs an answer while the focus is elsewhere. */
export const NOTIFICATION_LEVELS = ['all', 'bell', 'off'] as const;
export type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number];

/** State of the window. Sessions, drafts and queues are per session; the rest belongs to the window. */
export interface AppState extends Preferences {
  readonly sessions: Readonly<Record<SessionKey, OpenSession>>;
  readonly active: SessionKey;
  readonly overlay: Overlay;
  readonly screen: ScreenMode;
  /** The transcript on the full screen, or in the overlay. */
  readonly viewer: Viewer;
  readonly focus: Focus;
  /** The oldest waiting request of the active session, as it is on the screen; undefined when none waits. */
  readonly request: RequestView | undefined;
  /** The `/` or `@` menu over the prompt; `menu.ts` says whether it is open and what it lists. */
  readonly menu: {readonly selected: number; readonly dismissed: boolean};
  /** The files that the `@` menu lists; undefined before anything was looked for. */
  readonly files: FoundFiles | undefined;
  /** Earlier prompts of this project and of all others. */
  readonly history: History;
  /** The terminal's background color; undefined while unknown. */
  readonly background: Hex | undefined;
  /** One line of feedback near the prompt ("Press Ctrl+C again to leave"); `until` is a time on the window's clock, see events.ts. */
  readonly toast: {readonly text: string; readonly until: number} | undefined;
  /** Ctrl+C leaves when pressed again before this time; undefined when it does not. */
  readonly leaveArmedUntil: number | undefined;
  /** Until then, another Esc shows what the session can go back to. */
  readonly rewindArmedUntil: number | undefined;
  /** The terminal of the user's own command that was interrupted last. */
  readonly interrupted: string | undefined;
  /** When the user last pressed a key that changed the draft. */
  readonly lastTypedAt: number;
  /** The key pressed last, as `combinationOf` writes it: what it repeats while it is held down must not answer anything. */
  readonly lastKey: {readonly combination: string; readonly at: number} | undefined;
  /** No key counts before a `tick` after this time, see command-keyboard.ts; undefined when all do. */
  readonly ignoreKeysUntil: number | undefined;
  /** How wide the screen is, in columns: ↑ and ↓ move by the rows that are drawn. Undefined before the first drawing. */
  readonly screenColumns: number | undefined;
  /** The position of the replay; undefined in a chat window. */
  readonly replay: ReplayView | undefined;
  /** Numbers what needs an id of its own. */
  readonly serial: number;
}

export type AgentProgram = Pick<SignInProgram, 'command' | 'args'>;

export interface OpenSession {
  readonly key: SessionKey;
  /** The agent's name as the user gave it; shown until the agent reports its own. */
  readonly agentLabel: string;
  /** How the agent is started, for commands that the user can type; undefined in a replay. */
  readonly agentProgram: AgentProgram | undefined;
  /** The branch of the working folder; undefined if there is none. */
  readonly branch: string | undefined;
  readonly session: SessionState;
  /** When what may take long began, on the window's clock: the times in `session` are those of the day, which can be set. */
  readonly since: SessionTimes;
  readonly draft: Draft;
  /** The reason that is being typed for refusing a request; the draft waits meanwhile. */
  readonly note: {readonly requestId: string; readonly draft: Draft} | undefined;
  /** Pending forms as filled in so far, by request id. */
  readonly forms: Readonly<Record<string, FormState>>;
  readonly queue: readonly QueuedPrompt[];
  /** True after a cancel, an error or a crash, until Enter resumes the queue. Never true of an empty queue. */
  readonly queuePaused: boolean;
  /** What the user's own commands printed: it goes along with the next prompt. */
  readonly outputs: readonly CommandOutput[];
  /** Where the queued prompt stood that is being edited in the draft. */
  readonly editedPlace: number | undefined;
  /** True while a question about the folder's settings must be answered before anything is sent. */
  readonly waitsForTrust: boolean;
  /** Taken from the queue, and its turn has not begun yet. */
  readonly sending: boolean;
  /** The prompt that was taken from the queue last: what `/retry` sends again. */
  readonly lastPrompt: QueuedPrompt | undefined;
  /** The prompt whose turn the end of the agent or of acp-tui cut off: offered until it or another one is sent. */
  readonly cutOff: QueuedPrompt | undefined;
  readonly approval: ApprovalLevel;
  /** True if recovery options (restart, sign in) are to be shown as soon as the user stops typing. */
  readonly offerDue: boolean;
}

/** When something last happened in a session, in milliseconds on the window's clock. */
interface SessionTimes {
  /** The connection became what it is. */
  readonly connection: number;
  /** The turn began. */
  readonly turn: number;
  /** The tool that runs now began, or its request was answered. */
  readonly tool: number;
  /** The agent sent something in the turn. */
  readonly activity: number;
  /** The turn was cancelled. */
  readonly cancel: number;
}

/** Which keys go where. A request is named by its id in `session.pending`; `note` types the reason for refusing it; `queue` is a queued prompt. */
export type Focus =
  | {readonly kind: 'prompt'}
  | {readonly kind: 'request'; readonly id: string}
  | {readonly kind: 'note'; readonly id: string}
  | {readonly kind: 'queue'; readonly id: string}
  /** A running command; `id` is that of its terminal. */
  | {readonly kind: 'command'; readonly id: string};

/** A waiting request on the screen. */
export interface RequestView {
  readonly id: string;
  /** Counts what was asked: when that changes, what was on the screen before no longer counts. */
  readonly version: number;
  /** When this version was first on the screen. */
  readonly drawnAt: number | undefined;
  /** What of this version was on the screen. */
  readonly seen: SeenRows;
  /** What it is about was changed after it had been on the screen: by the agent, or only on the disk; undefined when it was not. */
  readonly changed: 'agent' | 'disk' | undefined;
  /** True once a key has unlocked the answers that allow, where hidden characters ask for that. */
  readonly unlocked: boolean;
  readonly scroll: Scroll;
  /** Index of the option that Enter takes. */
  readonly selected: number;
  /** True while the keys are explained. */
  readonly explained: boolean;
  /** True once the user gave the keyboard back: it is not taken again by itself. */
  readonly declined: boolean;
  /** True if it took the keyboard by itself. */
  readonly tookFocus: boolean;
  /** True if the user gave it the keyboard: then only what was pressed before it was drawn does not count. */
  readonly wasGiven: boolean;
  /** Only keys pressed after this time can answer; Infinity while none can. */
  readonly answerFrom: number;
  /** The same for keys that refuse: what the agent changes afterwards does not put that off. */
  readonly refuseFrom: number;
  /** The rows of the suggested rule; undefined if none is drawn. */
  readonly rule: RowRange | undefined;
  /** True from the answer until the request is resolved. */
  readonly answered: boolean;
}

/** Guards that keys have to wait for, by what they do. */
export type RequestGuard = 'answerFrom' | 'refuseFrom';

/** The overlay over the prompt; one at a time. */
export type Overlay =
  | {readonly kind: 'none'}
  | {readonly kind: 'help'; readonly scroll: Scroll}
  /** The keys that follow Ctrl+X. */
  | {readonly kind: 'more_keys'}
  /** The transcript on a screen of its own, with the keyboard; on the full screen, the keyboard only. */
  | {
      readonly kind: 'transcript';
      /** A stored session other than the one in the window. */
      readonly read?: SessionState;
      /** The subagent whose own transcript it is; without one it is that of the session. */
      readonly subagent?: string;
    }
  /** What changed in the folder, on a screen of its own. */
  | ({readonly kind: 'review'} & ReviewView)
  /** The draft is in the user's editor, which has the terminal. */
  | {readonly kind: 'editor'}
  | {readonly kind: 'changes'; readonly changes: Changes; readonly scroll: Scroll}
  /** A list to choose from: a mode, a model, a config option, a sign-in method. */
  | {readonly kind: 'picker'; readonly picker: Picker}
  /** Text to read: the agent's stderr, `/status`. The text of a plan follows the plan. */
  | {
      readonly kind: 'text';
      readonly title: string;
      readonly text: string;
      readonly follows?: 'plan';
      /** The list that it was opened from, and goes back to. */
      readonly over?: Picker;
      readonly scroll: Scroll;
    };

export type PickerPurpose =
  /** Each theme is drawn while it is selected; `before` is the one to go back to. */
  | {readonly kind: 'theme'; readonly before: string}
  /** Which of several running commands gets the keyboard, or is stopped. */
  | {readonly kind: 'command'; readonly action: 'give_keyboard' | 'stop_command'}
  | SessionChoice
  /** Commands and actions, see palette.ts. */
  | {readonly kind: 'palette'}
  /** Earlier prompts, see history-search.ts. */
  | {readonly kind: 'history'; readonly scope: HistoryScope}
  /** Sessions to resume, see session-picker.ts. */
  | {readonly kind: 'sessions'; readonly scope: SessionScope}
  /** All settings, and one of them to choose or to type, see settings-picker.ts. */
  | {readonly kind: 'settings'; readonly rows: readonly SettingRow[]}
  | {
      readonly kind: 'setting_value' | 'setting_text';
      readonly row: SettingRow;
      readonly back: SettingsReturn;
      /** The theme before one was previewed. */
      readonly before?: string;
    }
  /** Agents to talk to, see agent-picker.ts. */
  | {readonly kind: 'agents'}
  /** The progress of an installation. */
  | {readonly kind: 'installing'}
  /** Offers to resume an interrupted session; `row` is its internal id. */
  | {readonly kind: 'interrupted'; readonly row: string}
  /** The subagents of the session, see subagent-picker.ts. */
  | {readonly kind: 'subagents'}
  /** What was found in stored sessions, see passage-picker.ts. */
  | {readonly kind: 'passages'; readonly passages: readonly FoundPassage[]}
  | {readonly kind: 'passage'; readonly passage: FoundPassage}
  /** Whether to delete the session of that row for good. */
  /** `open` if it is open in this window. */
  | {readonly kind: 'delete_session'; readonly row: string; readonly open?: SessionKey | undefined};

/** Choices about a session; `choose` in choose.ts performs them. */
export type SessionChoice =
  | {readonly kind: 'mode'}
  | {readonly kind: 'model'}
  | {readonly kind: 'config'}
  | {readonly kind: 'config_value'; readonly configId: string}
  /** Whether to set what keeps the agent from asking, see unattended-picker.ts. */
  | {readonly kind: 'unattended'; readonly choice: UnattendedChoice}
  | {readonly kind: 'approval'}
  /** `byUser`: nothing is stuck, the user wants to sign in otherwise. */
  | {readonly kind: 'authenticate'; readonly byUser?: true}
  /** Rules and decisions, see permission-pickers.ts. */
  | {readonly kind: 'permissions'}
  | {readonly kind: 'rule'; readonly text: string}
  | {readonly kind: 'recovery'}
  /** LLM providers, see setting-pickers.ts. */
  | {readonly kind: 'providers'}
  /** MCP servers, see mcp-picker.ts. */
  | {readonly kind: 'mcp'}
  /** Messages on the wire, see wire-pages.ts. */
  | {readonly kind: 'wire'}
  /** `sure`: the files that nobody else changed, see restore-pickers.ts. */
  | {readonly kind: 'undo'; readonly turn: number; readonly sure: readonly string[]}
  | {readonly kind: 'rewind'; readonly points: readonly RewindPoint[]}
  | {readonly kind: 'rewind_to'; readonly plan: RewindPlan}
  /** Images, files and links of the session, then what to do with one; see content-picker.ts. */
  | {readonly kind: 'content'; readonly items: readonly ContentItem[]}
  | {readonly kind: 'content_item'; readonly item: ContentItem};

export type HistoryScope = 'project' | 'everywhere';
export type SessionScope = 'folder' | 'everywhere' | 'archived';

export interface Picker {
  readonly purpose: PickerPurpose;
  readonly title: string;
  /** An explanation, wrapped below the title. */
  readonly note?: string | undefined;
  readonly items: readonly PickerItem[];
  readonly filter: string;
  /** Index among the items that the filter leaves, see `visibleItems` in picker.ts. */
  readonly selected: number;
  /** Only keys pressed after this time choose: it may have opened by itself. */
  readonly answerFrom: number;
  /** Digits that marked an item of a list that opened by itself: they begin a prompt where text follows. */
  readonly digits?: string;
  /** The preview of an item, if it is loaded only when selected. */
  readonly preview?: {readonly id: string; readonly text: string};
}

export interface PickerItem {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly group?: string | undefined;
  /** Offsets in the label (UTF-16 units, ascending) of what was found before anything is typed. */
  readonly marks?: readonly number[];
  readonly current?: boolean;
  /** Why it cannot be chosen; shown with it. */
  readonly disabled?: string | undefined;
  /** Listed after the filtered items even if it does not match. */
  readonly isLastResort?: boolean;
  /** What is shown of it below the list while it is selected: text of any length. */
  readonly preview?: string | undefined;
}

/** A place in a stored session where something was found. */
export interface FoundPassage {
  /** Our id of the session. */
  readonly session: string;
  /** What the session is called. */
  readonly name: string;
  readonly cwd: string;
  /** When it was said, in milliseconds since the epoch. */
  readonly at: number;
  /** Index in the session's transcript; undefined when its title was found. */
  readonly entry: number | undefined;
  readonly snippet: readonly {readonly text: string; readonly found: boolean}[];
}

/** A mode, or a value of an option, that is to be set. */
export type UnattendedChoice =
  | {readonly kind: 'mode'; readonly id: string}
  | {readonly kind: 'config'; readonly configId: string; readonly value: string | boolean};
