import {activeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import type {QueuedPrompt} from './queued-prompt.ts';

type Queue = readonly QueuedPrompt[];

/** Returns the prompt without priority. */
export function deprioritized({
  direct: _d,
  urgent: _u,
  repeats: _r,
  steering: _s,
  ...prompt
}: QueuedPrompt): QueuedPrompt {
  return prompt;
}

/** Removes a prompt from the queue, the first one by default; undefined if it is not queued. */
export function takeQueued(
  queue: Queue,
  id: string | undefined = queue[0]?.id,
): {readonly prompt: QueuedPrompt; readonly queue: Queue} | undefined {
  const prompt = queue.find((queued) => queued.id === id);
  return prompt && {prompt, queue: queue.filter((queued) => queued !== prompt)};
}

/** The same, except for a prompt that the agent is being asked to accept: it could be sent twice, or not at all. */
export function takeFree(queue: Queue, id: string): ReturnType<typeof takeQueued> {
  const found = takeQueued(queue, id);
  return found?.prompt.steering ? undefined : found;
}

/** Moves a prompt by a number of positions, towards the front if negative; stops at either end. */
export function moveQueued(queue: Queue, id: string, by: number): Queue {
  const removed = takeQueued(queue, id);
  if (!removed) return queue;
  const place = queue.indexOf(removed.prompt) + by;
  return removed.queue.toSpliced(Math.max(0, place), 0, removed.prompt);
}

/** Returns the focus to the draft when the selected prompt has left the queue: a key must never reach another prompt than the visible one. */
export function followQueue(state: AppState): AppState {
  const {focus} = state;
  if (focus.kind !== 'queue') return state;
  const isThere = activeSession(state).queue.some(({id}) => id === focus.id);
  return isThere ? state : {...state, focus: {kind: 'prompt'}};
}
