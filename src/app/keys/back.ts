import {fold, nothing, perform, together, type Step} from '../effects.ts';
import {hint} from '../hints.ts';
import {commandToInterrupt} from '../own-commands.ts';
import {menuOf} from '../menu.ts';
import {CANCEL_PATIENCE_MS, offerFor, startMethod} from '../offers.ts';
import {openPicker} from '../picker.ts';
import {leaveVimMode} from '../prompt/vim/press.ts';
import {activeSession, draftInHand} from '../sessions.ts';
import type {AppState} from '../state.ts';

import {interruptCommand, isShell, leaveShell} from './shell-keys.ts';

/** What Esc does now: the first of these that applies. */
export type BackTarget =
  | 'overlay'
  | 'menu'
  | 'shell'
  | 'queue'
  | 'note'
  | 'explanation'
  | 'request'
  | 'vim'
  | 'command'
  | 'turn'
  | 'start'
  | 'patience'
  | 'unanswered';

export function backTarget(state: AppState, at: number): BackTarget | undefined {
  if (state.overlay.kind !== 'none') return 'overlay';
  // Esc goes to the command.
  if (state.focus.kind === 'command') return undefined;
  if (menuOf(state)) return 'menu';
  if (state.focus.kind === 'queue') return 'queue';
  if (state.focus.kind === 'note') return 'note';
  if (state.focus.kind === 'request') return state.request?.explained ? 'explanation' : 'request';
  if (state.editing === 'vim' && leaveVimMode(draftInHand(state))) return 'vim';
  if (isShell(state)) return 'shell';
  const open = activeSession(state);
  const command = commandToInterrupt(open);
  // One that did not end with the first Esc keeps the next from nothing.
  if (command !== undefined && (command !== state.interrupted || !isCancellable(state))) return 'command';
  const {turn} = open.session;
  if (isCancellable(state)) return 'turn';
  if (startMethod(open, at) !== undefined) return 'start';
  if (turn.kind !== 'cancelling') return undefined;
  return at - open.since.cancel < CANCEL_PATIENCE_MS ? 'patience' : 'unanswered';
}

/** Esc: closes, gives the keyboard back, or cancels the turn; one of them a press. */
export function back(state: AppState, at: number): Step {
  switch (backTarget(state, at)) {
    case 'overlay':
      return closeOverlay(state, at);
    case 'menu':
      return fold({type: 'menu_dismissed'});
    case 'queue':
      return fold({type: 'queue_left'});
    case 'note':
      return state.request
        ? fold({type: 'focus_changed', focus: {kind: 'request', id: state.request.id}, at})
        : nothing;
    case 'explanation':
      return fold({type: 'request_explained', explained: false});
    case 'request':
      return fold({type: 'focus_changed', focus: {kind: 'prompt'}, at});
    case 'vim': {
      const draft = leaveVimMode(draftInHand(state));
      return draft ? fold({type: 'draft_changed', key: state.active, draft, at}) : nothing;
    }
    case 'shell':
      return leaveShell(state, at);
    case 'command':
      return interruptCommand(state) ?? nothing;
    case 'turn':
      return cancel(state);
    case 'start':
      return perform({kind: 'cancel', key: state.active});
    case 'patience':
      return hint('Cancelled already; the agent has not answered yet.', at);
    case 'unanswered':
      return openOffer(state);
    case undefined:
      return nothing;
  }
}

/** Closes what lies over the prompt. Who leaves the ways to sign in is told how to come back to them; what waits is held. */
export function closeOverlay(state: AppState, at: number): Step {
  const {overlay} = state;
  const closed = fold({type: 'overlay_closed', at});
  const {key, session, queue} = activeSession(state);
  const isPutOff =
    overlay.kind === 'picker' &&
    overlay.picker.purpose.kind === 'authenticate' &&
    session.connection.kind === 'authentication_required';
  if (!isPutOff) return closed;
  const waiting = queue.length > 0 ? ' What waits is sent then.' : '';
  return together(
    closed,
    fold({type: 'queue_held', key}),
    hint(`Not signed in. /login shows the ways again.${waiting}`, at),
  );
}

/** True while there is something to cancel: a turn, a sign-in, or requests that came outside of a turn. */
export function isCancellable(state: AppState): boolean {
  const {turn, pending} = activeSession(state).session;
  return isAtWork(state) || (turn.kind === 'idle' && pending.length > 0);
}

/** True while the agent does what a cancel stops: a turn, or a sign-in. */
export function isAtWork(state: AppState): boolean {
  return activeSession(state).session.turn.kind === 'running' || isSigningIn(state);
}

/** True while the agent is busy with a sign-in, which waits for the user elsewhere. */
function isSigningIn(state: AppState): boolean {
  const {connection} = activeSession(state).session;
  return connection.kind === 'starting' && connection.step === 'authenticating';
}

/** Cancels the turn with all that waits in it, or the sign-in; outside of them, answers what waits. */
export function cancel(state: AppState): Step {
  const {key, session} = activeSession(state);
  if (isAtWork(state)) return perform({kind: 'cancel', key});
  return perform(
    ...session.pending.map(({id}) => ({kind: 'answer', key, id, answer: {kind: 'cancelled'}}) as const),
  );
}

/** Shows the ways to go on, where the session cannot by itself. */
export function openOffer(state: AppState): Step {
  const picker = offerFor(activeSession(state));
  return picker ? openPicker(picker) : nothing;
}
