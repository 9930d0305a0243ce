import {activeSession} from './sessions.ts';
import type {AppState} from './state.ts';

/**
 * Gives the keyboard back to the draft when the selected prompt has left the queue: a key must never reach another prompt than
 * the one that was on the screen.
 */
export function followQueue(state: AppState): AppState {
  const {focus} = state;
  if (focus.kind !== 'queue') return state;
  const isThere = activeSession(state).queue.some(({id}) => id === focus.id);
  return isThere ? state : {...state, focus: {kind: 'prompt'}};
}
