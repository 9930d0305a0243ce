import {pastesIn} from '../session/content/pasted-text.ts';
import {reduce} from '../session/reduce.ts';
import {isAsking, pendingRequest, runningTools} from '../session/selectors.ts';
import {withAgents, withProgress} from './pickers/agent-picker.ts';
import {editorClosed} from './editor/external-editor.ts';
import {filesAttached, filesChecked, textPasted} from './completion/file-menu.ts';
import {helpPicker} from './pickers/palette.ts';
import {previewTheme, endThemePreview, keepTheme, followPicker} from './pickers/setting-pickers.ts';
import type {AppEvent, AppEventOf, AppEventType} from './events.ts';
import {formChanged, withoutOldForms} from './requests/form.ts';
import {addToHistory} from './editor/history.ts';
import {followRecovery, openIfQuiet, withoutShownOffer} from './recovery/recovery-menu.ts';
import {planText} from './pages/pages.ts';
import {emptyDraft} from './editor/draft.ts';
import {prependToDraft, restoreText} from './editor/insert.ts';
import {inInsertMode} from './vim/press.ts';
import {
  asIfShown,
  changeAsIfShown,
  changeBoard,
  closeBoard,
  followBoard,
  openBoard,
  returnPrompt,
} from './board/follow-board.ts';
import {followMenu, menuSubject} from './completion/menu.ts';
import {followQueue, refusedSteering} from './queue/queue.ts';
import {afterEarlyKey, answered, atTick, unlocked} from './requests/request-phase.ts';
import {
  answerNotTaken,
  changePhase,
  changeRequest,
  focusChanged,
  followRequests,
  guardRequest,
  requestDrawn,
  takeFocusIfQuiet,
} from './requests/request-guard.ts';
import {receiveHandoff, restoreRewoundPrompt, withHandoffSummary} from './recovery/handoff-summary.ts';
import {clampFirstRow} from './pages/scroll.ts';
import {changeList, listTicked} from './pickers/picker.ts';
import {withPreview, withSessions} from './pickers/session-picker.ts';
import {withSessionName} from './open-sessions.ts';
import {activateSession, moveUnsent, removeSession, backgroundNotice} from './switching.ts';
import {withReview, type ReviewView} from './review/review-view.ts';
import {settingChangeNotice} from './status/setting-change-notice.ts';
import {followCommand, acceptKeysAgain} from './queue/shell-commands.ts';
import {
  TOAST_MS,
  activeSession,
  changeActiveDraft,
  changeSession,
  moveNoteToDraft,
  swapStash,
} from './sessions.ts';
import type {SessionEvent} from '../session/events.ts';
import type {ConnectionState, SessionState} from '../session/state.ts';
import type {AppState, Tab, Overlay, SessionKey} from './state.ts';
import {END, foldedViewer, viewerBelow, viewerDrawn, viewerSearched} from './pages/viewer.ts';

type Handlers = {
  readonly [Type in AppEventType]: (state: AppState, event: AppEventOf<Type>) => AppState;
};

/** Applies an event to the window. Pure. */
export function reduceApp(state: AppState, event: AppEvent): AppState {
  const handle = handlers[event.type] as (state: AppState, event: AppEvent) => AppState;
  return followBoard(followQueue(endThemePreview(handle(state, event), state)), state);
}

