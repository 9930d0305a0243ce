import {promptBlock, type PastedText} from '../../session/content/pasted-text.ts';
import type {SessionEvent} from '../../session/events.ts';
import type {NewPrompt, QueuePosition} from '../../session/queue/queued-prompt.ts';
import {callAction, emitEvent, combine, type Reaction} from '../effects.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, SessionKey} from '../state.ts';

interface Submission extends Omit<NewPrompt, 'content'> {
  /** The large pastes in it. */
  readonly pastes?: readonly PastedText[];
}

/** Puts a prompt into the queue of a session, from which it is sent as soon as possible. */
export function submitPrompt(
  key: SessionKey,
  {pastes = [], ...prompt}: Submission,
  position: QueuePosition = 'last',
): Reaction {
  const content = [promptBlock(prompt.text, pastes)];
  return combine(
    emitEvent({type: 'prompt_submitted', key}),
    callAction(key, 'changeQueue', {kind: 'submit', prompt: {...prompt, content}, place: position}),
  );
}

/** Returns the notice about a prompt that the agent did not accept during its turn; undefined for other events. */
export function refusedSteering(event: SessionEvent): string | undefined {
  if (event.type !== 'queue_changed' || event.change.kind !== 'steered') return undefined;
  const {outcome, why = ''} = event.change;
  if (outcome !== 'refused') return undefined;
  return `The agent did not accept it in this turn; it is sent next. ${why}`.trimEnd();
}

/** Returns the focus to the draft when the selected prompt has left the queue: a key must never reach another prompt than the visible one. */
export function followQueue(state: AppState): AppState {
  const {focus} = state;
  if (focus.kind !== 'queue') return state;
  const isThere = activeSession(state).session.queue.prompts.some(({id}) => id === focus.id);
  return isThere ? state : {...state, focus: {kind: 'prompt'}};
}
