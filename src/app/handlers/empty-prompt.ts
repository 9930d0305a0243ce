import type {QueuedPrompt} from '../../session/queue/queued-prompt.ts';
import {showBoard} from '../board/follow-board.ts';
import type {EditAction} from '../editor/edit.ts';
import {callAction, moveFocus, nothing, perform, type Reaction} from '../effects.ts';
import {activeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {openRecovery} from './cancel.ts';

/** Keys that would move the cursor of an empty prompt lead to what is around it: ↑ to the queue, ← to the open sessions. */
export function leavePrompt(state: AppState, action: EditAction, at: number): Reaction | undefined {
  if (action === 'up_or_earlier') return enterQueue(state, at);
  return action === 'move_left' ? showBoard() : undefined;
}

function enterQueue(state: AppState, at: number): Reaction | undefined {
  const last = lastQueued(state);
  return last && moveFocus({kind: 'queue', id: last.id}, at);
}

/** Edits the last prompt of the queue; undefined if there is none. */
export function editLastQueued(state: AppState): Reaction | undefined {
  const last = lastQueued(state);
  return last && perform({kind: 'edit_unsent', key: state.active, id: last.id});
}

/** The last prompt of the queue, if keys go to the prompt. */
function lastQueued(state: AppState): QueuedPrompt | undefined {
  return state.focus.kind === 'prompt' ? activeSession(state).session.queue.prompts.at(-1) : undefined;
}

/** Enter on an empty prompt: shows the recovery options after a crash, or resumes a paused queue; `now` sends its first prompt. */
export function continueQueue(state: AppState, at: number, place?: 'now'): Reaction {
  const tab = activeSession(state);
  const [first] = tab.session.queue.prompts;
  if (first && place === 'now') return callAction(tab.key, 'changeQueue', {kind: 'prioritize', id: first.id});
  if (tab.session.turn.kind === 'idle') {
    const offer = openRecovery(state);
    if (offer !== nothing) return offer;
  }
  if (tab.session.queue.isPaused) return callAction(tab.key, 'changeQueue', {kind: 'resume'});
  return place === 'now' ? toast('Nothing to send.', at) : nothing;
}
