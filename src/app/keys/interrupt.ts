import {fold, nothing, perform, together, type Step} from '../effects.ts';
import {commandToInterrupt} from '../own-commands.ts';
import {keyFor} from '../key-names.ts';
import {hasFilter} from '../picker.ts';
import {draftText} from '../prompt/draft.ts';
import {clearDraft} from '../prompt/insert.ts';
import {activeSession, draftInHand} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {cancel, closeOverlay, isCancellable} from './back.ts';
import {interruptCommand} from './shell-keys.ts';
import {remembered} from './remember.ts';

/** How long Ctrl+C leaves when it is pressed again, in milliseconds. */
const LEAVE_MS = 2000;

/**
 * Ctrl+C: closes what lies over the prompt; else clears the draft; else interrupts the user's own command where that was started
 * last; else cancels the turn; pressed again then, leaves.
 */
export function interrupt(state: AppState, at: number): Step {
  const {overlay, focus} = state;
  const isArmed = state.leaveArmedUntil !== undefined && at <= state.leaveArmedUntil;
  if (overlay.kind !== 'none') {
    // What opened by itself must not cost one more press to leave.
    const isOffer = overlay.kind === 'picker' && !hasFilter(overlay.picker);
    const closed = closeOverlay(state, at);
    if (!isOffer) return closed;
    return together(closed, isArmed ? perform({kind: 'quit'}) : armed(state, at));
  }
  const draft = draftInHand(state);
  if (focus.kind !== 'request' && draft.text !== '') return cleared(state, at);
  if (isArmed) return perform({kind: 'quit'});
  const interrupted = interruptCommand(state);
  if (!interrupted) return armed(state, at);
  // What did not end with the first Ctrl+C does not keep the next ones from what they do otherwise.
  return isAgain(state) ? together(interrupted, armed(state, at)) : interrupted;
}

function isAgain(state: AppState): boolean {
  return state.interrupted !== undefined && state.interrupted === commandToInterrupt(activeSession(state));
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
