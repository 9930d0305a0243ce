import {isReady} from '../session/selectors.ts';
import {fold, type Step} from './effects.ts';
import {keyName} from './key-names.ts';
import {keysFor} from './keymap.ts';
import {offerFor} from './offers.ts';
import {isEmpty} from './prompt/draft.ts';
import {activeSession, draftInHand} from './sessions.ts';
import type {AppState, OpenSession} from './state.ts';

/** How long feedback stands, in milliseconds. */
export const HINT_MS = 5000;

/** One line of feedback near the prompt. */
export function hint(text: string, at: number): Step {
  return fold({type: 'hint_shown', text, until: at + HINT_MS});
}

/** The line under the prompt: feedback to the last key, otherwise what can be done about what waits. */
export function hintLine(state: AppState): string | undefined {
  return state.hint?.text ?? standingHint(state);
}

function standingHint(state: AppState): string | undefined {
  if (state.focus.kind === 'note')
    return 'Say why, or what to do instead: Enter refuses and sends it, Esc goes back.';
  if (state.overlay.kind !== 'none' || state.focus.kind === 'request') return undefined;
  const open = activeSession(state);
  if (state.request) return `A request waits: ${keyOf(state, 'focus_request')} answers it.`;
  const offer = offerFor(open.session);
  if (offer && open.session.turn.kind === 'idle') return `${offer.title}: Enter shows how to go on.`;
  if (open.queue.length === 0) return retryHint(open);
  const edit = isEmpty(draftInHand(state)) ? '↑' : keyOf(state, 'edit_last_queued');
  if (open.queueHeld && isReady(open.session))
    return `The queue is paused: Enter on an empty prompt goes on, ${edit} edits the last one.`;
  return `Queued: ${edit} edits the last one.`;
}

function retryHint({session, draft}: OpenSession): string | undefined {
  const isFailed = session.turn.kind === 'idle' && session.lastTurn?.outcome.kind === 'failed';
  return isFailed && isReady(session) && isEmpty(draft) ? '/retry sends the last prompt again.' : undefined;
}

function keyOf(state: AppState, action: 'focus_request' | 'edit_last_queued'): string {
  return keyName(keysFor(action, state.keymap)[0] ?? 'no key');
}
