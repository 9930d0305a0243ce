import type {SteerOutcome} from '../session/actions.ts';
import {fold, nothing, perform, together, type Step} from './effects.ts';
import {calmed, takeQueued, type QueuedPrompt} from './queue.ts';
import type {AppState, OpenSession, SessionKey} from './state.ts';

/*
 * A prompt that is to be sent now, while a turn runs: an agent that takes prompts into a running turn gets it there, any
 * other turn is cancelled, so that the prompt is the next one. It stays in the queue until the agent has it.
 */

/** Does what an urgent prompt needs while a turn runs. */
export function sendNow(state: AppState, key: SessionKey): Step {
  const open = state.sessions[key];
  if (open?.session.turn.kind !== 'running' || open.queue.some(({steering}) => steering)) return nothing;
  const urgent = open.queue.find((prompt) => prompt.urgent);
  if (!urgent) return nothing;
  if (!open.session.agent?.steers) return perform({kind: 'cancel', key});
  const {id, content, files = [], outputs = []} = urgent;
  return together(
    fold({type: 'steering_started', key, id}),
    perform({kind: 'steer', key, id, content, files, outputs}),
  );
}

/** A queued prompt is to go before all others, and now. */
export function hastened(open: OpenSession, id: string): OpenSession {
  const found = takeQueued(open.queue, id);
  if (!found || found.prompt.steering) return open;
  const place = found.queue.filter(({urgent}) => urgent).length;
  return {
    ...open,
    queue: found.queue.toSpliced(place, 0, {...found.prompt, direct: true, urgent: true}),
  };
}

export function steeringStarted(open: OpenSession, id: string): OpenSession {
  return changePrompt(open, id, (prompt) => ({...prompt, steering: true}));
}

/** What the agent did not take goes as soon as the turn is over. Nobody hears of the end of a turn that it began by itself. */
export function steeringEnded(open: OpenSession, id: string, outcome: SteerOutcome): OpenSession {
  if (outcome === 'refused') return changePrompt(open, id, (prompt) => ({...calmed(prompt), direct: true}));
  const queue = takeQueued(open.queue, id)?.queue ?? open.queue;
  const isHeld = open.queueHeld || outcome === 'detached';
  return {...open, queue, queueHeld: isHeld && queue.length > 0};
}

/** The turn ended before the agent answered: whether it took the prompt is not known, so it must not go by itself. */
export function steeringOver(open: OpenSession): OpenSession {
  if (!open.queue.some(({steering}) => steering)) return open;
  const queue = open.queue.map((prompt) => (prompt.steering ? calmed(prompt) : prompt));
  return {...open, queue, queueHeld: true};
}

function changePrompt(
  open: OpenSession,
  id: string,
  change: (prompt: QueuedPrompt) => QueuedPrompt,
): OpenSession {
  return {...open, queue: open.queue.map((prompt) => (prompt.id === id ? change(prompt) : prompt))};
}
