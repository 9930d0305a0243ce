import type {ComparedAgent} from '../session/labels/compared-agent.ts';
import type {PictureWay} from '../text/pictures/cells.ts';
import type {Changes} from '../session/transcript/diffs.ts';
import type {SignInProgram} from '../shared/authentication.ts';
import type {SessionState} from '../session/state.ts';
import type {BoardView} from './board/board-view.ts';
import type {History} from './editor/history.ts';
import type {Hex} from '../text/color.ts';
import type {Draft} from './editor/draft.ts';
import type {KeyEvent} from './input/keys.ts';
import type {Preferences} from './preferences.ts';
import type {ReplayView} from './pages/replay.ts';
import type {Scroll} from './pages/scroll.ts';
import type {ScreenMode, Viewer} from './pages/viewer-state.ts';
import type {ReviewView} from './review/review-view.ts';
import type {SessionListing, SessionScope, TranscriptMatches} from './pickers/listings.ts';
import type {LastKey, RequestPhase} from './requests/request-phase.ts';
import type {SeenRows, ShownRule} from './requests/seen-rows.ts';
import type {FormState} from './requests/form-state.ts';
import type {SettingsReturn} from './settings/setting-row.ts';
import type {Findable} from './completion/fuzzy-find.ts';
import type {FileMatches} from './completion/menu-items.ts';

/** Names an open session in this window; not the protocol's session id, which comes later and may change. */
export type SessionKey = string;

/** An earlier session, as the start card lists it. */
export interface RecentSession {
  readonly name: string;
  /** Milliseconds since it was last used. */
  readonly age: number;
  readonly agent: string;
}

/** A session that waits for the user, by acp-tui's id. */
export interface WaitingElsewhere {
  readonly id: string;
  readonly title: string;
}

/** A protocol for pictures that a terminal can report. */
export type Graphics = Exclude<PictureWay, 'blocks'>;

/** State of the window. Sessions and drafts are per session; the rest belongs to the window. */
export interface AppState extends Preferences {
  readonly sessions: Readonly<Record<SessionKey, Tab>>;
  readonly active: SessionKey;
  /** Below the overlay, in place of the active session's prompt and requests; undefined while it is closed. */
  readonly board?: BoardView | undefined;
  readonly overlay: Overlay;
  /** What asked for it, if that takes a while, see `EffectContext`; undefined if a key opened it. */
  readonly overlayAsked?: number | undefined;
  readonly screen: ScreenMode;
  /** The transcript on the full screen, or in the overlay. */
  readonly viewer: Viewer;
  readonly focus: Focus;
  /** The view of the active session's oldest pending request; undefined if there is none. */
  readonly request?: RequestView | undefined;
  /** The `/` or `@` menu over the prompt; `menu.ts` decides whether it is open and what it lists. */
  readonly menu: {readonly selected: number; readonly dismissed: boolean};
  /** The files in the `@` menu; undefined before the first search. */
  readonly files?: FileMatches | undefined;
  /** Earlier prompts of this project and of all others. */
  readonly history: History;
  /** Earlier sessions of the folder, the newest first. */
  readonly recentSessions: readonly RecentSession[];
  /** Of the agents that are configured or installed. */
  readonly agentNames: readonly string[];
  /** Sessions of the background service that wait for the user, and that no window shows. */
  readonly waitingElsewhere: readonly WaitingElsewhere[];
  /** What the agents did that were compared last. */
  readonly comparison?: readonly ComparedSession[];
  /** The terminal's background color; undefined while unknown. */
  readonly background?: Hex | undefined;
  /** The graphics protocol that the terminal has reported. */
  readonly graphics?: Graphics | undefined;
  /** One line of feedback near the prompt ("Press Ctrl+C again to quit"); `until` is a time on the window's clock, see events.ts. */
  readonly toast?: {readonly text: string; readonly until: number} | undefined;
  /** Until this time another Ctrl+C quits; undefined if it does not. */
  readonly leaveArmedUntil?: number | undefined;
  /** Until this time another Esc shows the points to rewind to. */
  readonly rewindArmedUntil?: number | undefined;
  /** The terminal of the user's command that was interrupted last. */
  readonly interrupted?: string | undefined;
  /** The part of the key hints that is shown, if not all of them fit. */
  readonly hints: number;
  /** When the user last pressed a key that changed the draft. */
  readonly lastTypedAt: number;
  /** Its repeats while it is held down must not answer anything. */
  readonly lastKey?: LastKey | undefined;
  /** Keys that wait for the end of an action, see review-keys.ts. */
  readonly heldKeys: readonly KeyEvent[];
  /** Keys are ignored until a `tick` after this time, see shell-commands.ts; undefined if they count. */
  readonly ignoreKeysUntil?: number | undefined;
  /** The width of the screen in columns: ↑ and ↓ move by drawn rows. Undefined before the first drawing. */
  readonly screenColumns?: number | undefined;
  /** The position of the replay; undefined in a chat window. */
  readonly replay?: ReplayView | undefined;
  /** What the user's status command printed last. */
  readonly statusText?: string | undefined;
  /** Counter for unique ids. */
  readonly serial: number;
}

