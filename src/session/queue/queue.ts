import type {ProviderLimit} from './provider-limit.ts';
import type {PromptAttachment, QueuedPrompt} from './queued-prompt.ts';

/** The prompts of a session that are not sent yet, and what the next one takes along. */
export interface QueueState {
  readonly prompts: readonly QueuedPrompt[];
  /** True after a cancel, an error or a crash, until the user resumes it. Never true without prompts. */
  readonly isPaused: boolean;
  /** True while a question about the folder's settings must be answered before anything is sent. */
  readonly isHeld: boolean;
  /** True for a prompt taken from the queue whose turn has not started yet. */
  readonly isSending: boolean;
  /** Attached to the next prompt. */
  readonly outputs: readonly PromptAttachment[];
  /** The prompt taken from the queue last, which `resend` sends again. */
  readonly lastPrompt: QueuedPrompt | undefined;
  /** The prompt whose turn was interrupted by the end of the agent or of acp-tui: offered until it or another one is sent. */
  readonly interruptedPrompt: QueuedPrompt | undefined;
  /** The limit of the agent's provider at which a prompt failed; undefined once it is over, or another prompt is sent. */
  readonly limit?: ProviderLimit | undefined;
  /** The number of prompts so far, for their ids. */
  readonly serial: number;
}

export const emptyQueue: QueueState = {
  prompts: [],
  isPaused: false,
  isHeld: false,
  isSending: false,
  outputs: [],
  lastPrompt: undefined,
  interruptedPrompt: undefined,
  serial: 0,
};

type Prompts = readonly QueuedPrompt[];

/** Returns the prompts that are to be sent. One whose files are being read is in neither the queue nor the transcript, and one that waits for the end of a limit is not in the queue. */
export function unsentPrompts({prompts, isSending, lastPrompt, limit}: QueueState): Prompts {
  return [
    ...(isSending && lastPrompt ? [lastPrompt] : []),
    ...(limit?.isAwaited && limit.prompt ? [limit.prompt] : []),
    ...prompts,
  ];
}

/** True while a prompt waits for the end of a limit. */
export function isLimitAwaited({limit}: QueueState): boolean {
  return limit?.isAwaited === true;
}

/** True if a prompt is sent next without the user, as soon as the session is idle. */
export function sendsNext(queue: QueueState): boolean {
  return queue.prompts.length > 0 && !queue.isPaused && !isLimitAwaited(queue);
}

/** True if nothing is sent, now or later, without the user. */
export function isQueueAtRest(queue: QueueState): boolean {
  return !queue.isSending && !sendsNext(queue) && !isLimitAwaited(queue);
}

/** Waits for the end of a limit, with everything that is queued; or does not any more, and pauses the queue. */
export function awaitLimit(queue: QueueState, isAwaited: boolean): QueueState {
  const {limit} = queue;
  if (!limit?.prompt || limit.isAwaited === isAwaited) return queue;
  const changed = {...queue, limit: {...limit, isAwaited}};
  return isAwaited ? {...changed, isPaused: false} : pauseAll(changed);
}

/** Returns the prompt without priority. */
export function withoutPriority({
  direct: _d,
  urgent: _u,
  repeats: _r,
  steering: _s,
  ...prompt
}: QueuedPrompt): QueuedPrompt {
  return prompt;
}

/** Removes a prompt; undefined if it is not queued. */
export function takeQueued(
  prompts: Prompts,
  id: string,
): {readonly prompt: QueuedPrompt; readonly prompts: Prompts} | undefined {
  const prompt = prompts.find((queued) => queued.id === id);
  return prompt && {prompt, prompts: prompts.filter((queued) => queued !== prompt)};
}

/** Removes a prompt; undefined if it is not queued, or the agent is being asked to accept it: it could be sent twice, or not at all. */
export function takeUnlessSteering(prompts: Prompts, id: string): ReturnType<typeof takeQueued> {
  const found = takeQueued(prompts, id);
  return found?.prompt.steering ? undefined : found;
}

/** Moves a prompt by a number of positions, towards the front if negative; stops at either end. */
export function moveQueued(prompts: Prompts, id: string, by: number): Prompts {
  const removed = takeQueued(prompts, id);
  if (!removed) return prompts;
  const place = prompts.indexOf(removed.prompt) + by;
  return removed.prompts.toSpliced(Math.max(0, place), 0, removed.prompt);
}

/** Returns the queue with other prompts; an empty one is not paused. */
export function withPrompts(queue: QueueState, prompts: Prompts): QueueState {
  return {...queue, prompts, isPaused: queue.isPaused && prompts.length > 0};
}

/** Pauses the queue, except for `direct` prompts. */
export function pauseQueue(queue: QueueState): QueueState {
  return {...queue, isPaused: queue.prompts.length > 0};
}

/** Pauses the queue including `direct` prompts, except for one that is to be sent now. */
export function pauseAllButUrgent(queue: QueueState): QueueState {
  const prompts = queue.prompts.map((prompt) => (prompt.urgent ? prompt : withoutPriority(prompt)));
  return {...pauseQueue(queue), prompts};
}

/** Nothing can be sent: pauses the whole queue. */
export function pauseAll(queue: QueueState): QueueState {
  return {...pauseQueue(queue), prompts: queue.prompts.map(withoutPriority)};
}

/** Puts the prompt taken last back at the front. */
export function requeueLastPrompt(queue: QueueState): QueueState {
  if (!queue.lastPrompt) return pauseAll(queue);
  return pauseAll({...queue, prompts: [queue.lastPrompt, ...queue.prompts]});
}

/** Puts a prompt that was taken but could not be sent back at the front of the queue. */
export function requeueUnsentPrompt(queue: QueueState): QueueState {
  return queue.isSending ? {...requeueLastPrompt(queue), isSending: false} : queue;
}
