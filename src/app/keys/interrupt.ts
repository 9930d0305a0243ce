import {fold, nothing, perform, together, type Step} from '../effects.ts';
import {keyFor} from '../key-names.ts';
import {hasFilter} from '../picker.ts';
import {draftText} from '../prompt/draft.ts';
import {clearDraft} from '../prompt/insert.ts';
import {draftInHand} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {cancel, isCancellable} from './back.ts';
import {remembered} from './remember.ts';

/** How long Ctrl+C leaves when it is pressed again, in milliseconds. */
const LEAVE_MS = 2000;

/** Ctrl+C: closes what lies over the prompt; else clears the draft; else cancels the turn; pressed again then, leaves. */
export function interrupt(state: AppState, at: number): Step {
  const {overlay, focus} = state;
  const isArmed = state.leaveArmedUntil !== undefined && at <= state.leaveArmedUntil;
  if (overlay.kind !== 'none') {
    // What opened by itself must not cost one more press to leave.
    const isOffer = overlay.kind === 'picker' && !hasFilter(overlay.picker);
    const closed = fold({type: 'overlay_closed', at});
    if (!isOffer) return closed;
    return together(closed, isArmed ? perform({kind: 'quit'}) : armed(state, at));
  }
  const draft = draftInHand(state);
  if (focus.kind !== 'request' && draft.text !== '') return cleared(state, at);
  return isArmed ? perform({kind: 'quit'}) : armed(state, at);
}

/** Clears what is typed; it stays in the history. */
function cleared(state: AppState, at: number): Step {
  const draft = draftInHand(state);
  return together(
    fold({type: 'draft_changed', key: state.active, draft: clearDraft(draft), at}),
    remembered(draftText(draft)),
  );
}

/** Cancels what runs; the next Ctrl+C leaves. */
function armed(state: AppState, at: number): Step {
  const isCancelling = isCancellable(state);
  return together(
    isCancelling ? cancel(state) : nothing,
    fold({type: 'leave_armed', until: at + LEAVE_MS}),
    fold({
      type: 'hint_shown',
      text: `${isCancelling ? 'Cancelling. ' : ''}Press ${keyFor('clear_cancel_or_leave', state.keymap)} again to leave.`,
      until: at + LEAVE_MS,
    }),
  );
}