const handlers: Handlers = {
  tick: (state, {at}) => {
    const counted = listTicked(
      changePhase(acceptKeysAgain(expired(state, at), at), (phase) => atTick(phase, at)),
      at,
    );
    return openIfQuiet(takeFocusIfQuiet(counted, at), at);
  },
  changed: (state, {change}) => patched(state, change),
  session_wanted: (state, {key, isWanted}) =>
    changeSession(state, key, (tab) => ({...tab, wantsSession: isWanted})),
  toast_shown: (state, {text, until, of}) => ({
    ...state,
    toast: {text: withSessionName(state, of, text), until},
  }),
  focus_changed: (state, event) => changeAsIfShown(state, (shown) => withNote(focusChanged(shown, event))),
  help_opened: (state) => ({
    ...state,
    overlay: {kind: 'picker', picker: helpPicker(state)},
    overlayAsked: undefined,
  }),
  overlay_opened: (state, {overlay, viewer = state.viewer, asked: overlayAsked}) =>
    withoutShownOffer({...state, overlay, overlayAsked, viewer, hints: 0}),
  overlay_closed: (state, {at}) =>
    guardRequest({...state, overlay: below(state.overlay), viewer: viewerBelow(state), hints: 0}, at),
  overlay_drawn: (state, {drawn}) => changePage(state, (page) => ({...page, scroll: drawn})),
  overlay_scrolled: (state, {firstRow}) =>
    changePage(state, (page) => ({
      ...page,
      scroll: {...page.scroll, firstRow: clampFirstRow(page.scroll, firstRow)},
    })),
  viewer_changed: (state, {change}) => ({...state, viewer: {...state.viewer, ...change}}),
  viewer_drawn: viewerDrawn,
  viewer_searched: viewerSearched,
  review_changed: (state, {change}) => changeReview(state, (view) => ({...view, ...change})),
  review_read: (state, {review}) => changeReview(state, (view) => withReview(view, review)),
  screen_changed: (state, {screen}) => ({...state, screen, overlay: {kind: 'none'}, viewer: foldedViewer}),
  picker_changed: (state, {change}) =>
    state.overlay.kind === 'picker'
      ? previewTheme({...state, overlay: {kind: 'picker', picker: {...state.overlay.picker, ...change}}})
      : state,
  history_added: (state, {text}) => ({...state, history: addToHistory(state.history, text)}),
  // Prompts typed before the file was loaded are newer.
  history_loaded: (state, {history}) => ({
    ...state,
    history: state.history.project.reduce(addToHistory, history),
  }),
  preferences_changed: (state, {change}) => {
    const changed = {...state, ...change};
    const kept = change.theme === undefined ? changed : keepTheme(changed);
    return change.editing === undefined ? kept : changeActiveDraft(kept, state.active, inInsertMode);
  },

  session_added: (state, {key, tab}) => ({...state, sessions: {...state.sessions, [key]: tab}}),
  session_activated: (state, {key}) =>
    key === state.active ? closeBoard(state) : activateSession(state, key),
  session_handed_over: (state, {from, key}) => moveUnsent(state, from, key),
  session_removed: (state, {key}) => removeSession(state, key),
  board_opened: openBoard,
  board_changed: (state, {change}) => changeBoard(state, change),
  board_closed: closeBoard,
  new_prompt_returned: (state, {text}) => returnPrompt(state, text),
  sessions_found: (state, {list}) => withSessions(state, list),
  sessions_searched: (state, {said}) =>
    state.board ? changeBoard(state, {said}) : changeList(state, 'sessions', (list) => ({...list, said})),
  agents_found: (state, {list}) => withAgents(state, list),
  install_progressed: (state, {progress}) => withProgress(state, progress),
  session_previewed: (state, {preview}) => withPreview(state, preview),
  session: sessionEvent,
  draft_changed: draftChanged,
  draft_stashed: (state, {key}) => ({
    ...changeSession(state, key, swapStash),
    menu: {selected: 0, dismissed: false},
  }),
  prompt_submitted: (state, {key}) =>
    changeSession({...atEnd(state, key), toast: undefined}, key, (tab) => ({...tab, wantsSession: true})),
  files_attached: filesAttached,
  files_checked: filesChecked,
  text_pasted: textPasted,
  prompt_returned: (state, {key, prompt, place, at}) => ({
    ...changeSession(state, key, (tab) => ({
      ...tab,
      editedPlace: place ?? tab.editedPlace,
      draft: prependToDraft(tab.draft, prompt.text, {
        files: prompt.files,
        pastes: pastesIn(prompt.content),
      }),
    })),
    lastTypedAt: at,
  }),
  handoff_drafted: (state, {key}) => changeSession(state, key, withHandoffSummary),
  handoff_received: (state, {key, text, from}) =>
    changeSession(state, key, (tab) => receiveHandoff(tab, {text, from})),
  rewound: (state, {key, turn, toNewSession = false}) =>
    changeSession(state, key, (tab) => restoreRewoundPrompt(tab, {turn, toNewSession})),
  draft_restored: (state, {key, text, files}) =>
    changeSession(state, key, (tab) =>
      text === '' ? tab : {...tab, draft: restoreText(tab.draft, text, files)},
    ),
  editor_closed: editorClosed,
  form_changed: formChanged,
  note_sent: (state, {key}) => changeSession(state, key, (tab) => ({...tab, note: undefined})),
  branch_changed: (state, {key, branch}) =>
    changeSession(state, key, (tab) => (tab.branch === branch ? tab : {...tab, branch})),

  request_drawn: (state, event) => changeAsIfShown(state, (shown) => requestDrawn(shown, event)),
  request_changed: (state, {change}) => changeRequest(state, change),
  request_scrolled: (state, {firstRow}) =>
    state.request
      ? changeRequest(state, {
          scroll: {...state.request.scroll, firstRow: clampFirstRow(state.request.scroll, firstRow)},
        })
      : state,
  request_guarded: (state, {purpose, at}) => changePhase(state, (phase) => afterEarlyKey(phase, purpose, at)),
  request_unlocked: (state) => changePhase(state, unlocked),
  // Toasts about its keys are obsolete.
  request_answered: (state) => ({...changePhase(state, answered), toast: undefined}),
  request_not_taken: answerNotTaken,
};

