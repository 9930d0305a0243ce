import type {SessionEvent} from '../session/events.ts';
import type {BoardView} from './board/board-view.ts';
import type {History} from './editor/history.ts';
import type {Attachment} from '../session/content/attachment.ts';
import type {Draft} from './editor/draft.ts';
import type {AppState, Focus, Tab, Overlay, Picker, RequestView, SessionKey} from './state.ts';
import type {Preferences} from './preferences.ts';
import type {Scroll} from './pages/scroll.ts';
import type {Review} from '../session/review.ts';
import type {ReviewView} from './review/review-view.ts';
import type {ScreenMode, Viewer, ViewerHit, ViewerPlace, ViewerPosition} from './pages/viewer-state.ts';
import type {QueuedPrompt} from '../session/queue/queued-prompt.ts';
import type {KeyPurpose} from './requests/request-phase.ts';
import type {ShownRule} from './requests/seen-rows.ts';
import type {FormState} from './requests/form-state.ts';
import type {AgentList, SessionList, TranscriptMatches} from './pickers/listings.ts';

/** What was drawn of a request or a page. */
type Drawn = Scroll;

/**
 * All events of the window. `at` is the time in milliseconds on a monotonic clock (`performance.now()`): the reducer has no clock of its own. Only what is
 * displayed or stored uses the time of day, as session events do.
 */
export type AppEvent = WindowEvent | SessionKeyEvent | RequestEvent;

export type AppEventType = AppEvent['type'];
export type AppEventOf<Type extends AppEventType> = Extract<AppEvent, {type: Type}>;

type WindowEvent =
  /** Time passes: toasts expire, and overlays that wait for a pause in typing may open. Emitted while `needsTicks` is true. */
  | {readonly type: 'tick'; readonly at: number}
  /** Fields are set that nothing else depends on. */
  | {readonly type: 'changed'; readonly change: Partial<Pick<AppState, PlainField>>}
  /** `of`: its session, which is named in the toast if another one is on the screen. */
  | {
      readonly type: 'toast_shown';
      readonly text: string;
      readonly until: number;
      readonly of?: SessionKey | undefined;
    }
  | {readonly type: 'focus_changed'; readonly focus: Focus; readonly at: number}
  | {readonly type: 'help_opened'}
  /** `viewer`: the scroll position of a transcript; `asked`: see `AppState.overlayAsked`. */
  | {
      readonly type: 'overlay_opened';
      readonly overlay: Overlay;
      readonly viewer?: Viewer;
      readonly asked?: number | undefined;
    }
  | {readonly type: 'overlay_closed'; readonly at: number}
  /** The view reports what a page shows, so that scrolling stops at the end. */
  | {readonly type: 'overlay_drawn'; readonly drawn: Drawn}
  | {readonly type: 'overlay_scrolled'; readonly firstRow: number}
  | {readonly type: 'viewer_changed'; readonly change: Partial<Viewer>}
  | {readonly type: 'review_changed'; readonly change: Partial<ReviewView>}
  /** The changes were read again during a review. */
  | {readonly type: 'review_read'; readonly review: Review}
  /** The transcript view reports what it drew of the position `of`, and the rows with matches. */
  | {
      readonly type: 'viewer_drawn';
      readonly of: ViewerPosition;
      readonly position: ViewerPosition;
      readonly page: number;
      readonly foldable: ViewerPlace | undefined;
      readonly card?: string | undefined;
    }
  | ({readonly type: 'viewer_searched'; readonly hits: readonly ViewerHit[]} & Pick<
      Viewer,
      'search' | 'nearest'
    >)
  | {readonly type: 'screen_changed'; readonly screen: ScreenMode}
  | {
      readonly type: 'picker_changed';
      readonly change: Partial<Pick<Picker, 'filter' | 'selected' | 'digits' | 'seenAt'>>;
    }
  | {readonly type: 'board_opened'}
  | {readonly type: 'board_changed'; readonly change: Partial<BoardView>}
  | {readonly type: 'board_closed'}
  /** The prompt of a new session, which could not be opened. */
  | {readonly type: 'new_prompt_returned'; readonly text: string}
  /** Sessions were found for the list. */
  | {readonly type: 'sessions_found'; readonly list: SessionList}
  /** In these sessions of the list, the filter was said. */
  | {readonly type: 'sessions_searched'; readonly said: TranscriptMatches}
  /** Agents were found for the list. */
  | {readonly type: 'agents_found'; readonly list: AgentList}
  /** The installation of an agent has progressed. */
  | {readonly type: 'install_progressed'; readonly progress: string}
  | {readonly type: 'session_previewed'; readonly preview: {readonly id: string; readonly text: string}}
  | {readonly type: 'history_added'; readonly text: string}
  | {readonly type: 'history_loaded'; readonly history: History}
  | {readonly type: 'preferences_changed'; readonly change: Partial<Preferences>};

