import {subagentName} from '../../session/subagents/names.ts';
import {isWorking, sessionOf, subagentEntry} from '../../session/subagents/tree.ts';
import {fold, nothing, together, type Step, perform} from '../effects.ts';
import type {KeyEvent} from '../input/keys.ts';
import {actionFor} from '../keymap/keymap.ts';
import {scrolledBy, type Scroll} from '../pages/scroll.ts';
import {atNextHit, folded} from '../pages/viewer.ts';
import {showContent} from '../pickers/content-picker.ts';
import {transcriptOf} from '../pickers/subagent-picker.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Overlay} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {globalKey} from './global-keys.ts';
import {eraseLast, oneLine} from './picker-keys.ts';
import {typeIntoPrompt} from './prompt-keys.ts';
import type {Viewer} from '../pages/viewer-state.ts';

/** Keys of the transcript on its own screen. */
export function transcriptKey(state: AppState, key: KeyEvent, viewer: Viewer): Step {
  if (viewer.typingFrom !== undefined) return searchKey(state, key, viewer);
  const action = key.kind === 'key' ? actionFor('transcript', key, state.keymap) : undefined;
  switch (action) {
    case 'search':
      return changed({search: '', hits: [], hit: undefined, typingFrom: viewer.scroll.firstRow});
    case 'next_hit':
    case 'previous_hit':
      if (viewer.search === '') return nothing;
      return changed(atNextHit(viewer, action === 'next_hit' ? 1 : -1));
    case 'fold_all':
      return changed(folded(viewer, 'all'));
    case 'fold_one':
      return changed(folded(viewer, 'one'));
    case 'enter_subagent':
    case 'leave_subagent':
    case 'cancel_subagent':
      return subagentKey(state, action, key.at);
    case 'open_content':
      return openContent(state, key.at);
    default:
      return pageKey(state, key, viewer.scroll);
  }
}

/** Into the transcript of a subagent, back out of it, or an end to its work. */
function subagentKey(
  state: AppState,
  action: 'enter_subagent' | 'leave_subagent' | 'cancel_subagent',
  at: number,
): Step {
  const {overlay} = state;
  if (overlay.kind !== 'transcript') return nothing;
  const {key, session: active} = activeSession(state);
  const session = overlay.read ?? active;
  const {subagent} = overlay;
  if (action === 'enter_subagent') {
    const shown = sessionOf(session, subagent);
    const entry = shown.entries.find(({id}) => id === overlay.foldable?.id);
    if (entry?.type !== 'subagent') return toast('No subagent on the screen.', at);
    return into(overlay, entry.sessionId);
  }
  if (subagent === undefined) return toast('This is the main session.', at);
  if (action === 'leave_subagent') return into(overlay, session.subagents[subagent]?.parent);
  const entry = subagentEntry(session, subagent);
  if (overlay.read || !entry?.canCancel || !isWorking(entry))
    return toast('This subagent cannot be cancelled now.', at);
  return together(
    perform({kind: 'cancel_subagent', key, sessionId: subagent}),
    toast(`Cancelling ${subagentName(session, subagent)}`, at),
  );
}

function into({read}: Extract<Overlay, {kind: 'transcript'}>, subagent: string | undefined): Step {
  const overlay = {...transcriptOf(subagent), ...(read && {read})};
  return fold({type: 'overlay_opened', overlay});
}

/** Content is opened from the folder of its session, which a stored one that is only read has not. */
function openContent(state: AppState, at: number): Step {
  const {overlay} = state;
  if (overlay.kind === 'transcript' && overlay.read)
    return toast('Resume the session to open its content.', at);
  return showContent(activeSession(state), at);
}

/** Keys while what to look for is typed. */
function searchKey(state: AppState, key: KeyEvent, viewer: Viewer): Step {
  const {search, scroll, typingFrom: firstRow = 0} = viewer;
  if (key.kind === 'paste') return changed({search: search + oneLine(key.text)});
  const action = actionFor('picker', key, state.keymap);
  const back = changed({search: '', hits: [], typingFrom: undefined, scroll: {...scroll, firstRow}});
  switch (action) {
    case 'confirm':
      return search === '' ? back : changed({typingFrom: undefined});
    case 'filter_erase':
      return search === '' ? back : changed({search: eraseLast(search)});
    case 'filter_clear':
      return changed({search: ''});
    case 'cancel_or_back':
    case 'clear_cancel_or_leave':
      return back;
    case undefined:
      return key.text === '' ? nothing : changed({search: search + oneLine(key.text)});
    default:
      return toast('Enter done · Esc cancel search', key.at);
  }
}

function changed(change: Partial<Viewer>): Step {
  return fold({type: 'viewer_changed', change});
}

/** Keys of a text that lies over the prompt. */
export function pageKey(state: AppState, key: KeyEvent, scroll: Scroll): Step {
  // The prompt is not on the screen.
  if (key.kind === 'paste') return state.overlay.kind === 'transcript' ? nothing : typeIntoPrompt(state, key);
  const action = actionFor('overlay', key, state.keymap);
  const firstRow = scrolledBy(action, scroll);
  if (firstRow !== undefined) return fold({type: 'overlay_scrolled', firstRow});
  if (action === 'close') return fold({type: 'overlay_closed', at: key.at});
  if (action === 'copy_text') return copy(state);
  return globalKey(state, action, key.at);
}

function copy({overlay}: AppState): Step {
  if (overlay.kind !== 'text') return nothing;
  return perform({kind: 'copy', text: overlay.text, what: 'the text'});
}
