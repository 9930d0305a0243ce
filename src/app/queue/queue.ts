import {activeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import type {QueuedPrompt} from './queued-prompt.ts';

type Queue = readonly QueuedPrompt[];

/** The prompt as one that waits like all others. */
export function deprioritized({id, text, content, files, outputs}: QueuedPrompt): QueuedPrompt {
  return {id, text, content, ...(files && {files}), ...(outputs && {outputs})};
}

/** Takes a prompt out, the first one if none is named; undefined when it is not there. */
export function takeQueued(
  queue: Queue,
  id: string | undefined = queue[0]?.id,
): {readonly prompt: QueuedPrompt; readonly queue: Queue} | undefined {
  const prompt = queue.find((queued) => queued.id === id);
  return prompt && {prompt, queue: queue.filter((queued) => queued !== prompt)};
}

/** The same, but nothing of a prompt that the agent may be taking just now: it would be there twice, or not at all. */
export function takeFree(queue: Queue, id: string): ReturnType<typeof takeQueued> {
  const found = takeQueued(queue, id);
  return found?.prompt.steering ? undefined : found;
}

/** Moves a prompt by a number of places, towards the front when negative; it stops at either end. */
export function moveQueued(queue: Queue, id: string, by: number): Queue {
  const taken = takeQueued(queue, id);
  if (!taken) return queue;
  const place = queue.indexOf(taken.prompt) + by;
  return taken.queue.toSpliced(Math.max(0, place), 0, taken.prompt);
}

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