/** Sets fields; the same object if they have these values. */
function patched(state: AppState, change: Partial<AppState>): AppState {
  const isSame = (Object.keys(change) as (keyof AppState)[]).every((name) => state[name] === change[name]);
  return isSame ? state : {...state, ...change};
}

/** Scrolls to the end, since the user wants to see the response. */
function atEnd(state: AppState, key: SessionKey): AppState {
  return key === state.active ? {...state, viewer: {...state.viewer, position: END}} : state;
}

/** Returns what a closed overlay was opened from: a list, or nothing. */
function below(overlay: Overlay): Overlay {
  const page = overlay.kind === 'picker' ? overlay.picker.purpose : overlay;
  return 'over' in page && page.over ? {kind: 'picker', picker: page.over} : {kind: 'none'};
}

function changeReview(state: AppState, change: (view: ReviewView) => ReviewView): AppState {
  const {overlay} = state;
  return overlay.kind === 'review' ? {...state, overlay: {kind: 'review', ...change(overlay)}} : state;
}

function expired(state: AppState, at: number): AppState {
  const isHintOver = state.toast !== undefined && at >= state.toast.until;
  const isLeaveOver = state.leaveArmedUntil !== undefined && at > state.leaveArmedUntil;
  if (!isHintOver && !isLeaveOver) return state;
  return {
    ...state,
    toast: isHintOver ? undefined : state.toast,
    leaveArmedUntil: isLeaveOver ? undefined : state.leaveArmedUntil,
  };
}

function sessionEvent(state: AppState, {key, event, at}: AppEventOf<'session'>): AppState {
  const before = state.sessions[key];
  if (!before) return state;
  const session = reduce(before.session, event);
  if (session === before.session) return state;
  const followed = changeSession(state, key, () =>
    withoutOldForms(withoutOldNote(timed({...before, session}, before, at)), event),
  );
  const now = followed.sessions[key]?.session ?? session;
  const notice =
    settingChangeNotice(before.session, now, {event, says: state.toast?.text}) ??
    refusedSteering(event) ??
    (before.isAttached ? answeredElsewhere(state, event) : undefined) ??
    (key === state.active ? undefined : backgroundNotice(before.session, now));
  const toast =
    notice === undefined ? undefined : {text: withSessionName(followed, key, notice), until: at + TOAST_MS};
  const notified = toast ? {...followed, toast} : followed;
  const offered = followRecovery(notified, before, at);
  const asked = (changed: AppState) =>
    asIfShown(changed).active === key
      ? changeAsIfShown(changed, (shown) => followRequests(shown, before.session, at))
      : changed;
  if (key !== state.active) return asked(offered);
  const planned = session.plans === before.session.plans ? offered : withPlan(offered);
  const listed = session.commands === before.session.commands ? planned : followMenu(state, planned);
  return asked(followCommand(followPicker(listed, before.session), at));
}