export type AgentProgram = Pick<SignInProgram, 'command' | 'args'>;

export interface Tab {
  readonly key: SessionKey;
  /** The name by which the user started the agent; shown until the agent reports its own. */
  readonly agentLabel: string;
  /** How the agent is started, for commands that the user can type; undefined in a replay. */
  readonly agentProgram: AgentProgram | undefined;
  /** The branch of the working folder; undefined if there is none. */
  readonly branch?: string | undefined;
  readonly session: SessionState;
  /** What was on the screen when another session or the board was shown; undefined while this one is. */
  readonly left?: {readonly entries: number; readonly viewer: Viewer} | undefined;
  /** Start times of activities that may take long, on the window's clock: the times in `session` are those of the system clock, which can be set. */
  readonly since: SessionTimes;
  readonly draft: Draft;
  /** True if a session is to be opened as soon as the agent runs without one. */
  readonly wantsSession?: boolean;
  /** True for a session of the background service, which goes on without this window. */
  readonly isAttached: boolean;
  /** True for a session of the background service that only the board shows, until it is opened. */
  readonly isPeeked?: boolean;
  /** A draft that was put aside, until a prompt is sent or it is asked for. */
  readonly stash?: Draft | undefined;
  /** The draft with the prompt that was gone back to: a repeat of the key that chose it does not send it. */
  readonly rewoundDraft?: Draft;
  /** The reason for rejecting a request, while it is typed; the draft is kept meanwhile. */
  readonly note?: {readonly requestId: string; readonly draft: Draft} | undefined;
  /** Input of pending forms, by request id. */
  readonly forms: Readonly<Record<string, FormState>>;
  /** Queue position of the prompt being edited in the draft. */
  readonly editedPlace?: number | undefined;
  /** True if recovery options (restart, sign in) should be shown as soon as the user stops typing. */
  readonly offerDue: boolean;
}

/** Times of events in a session, in milliseconds on the window's clock. */
export interface SessionTimes {
  /** When the session began, in whichever window. */
  readonly session: number;
  /** When the connection changed. */
  readonly connection: number;
  /** When the turn started. */
  readonly turn: number;
  /** When the running tool started, or its request was answered. */
  readonly tool: number;
  /** When the agent last sent something in the turn. */
  readonly activity: number;
  /** When the turn was cancelled. */
  readonly cancel: number;
}

/** What keys apply to. A request is identified by its id in `session.pending`; `note` is the reason for rejecting it; `queue` is a queued prompt. */
export type Focus =
  | {readonly kind: 'prompt'}
  | {readonly kind: 'request'; readonly id: string}
  | {readonly kind: 'note'; readonly id: string}
  | {readonly kind: 'queue'; readonly id: string}
  /** A running command; `id` is its terminal's. */
  | {readonly kind: 'command'; readonly id: string};

/** The view of a pending request. */
export interface RequestView {
  readonly id: string;
  /** Counts changes of the request: after a change, nothing of it has been seen. */
  readonly version: number;
  readonly phase: RequestPhase;
  /** The rows of this version that were visible. */
  readonly seen: SeenRows;
  /** What changed it after it was drawn: the agent, or files on disk; undefined if nothing did. */
  readonly changed?: 'agent' | 'disk' | undefined;
  readonly scroll: Scroll;
  /** Index of the answer that Enter selects. */
  readonly selected: number;
  /** True once the user moved the focus away: it does not take it again by itself. */
  readonly declined: boolean;
  /** Undefined if no rule is drawn. */
  readonly rule?: ShownRule | undefined;
}

/** The overlay over the prompt; one at a time. */
export type Overlay =
  | {readonly kind: 'none'}
  /** The keys that everybody needs; the prompt stays usable. */
  | {readonly kind: 'first_keys'}
  /** The keys after the leader key. */
  | {readonly kind: 'more_keys'}
  /** The focused transcript, on a separate screen if the screen mode is inline. */
  | {
      readonly kind: 'transcript';
      /** A stored session to read, other than the one in the window. */
      readonly read?: SessionState;
      /** The subagent whose transcript is shown; undefined for the session's. */
      readonly subagent?: string;
    }
  /** The changes in the folder, on a separate screen. */
  | ({readonly kind: 'review'} & ReviewView)
  /** The external editor has the terminal. */
  | {readonly kind: 'editor'}
  | {readonly kind: 'changes'; readonly changes: Changes; readonly scroll: Scroll}
  /** A list to select from: a mode, a model, a config option, a sign-in method. */
  | {readonly kind: 'picker'; readonly picker: Picker}
  /** A text page: the agent's stderr, `/status`. The page of a plan is updated with the plan. */
  | {
      readonly kind: 'text';
      readonly title: string;
      readonly text: string;
      readonly follows?: 'plan';
      /** The list that it was opened from, and returns to. */
      readonly over?: Picker;
      readonly scroll: Scroll;
    };

