import {isIdle, pendingRequest, rejectOption} from '../../session/selectors.ts';
import {backTarget, isAtWork, isCancellable} from '../back-target.ts';
import {draftText, isEmpty} from '../editor/draft.ts';
import {clearDraft} from '../editor/insert.ts';
import {
  callAction,
  patchState,
  emitEvent,
  moveFocus,
  nothing,
  perform,
  combine,
  type Reaction,
} from '../effects.ts';
import {keyFor} from '../keymap/key-names.ts';
import {openList, openPicker, hasFilter} from '../pickers/picker.ts';
import {choosesFirstSession} from '../pickers/session-picker.ts';
import {submitPrompt} from '../queue/queue.ts';
import {commandToInterrupt} from '../queue/shell-commands.ts';
import {recoveryFor} from '../recovery/recovery-menu.ts';
import {activeSession, activeDraft} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {leaveVimMode} from '../vim/press.ts';
import {interruptCommand, leaveShell, addToPromptHistory, saveUnsentToHistory} from './shell-keys.ts';

/** Esc: closes, returns the focus, or cancels the turn; one of them per press. */
export function goBack(state: AppState, at: number): Reaction {
  switch (backTarget(state, at)) {
    case 'overlay':
      return closeOverlay(state, at);
    case 'board':
      return emitEvent({type: 'board_closed'});
    case 'menu':
      return patchState({menu: {selected: 0, dismissed: true}});
    case 'note':
      return state.request ? moveFocus({kind: 'request', id: state.request.id}, at) : nothing;
    case 'queue':
    case 'request':
      return moveFocus({kind: 'prompt'}, at);
    case 'vim': {
      const draft = leaveVimMode(activeDraft(state));
      return draft ? emitEvent({type: 'draft_changed', key: state.active, draft, at}) : nothing;
    }
    case 'shell':
      return leaveShell(state, at);
    case 'command':
      return interruptCommand(state) ?? nothing;
    case 'snapshot':
      return callAction(state.active, 'sendWithoutSnapshot');
    case 'turn':
      return cancel(state);
    case 'start':
      return callAction(state.active, 'cancel');
    case 'patience':
      return toast('Already cancelling; the agent has not responded yet.', at);
    case 'unanswered':
      return openRecovery(state);
    case undefined:
      return rewindWhenEmpty(state, at);
  }
}

/** Maximum time between two Esc presses that count as a double press, in milliseconds. */
const TWICE_MS = 1000;

/** Esc Esc on an empty prompt: shows the points to rewind to. */
function rewindWhenEmpty(state: AppState, at: number): Reaction {
  const {key, session} = activeSession(state);
  const isPossible = isIdle(session) && !session.unused && !session.queue.isSending;
  if (state.focus.kind !== 'prompt' || !isEmpty(activeDraft(state)) || !isPossible) return nothing;
  const isSecond = state.rewindArmedUntil !== undefined && at <= state.rewindArmedUntil;
  return combine(
    patchState({rewindArmedUntil: isSecond ? -Infinity : at + TWICE_MS}),
    isSecond ? perform({kind: 'show_rewind', key}) : nothing,
  );
}

/** Closes the overlay. After closing the sign-in methods, a toast says how to return to them, and the queue is paused. */
function closeOverlay(state: AppState, at: number): Reaction {
  const closed = emitEvent({type: 'overlay_closed', at});
  const {key, session} = activeSession(state);
  if (choosesFirstSession(state))
    return combine(closed, emitEvent({type: 'session_wanted', key, isWanted: true}));
  const isPutOff = openList(state, 'authenticate') && session.connection.kind === 'authentication_required';
  if (!isPutOff) return closed;
  const waiting = session.queue.prompts.length > 0 ? ' Queued prompts are sent next.' : '';
  return combine(
    closed,
    toast(`Not signed in. /login shows the methods again.${waiting}`, at),
    callAction(key, 'changeQueue', {kind: 'pause'}),
  );
}