/** Returns the notice that a request was answered in another window, while it is shown here; undefined for other events. */
function answeredElsewhere({request}: AppState, event: SessionEvent): string | undefined {
  if (event.type !== 'permission_resolved' || request?.id !== event.id || request.phase.kind === 'answered')
    return undefined;
  const {by, option} = event.decision;
  return by === 'user' && option !== undefined ? `Answered in another window: ${option}.` : undefined;
}

/** True if only the agent's output has changed. */
function isSameStep(one: ConnectionState, other: ConnectionState): boolean {
  if (one.kind !== 'starting' || other.kind !== 'starting') return false;
  return one.step === other.step && one.since === other.since && one.attempt === other.attempt;
}

/** Records the start of activities that may take long. */
function timed(tab: Tab, {session: before}: Tab, at: number): Tab {
  const {connection, turn, sessionStart} = tab.session;
  const old = before.turn;
  const hasConnection = connection === before.connection || isSameStep(connection, before.connection);
  const isSame = sessionStart === before.sessionStart;
  if (isSame && hasConnection && turn === old) return tab;
  const since = {
    session: isSame ? tab.since.session : at,
    connection: hasConnection ? tab.since.connection : at,
    turn: old.kind === 'idle' ? at : tab.since.turn,
    tool: beginsTool(tab.session, before) ? at : tab.since.tool,
    activity: turn === old ? tab.since.activity : at,
    cancel: turn.kind === 'cancelling' && old.kind !== 'cancelling' ? at : tab.since.cancel,
  };
  return {...tab, since};
}

/** True if another tool is running now, or one continues after the user's answer. */
function beginsTool(session: SessionState, before: SessionState): boolean {
  if (isAsking(before) && !isAsking(session)) return true;
  return runningTools(session).at(-1)?.id !== runningTools(before).at(-1)?.id;
}

/** Drops a note whose request is gone. */
function withoutOldNote(tab: Tab): Tab {
  return tab.note && !pendingRequest(tab.session, tab.note.requestId) ? moveNoteToDraft(tab) : tab;
}

function withPlan(state: AppState): AppState {
  const {overlay} = state;
  if (overlay.kind !== 'text' || overlay.follows !== 'plan') return state;
  return {...state, overlay: {...overlay, text: planText(activeSession(state).session)}};
}

function withNote(state: AppState): AppState {
  const {focus} = state;
  if (focus.kind !== 'note') return state;
  return changeSession(state, state.active, (tab) =>
    tab.note?.requestId === focus.id
      ? tab
      : {...moveNoteToDraft(tab), note: {requestId: focus.id, draft: emptyDraft}},
  );
}

type Page = Extract<Overlay, {readonly scroll: unknown}>;

function changePage(state: AppState, change: (page: Page) => Page): AppState {
  const {overlay} = state;
  if (!('scroll' in overlay)) return state;
  return {...state, overlay: change(overlay)};
}

function draftChanged(state: AppState, {key, draft, at}: AppEventOf<'draft_changed'>): AppState {
  const changed = changeActiveDraft(state, key, () => draft);
  const before = state.sessions[key]?.draft;
  const isSame = before?.text === draft.text;
  const subject = menuSubject(draft);
  const dismissed =
    state.menu.dismissed && before !== undefined && subject !== undefined && subject === menuSubject(before);
  return {...changed, lastTypedAt: at, menu: isSame ? state.menu : {selected: 0, dismissed}};
}