/** What a list is for, as far as it is told apart. `list` and `question` are any others: a question has no filter. */
export type PickerPurpose =
  | {readonly kind: 'list' | 'question'}
  /** Items are in chronological order, or a tree. */
  | {readonly kind: 'ordered_list'}
  /** Commands and actions, see palette.ts. */
  | {readonly kind: 'palette'}
  /** Updated with the session's settings, see setting-pickers.ts. */
  | {readonly kind: 'mode' | 'model' | 'config'}
  | {readonly kind: 'config_value'; readonly configId: string}
  /** Earlier prompts, see history-search.ts. */
  | {readonly kind: 'history'; readonly scope: HistoryScope}
  /** Sessions to resume, or to fork, see session-picker.ts. */
  | ({readonly kind: 'sessions'; readonly scope: SessionScope} & SessionListing)
  /** What can be done with one of them, see session-actions.ts; `over`: the list, which it returns to. */
  | {readonly kind: 'session_actions'; readonly over: Picker}
  /** A field for its title. */
  | {readonly kind: 'session_title'; readonly over: Picker}
  /** All settings, then one of them to select or type a value for, see settings-picker.ts. */
  | {readonly kind: 'settings'}
  | {
      readonly kind: 'setting_value' | 'setting_text';
      readonly back: SettingsReturn;
      /** The theme to return to: the selected one is previewed. */
      readonly before?: string;
    }
  /** Agents to start, and the progress of an installation, see agent-picker.ts. */
  | {
      readonly kind: 'agents';
      readonly isFirst: boolean;
      /** The session whose conversation the selected one continues. */
      readonly handsOver?: SessionKey;
    }
  | {readonly kind: 'installing'}
  /** `byUser`: the user opened it; no sign-in is required. */
  | {readonly kind: 'authenticate'; readonly byUser?: true}
  | {readonly kind: 'recovery'}
  /** MCP servers, see mcp-picker.ts. */
  | {readonly kind: 'mcp'}
  /** What runs, see task-picker.ts. */
  | {readonly kind: 'tasks'}
  /** Protocol messages, see wire-pages.ts. */
  | {readonly kind: 'wire'};

export type HistoryScope = 'project' | 'everywhere';

export interface Picker {
  readonly purpose: PickerPurpose;
  readonly title: string;
  /** What the line below the prompt says while the list is closed, if not the title. */
  readonly hint?: string;
  /** An explanation, wrapped below the title. */
  readonly note?: string | undefined;
  /** What Esc does, if that is more than closing the list. */
  readonly closing?: string;
  readonly items: readonly PickerItem[];
  readonly filter: string;
  /** Index among the filtered items, see `visibleItems` in picker.ts. */
  readonly selected: number;
  /** Only keys pressed after this time select: the list may have opened by itself. */
  readonly answerFrom: number;
  /** When a list that opened by itself was first on the screen. */
  readonly seenAt?: number;
  /** True once keys select in a list that opened by itself, which its hint says: from a `tick` a moment after it was seen. */
  readonly takesKeys?: boolean;
  /** Digits that highlighted an item of a list that opened by itself: if text follows, they start a prompt. */
  readonly digits?: string;
  /** The preview of an item, if it is loaded only when selected. */
  readonly preview?: {readonly id: string; readonly text: string};
  /** What is found besides the items that the filter matches, once it is there. */
  readonly said?: TranscriptMatches;
}

/** An item as it is drawn; picker.ts has what selecting it does. */
export interface PickerItem extends Findable {
  /** True for a path: cut in the middle, so that what is said about it stays in the row. */
  readonly isPath?: boolean;
  /** Facts drawn in columns, in place of the description; what matters most comes first. */
  readonly columns?: readonly string[];
  /** True if its facts are drawn as brightly as its name. */
  readonly isBright?: boolean;
  /** Offsets of search matches in the label (UTF-16 units, ascending), shown before anything is typed. */
  readonly marks?: readonly number[];
  readonly current?: boolean;
  /** Why it cannot be selected; shown with it. */
  readonly disabled?: string | undefined;
  /** Listed after the filtered items even if it does not match. */
  readonly isLastResort?: boolean;
  /** Text of any length, shown below the list while the item is selected. */
  readonly preview?: string | undefined;
  /** True if selecting it leaves the list open. */
  readonly keepsOpen?: boolean;
}

/** A mode or option value to be set. */
export type UnattendedChoice =
  | {readonly kind: 'mode'; readonly id: string}
  | {readonly kind: 'config'; readonly configId: string; readonly value: string | boolean};

/** An agent that was compared, and the session in which it worked. */
export interface ComparedSession extends ComparedAgent {
  readonly key: SessionKey;
}
