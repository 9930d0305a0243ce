import type {SessionState} from '../../session/state.ts';
import {runningTasks, type Task} from '../../session/lifecycle/tasks.ts';
import {subagentOf} from '../../session/subagents/links.ts';
import {sessionOf, subagentEntry} from '../../session/subagents/tree.ts';
import {emitEvent, nothing, perform, type Reaction} from '../effects.ts';
import type {KeyEvent} from '../input/keys.ts';
import {hintsOf, hintText} from '../keymap/hints.ts';
import {keyNames} from '../keymap/key-names.ts';
import {actionFor, type Action} from '../keymap/keymap.ts';
import {textInView} from '../pages/entry-text.ts';
import {firstRowAfterScroll, unscrolled, type Scroll} from '../pages/scroll.ts';
import {
  goToNextHit,
  END,
  toggleFold,
  jumpToEntry,
  landmarkFrom,
  openedViewer,
  scrollTo,
  positionAfterScroll,
  viewedSession,
  type Landmark,
} from '../pages/viewer.ts';
import {showContent} from '../pickers/content-picker.ts';
import {transcriptOf} from '../pickers/subagent-picker.ts';
import {cancelTask} from '../pickers/task-picker.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Overlay} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {globalKey} from './global-keys.ts';
import {oneLine} from '../editor/one-line.ts';
import {eraseLast} from './picker-keys.ts';
import {typeIntoPrompt} from './prompt-keys.ts';
import type {Viewer} from '../pages/viewer-state.ts';

/** Keys of the transcript view. */
export function transcriptKey(state: AppState, key: KeyEvent): Reaction {
  const {viewer} = state;
  if (viewer.typingFrom !== undefined) return searchKey(state, key, viewer);
  const action = key.kind === 'key' ? actionFor('transcript', key, state.keymap) : undefined;
  switch (action) {
    case 'search':
      return changed({search: '', hits: undefined, hit: undefined, typingFrom: viewer.position});
    case 'next_hit':
    case 'previous_hit':
      if (viewer.search === '') return nothing;
      return changed(goToNextHit(viewer, action === 'next_hit' ? 1 : -1));
    case 'fold_all':
      return changed(toggleFold(viewer, 'all'));
    case 'fold_one':
      return foldOne(viewer);
    case 'enter_subagent':
    case 'leave_subagent':
      return subagentKey(state, action, key.at);
    case 'cancel_subagent':
      return cancelInTranscript(state, key.at);
    case 'open_content':
      return openContent(state, key.at);
    case 'more_hints':
      return globalKey(state, action, key.at);
    default:
      return scrollKey(state, key) ?? jumpKey(state, action, key.at) ?? pageKey(state, key, unscrolled);
  }
}

function scrollKey(state: AppState, key: KeyEvent): Reaction | undefined {
  const action = key.kind === 'key' ? actionFor('overlay', key, state.keymap) : undefined;
  const position = positionAfterScroll(state.viewer, action);
  return position && changed(scrollTo(position));
}

/** Folds the selected entry, or else the first on the screen that can be folded. */
function foldOne(viewer: Viewer): Reaction {
  const id = viewer.selected ?? viewer.foldable?.id;
  return id === undefined ? nothing : changed(toggleFold(viewer, {id}));
}

const JUMPS: Readonly<Partial<Record<Action, readonly [Landmark, 1 | -1, string]>>> = {
  next_prompt: ['prompt', 1, 'No prompt below.'],
  previous_prompt: ['prompt', -1, 'No prompt above.'],
  next_call: ['call', 1, 'No tool call below.'],
  previous_call: ['call', -1, 'No tool call above.'],
  next_failure: ['failure', 1, 'No failure below.'],
  previous_failure: ['failure', -1, 'No failure above.'],
};

/** Jumps to a prompt, call or failure; undefined for all other actions. */
function jumpKey(state: AppState, action: Action | undefined, at: number): Reaction | undefined {
  const jump = action && JUMPS[action];
  if (jump === undefined) return undefined;
  const [kind, direction, missing] = jump;
  const id = landmarkFrom(viewedSession(state), state.viewer, {kind, direction});
  return id === undefined ? toast(missing, at) : changed(jumpToEntry(id));
}

/** Opens a subagent's transcript, or returns from it. */
function subagentKey(state: AppState, action: 'enter_subagent' | 'leave_subagent', at: number): Reaction {
  const {overlay, viewer} = state;
  if (overlay.kind !== 'transcript') return nothing;
  const {session: active} = activeSession(state);
  const session = overlay.read ?? active;
  const {subagent} = overlay;
  if (action === 'enter_subagent') {
    const linked = subagentToEnter(viewedSession(state), viewer);
    // The search continues in the opened transcript.
    const {search} = viewer;
    if (linked === undefined || !Object.hasOwn(session.subagents, linked))
      return toast(
        linked === undefined ? 'No subagent on the screen.' : 'The agent has not announced this subagent.',
        at,
      );
    return into(overlay, linked, search === '' ? {} : {search, hit: 0});
  }
  if (subagent === undefined) return toast('This is the main session.', at);
  const card = jumpToEntry(subagentEntry(session, subagent)?.id ?? '');
  return into(overlay, session.subagents[subagent]?.parent, {...card, search: viewer.search});
}