/** Cancels the turn with its pending requests, or the sign-in; otherwise cancels pending requests. */
function cancel(state: AppState): Reaction {
  const {key, session} = activeSession(state);
  if (isAtWork(state)) return callAction(key, 'cancel');
  return combine(...session.pending.map(({id}) => callAction(key, 'answer', id, {kind: 'cancelled'})));
}

/** Shows the recovery options, if the session needs them. Only keys pressed after `answerFrom` select one. */
export function openRecovery(state: AppState, answerFrom = -Infinity): Reaction {
  const picker = recoveryFor(activeSession(state));
  return picker ? openPicker({...picker, answerFrom}) : nothing;
}

/** Time in which a second Ctrl+C quits, in milliseconds. */
const LEAVE_MS = 2000;

/**
 * Ctrl+C: closes the overlay; else clears the draft; else interrupts the user's command if it was started last; else cancels the turn; a second press quits.
 */
export function interrupt(state: AppState, at: number): Reaction {
  const {overlay, focus} = state;
  const isArmed = state.leaveArmedUntil !== undefined && at <= state.leaveArmedUntil;
  if (overlay.kind !== 'none') {
    // An offer that opened by itself must not cost an extra press to quit.
    const isOffer = overlay.kind === 'picker' && !hasFilter(overlay.picker);
    const closed = closeOverlay(state, at);
    if (!isOffer) return closed;
    return combine(closed, isArmed ? perform({kind: 'quit'}) : armed(state, at));
  }
  const draft = activeDraft(state);
  if (focus.kind !== 'request' && draft.text !== '') return cleared(state, at);
  if (isArmed) return perform({kind: 'quit'});
  const interrupted = interruptCommand(state);
  if (!interrupted) return armed(state, at);
  // A command that ignored the first Ctrl+C does not block the next ones.
  return isAgain(state) ? combine(interrupted, armed(state, at)) : interrupted;
}

function isAgain(state: AppState): boolean {
  return state.interrupted !== undefined && state.interrupted === commandToInterrupt(activeSession(state));
}

/** Clears the draft; it stays in the history. */
function cleared(state: AppState, at: number): Reaction {
  const draft = activeDraft(state);
  return combine(
    emitEvent({type: 'draft_changed', key: state.active, draft: clearDraft(draft), at}),
    addToPromptHistory(draftText(draft)),
  );
}

/** Cancels the turn; the next Ctrl+C quits. */
function armed(state: AppState, at: number): Reaction {
  const isCancelling = isCancellable(state);
  return combine(
    isCancelling ? cancel(state) : nothing,
    patchState({leaveArmedUntil: at + LEAVE_MS}),
    emitEvent({
      type: 'toast_shown',
      text: `${isCancelling ? 'Cancelling. ' : ''}Press ${keyFor('clear_cancel_or_leave', state.keymap)} again to quit.`,
      until: at + LEAVE_MS,
    }),
  );
}

/** Rejects the request whose note was typed. The note, if there is one, joins the running turn if the agent supports that, and is the next prompt otherwise. */
export function rejectWithNote(state: AppState, note: string, at: number): Reaction {
  const {key, session} = activeSession(state);
  const request = state.focus.kind === 'note' ? pendingRequest(session, state.focus.id) : undefined;
  if (request?.kind !== 'permission') return nothing;
  const index = rejectOption(request);
  const place = session.agent?.steers ? 'now' : 'first';
  return combine(
    moveFocus({kind: 'prompt'}, at),
    emitEvent({type: 'note_sent', key}, {type: 'request_answered'}),
    saveUnsentToHistory(state, activeDraft(state)),
    note === '' ? nothing : combine(addToPromptHistory(note), submitPrompt(key, {text: note}, place)),
    callAction(key, 'answer', request.id, {kind: 'option', index}),
  );
}
