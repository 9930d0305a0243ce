import {asIfShown} from '../board/follow-board.ts';
import {pendingRequest} from '../../session/selectors.ts';
import {combine, emitEvent, nothing, patchState, perform, type Reaction} from '../effects.ts';
import {combinationOf, separateKeys, type KeyEvent} from '../input/keys.ts';
import {actionFor, type Action} from '../keymap/keymap.ts';
import type {ReplayStep} from '../pages/replay.ts';
import {deferKey, reviewKey, sayingWhatIsLeft} from '../review/review-keys.ts';
import {PAUSE_MS} from '../queue/shell-commands.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, RequestView} from '../state.ts';
import {boardKey} from './board-keys.ts';
import {formKey} from './form-keys.ts';
import {globalKey} from './global-keys.ts';
import {commandKey, leaderKey} from './leader-keys.ts';
import {pickerKey} from './picker-keys.ts';
import {firstKeysKey, promptKey} from './prompt-keys.ts';
import {queueKey} from './queue-keys.ts';
import {linkKey, permissionKey} from './request-keys.ts';
import {pageKey, transcriptKey} from './viewer-keys.ts';

export {clickOnBoard, turnOnBoard} from './board-keys.ts';
export {turnInPicker} from './picker-keys.ts';

/** Returns the events and effects of a key, events first. Pure; never throws. */
export function handleKey(state: AppState, key: KeyEvent): Reaction {
  const combination = key.kind === 'key' ? combinationOf(key) : undefined;
  if (state.ignoreKeysUntil !== undefined) return patchState({ignoreKeysUntil: key.at + PAUSE_MS});
  const reaction = sayingWhatIsLeft(state, deferKey(state, key) ?? route(state, key), key.at);
  if (combination === undefined) return reaction;
  return combine(reaction, patchState({lastKey: {combination, at: key.at}}));
}

/** Returns the reaction to the first key that waited, once it may be handled. */
export function releasedKey(state: AppState): Reaction {
  const {heldKeys, overlay} = state;
  const [first, ...keys] = heldKeys;
  if (!first || (overlay.kind === 'review' && overlay.doing)) return nothing;
  return combine(patchState({heldKeys: keys}), sayingWhatIsLeft(state, route(state, first), first.at));
}

/** The topmost element has the focus. */
function route(state: AppState, key: KeyEvent): Reaction {
  const {overlay, focus, request, viewer} = state;
  if (overlay.kind === 'picker') return pickerKey(state, key, overlay.picker);
  if (overlay.kind === 'first_keys') return firstKeysKey(state, key);
  if (overlay.kind === 'more_keys') {
    const closed = emitEvent({type: 'overlay_closed', at: key.at});
    if (key.kind !== 'paste') return leaderKey(state, key, closed);
    // It goes where it would without the list.
    return combine(closed, route({...state, overlay: {kind: 'none'}}, key));
  }
  if (overlay.kind === 'editor') return nothing;
  if (overlay.kind === 'review') return reviewKey(state, key, overlay);
  // Keys that arrived together are handled one by one where each is a command.
  if (
    overlay.kind !== 'none' &&
    viewer.typingFrom === undefined &&
    key.kind === 'key' &&
    key.name === undefined
  )
    return patchState({heldKeys: separateKeys(key)});
  if (overlay.kind === 'transcript') return transcriptKey(state, key);
  if (overlay.kind !== 'none') return pageKey(state, key, overlay.scroll);
  if (state.replay) return replayKey(state, key);
  if (focus.kind === 'command') return commandKey(state, key, focus.id);
  if (focus.kind === 'queue') return queueKey(state, key, focus.id);
  if (state.board && focus.kind === 'prompt') return boardKey(state, key, state.board);
  const shown = asIfShown(state);
  return focus.kind === 'request' && request ? requestKey(shown, key, request) : promptKey(shown, key);
}

/** Keys while a request has the focus. */
function requestKey(state: AppState, key: KeyEvent, view: RequestView): Reaction {
  const request = pendingRequest(activeSession(state).session, view.id);
  switch (request?.kind) {
    case 'permission':
      return permissionKey({state, view, request}, key);
    case 'form':
      return formKey({state, view, request}, key);
    case 'url':
      return linkKey({state, view, request}, key);
    case undefined:
      return nothing;
  }
}

const steps: Readonly<Partial<Record<Action, ReplayStep>>> = {
  replay_pause: 'pause',
  replay_step: 'step',
  replay_next_turn: 'next_turn',
  replay_faster: 'faster',
  replay_slower: 'slower',
};

/** Actions that only change the view. */
const VIEW_ACTIONS: ReadonlySet<Action> = new Set([
  'show_plan',
  'open_transcript',
  'inspect_wire',
  'redraw',
  'suspend',
]);

/** Keys of a replay: actions on a session are ignored. */
function replayKey(state: AppState, key: KeyEvent): Reaction {
  const action = key.kind === 'key' ? actionFor('replay', key, state.keymap) : undefined;
  if (action === undefined) return nothing;
  if (action === 'leave_replay' || action === 'clear_cancel_or_leave') return perform({kind: 'quit'});
  const step = steps[action];
  if (step) return perform({kind: 'replay', step});
  return VIEW_ACTIONS.has(action) ? globalKey(state, action, key.at) : nothing;
}