/** Cancels the selected call, or the subagent whose transcript it is. */
function cancelInTranscript(state: AppState, at: number): Reaction {
  const {overlay, viewer} = state;
  if (overlay.kind !== 'transcript') return nothing;
  const {key, session} = activeSession(state);
  const task = overlay.read ? undefined : taskToCancel(session, overlay.subagent, viewer);
  if (task) return cancelTask(key, task, at);
  return toast(overlay.subagent === undefined ? NO_TASK : 'This subagent cannot be cancelled now.', at);
}

const NO_TASK =
  'No tool call that can be cancelled alone is selected; { and } select one, /tasks lists them.';

/** The selected call; otherwise the subagent whose transcript it is, or the only call that can be cancelled. */
function taskToCancel(
  session: SessionState,
  subagent: string | undefined,
  {selected}: Viewer,
): Task | undefined {
  const tasks = runningTasks(session).filter(({canCancel}) => canCancel);
  const calls = tasks.filter((task) => task.kind === 'tool_call' && task.subagent === subagent);
  const entry = sessionOf(session, subagent).entries.find(({id}) => id === selected);
  const chosen = calls.find(({id}) => entry?.type === 'tool_call' && entry.toolCallId === id);
  if (chosen) return chosen;
  if (subagent !== undefined) return tasks.find(({kind, id}) => kind === 'subagent' && id === subagent);
  return calls.length === 1 ? calls[0] : undefined;
}

/** The subagent of the current match, of the entry that was jumped to, or the uppermost on the screen. */
function subagentToEnter(
  {entries}: SessionState,
  {hits = [], hit = -1, selected, card}: Viewer,
): string | undefined {
  return [hits[hit]?.id, selected, card]
    .map((wanted) => entries.find(({id}) => id === wanted))
    .map((entry) => entry && subagentOf(entry))
    .find((subagent) => subagent !== undefined);
}

function into(
  {read}: Extract<Overlay, {kind: 'transcript'}>,
  subagent: string | undefined,
  change: Partial<Viewer>,
): Reaction {
  const opened = transcriptOf(subagent);
  return emitEvent({
    ...opened,
    overlay: {...opened.overlay, ...(read && {read})},
    viewer: {...openedViewer, ...change},
  });
}

/** Content is opened relative to its session's folder, which a read-only stored session does not have. */
function openContent(state: AppState, at: number): Reaction {
  const {overlay} = state;
  if (overlay.kind === 'transcript' && overlay.read)
    return toast('Resume the session to open its content.', at);
  return showContent(activeSession(state), at);
}

/** Keys while the search is typed. */
function searchKey(state: AppState, key: KeyEvent, viewer: Viewer): Reaction {
  const {search, typingFrom: position = END} = viewer;
  const setSearch = (text: string) => changed({search: text, hits: undefined, hit: undefined});
  if (key.kind === 'paste') return setSearch(search + oneLine(key.text));
  const action = actionFor('picker', key, state.keymap);
  const back = changed({search: '', hits: undefined, typingFrom: undefined, position});
  const hint = hintsOf(keyNames(state.keymap));
  switch (action) {
    case 'confirm':
      return search === '' ? back : changed({typingFrom: undefined});
    case 'filter_erase':
      return search === '' ? back : setSearch(eraseLast(search));
    case 'filter_clear':
      return setSearch('');
    case 'cancel_or_back':
    case 'clear_cancel_or_leave':
      return back;
    case undefined:
      return key.text === '' ? nothing : setSearch(search + oneLine(key.text));
    default:
      return toast(hintText([hint('confirm', 'done'), hint('cancel_or_back', 'cancel search')]), key.at);
  }
}

function changed(change: Partial<Viewer>): Reaction {
  return emitEvent({type: 'viewer_changed', change});
}

/** Keys of a page over the prompt. */
export function pageKey(state: AppState, key: KeyEvent, scroll: Scroll): Reaction {
  // The prompt is not visible.
  if (key.kind === 'paste') return state.overlay.kind === 'transcript' ? nothing : typeIntoPrompt(state, key);
  const action = actionFor('overlay', key, state.keymap);
  const firstRow = firstRowAfterScroll(action, scroll);
  if (firstRow !== undefined) return emitEvent({type: 'overlay_scrolled', firstRow});
  if (action === 'close') return emitEvent({type: 'overlay_closed', at: key.at});
  if (action === 'copy_text') return copy(state, key.at);
  return globalKey(state, action, key.at);
}

function copy(state: AppState, at: number): Reaction {
  const {overlay, viewer} = state;
  if (overlay.kind === 'text') return perform({kind: 'copy', text: overlay.text, what: 'the text'});
  if (overlay.kind !== 'transcript') return nothing;
  const found = textInView(viewedSession(state), viewer);
  return found ? perform({kind: 'copy', ...found}) : toast('There is no text to copy here.', at);
}