/** Fields of the window that are only set; the others change with more specific events. */
type PlainField =
  | 'agentNames'
  | 'background'
  | 'comparison'
  | 'files'
  | 'graphics'
  | 'heldKeys'
  | 'hints'
  | 'ignoreKeysUntil'
  | 'interrupted'
  | 'lastKey'
  | 'leaveArmedUntil'
  | 'menu'
  | 'recentSessions'
  | 'replay'
  | 'rewindArmedUntil'
  | 'screenColumns'
  | 'statusText'
  | 'waitingElsewhere';

type SessionKeyEvent = {readonly key: SessionKey} & (
  | {readonly type: 'session_added'; readonly tab: Tab}
  /** A session is to be opened as soon as the agent runs without one, or not. */
  | {readonly type: 'session_wanted'; readonly isWanted: boolean}
  /** Another session is shown. */
  | {readonly type: 'session_activated'}
  /** The draft of an unused session is moved to this one. */
  | {readonly type: 'session_handed_over'; readonly from: SessionKey}
  | {readonly type: 'session_removed'}
  | {readonly type: 'session'; readonly event: SessionEvent; readonly at: number}
  /** The active draft (the note's, while one is typed) was edited. */
  | {readonly type: 'draft_changed'; readonly draft: Draft; readonly at: number}
  /** The draft is stashed, or the stashed one restored; if there are both, they change places. */
  | {readonly type: 'draft_stashed'}
  /** The user submitted a prompt, which goes into the queue. */
  | {readonly type: 'prompt_submitted'}
  /** Files for the draft: in place of the pasted text, or at the caret. */
  | {
      readonly type: 'files_attached';
      readonly files: readonly Attachment[];
      readonly pasted?: string;
      readonly at: number;
    }
  /** Properties of attached files. */
  | {readonly type: 'files_checked'; readonly files: readonly Attachment[]}
  /** Text was pasted on request, as from the clipboard. */
  | {readonly type: 'text_pasted'; readonly text: string; readonly at: number}
  /** A prompt has left the queue, to be edited in the draft; `place` is where it was. */
  | {
      readonly type: 'prompt_returned';
      readonly prompt: QueuedPrompt;
      readonly place?: number;
      readonly at: number;
    }
  /** A summary of the conversation is put in front of the draft, for an agent that does not know it. */
  | {readonly type: 'handoff_drafted'}
  /** What another agent has to know is put in front of the draft. */
  | {readonly type: 'handoff_received'; readonly text: string; readonly from: string}
  /** The prompt of a turn is put back into the draft; for a new session, with the conversation before it. */
  | {readonly type: 'rewound'; readonly turn: number; readonly toNewSession?: true}
  /** The draft of an earlier run. */
  | {readonly type: 'draft_restored'; readonly text: string; readonly files?: readonly Attachment[]}
  /** The external editor was closed; `before` is the text that it opened. */
  | {
      readonly type: 'editor_closed';
      readonly before: string;
      /** True if it was the content of a request; else it was the draft. */
      readonly isOfRequest: boolean;
      readonly outcome: EditorOutcome;
      readonly at: number;
    }
  /** A pending form was edited. */
  | {readonly type: 'form_changed'; readonly id: string; readonly form: FormState}
  /** The note of a rejection was sent. */
  | {readonly type: 'note_sent'}
  | {readonly type: 'branch_changed'; readonly branch: string | undefined}
);

type RequestEvent =
  /**
   * The view reports which rows of a request are on the screen, whenever that changes. `version` is the one that was drawn: reports of older ones are ignored.
   */
  | {
      readonly type: 'request_drawn';
      readonly id: string;
      readonly version: number;
      readonly drawn: Drawn;
      /** The width it was drawn with: another width wraps rows differently. */
      readonly columns: number;
      readonly rule?: ShownRule | undefined;
      readonly at: number;
    }
  | {
      readonly type: 'request_changed';
      readonly change: Partial<Pick<RequestView, 'selected'>>;
    }
  | {readonly type: 'request_scrolled'; readonly firstRow: number}
  /** A key was pressed too soon to be meant for the request: it and its repeats are ignored. */
  | {readonly type: 'request_guarded'; readonly purpose: KeyPurpose; readonly at: number}
  /** A request with hidden characters can be allowed now. */
  | {readonly type: 'request_unlocked'}
  | {readonly type: 'request_answered'}
  /** The session did not take the answer to a request, or what the user made of it. */
  | {readonly type: 'request_not_taken'; readonly id: string};

/** The outcome of editing a text in the external editor. */
export type EditorOutcome =
  | {readonly kind: 'edited'; readonly text: string}
  /** The text is unchanged; `why` is a sentence. */
  | {readonly kind: 'kept'; readonly why: string};
