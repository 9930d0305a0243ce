import type {SteerOutcome} from './queued-prompt.ts';
import type {SessionState} from '../state.ts';
import type {QueueChange, SendingChange} from './queue-changes.ts';
import {
  awaitLimit,
  withoutPriority,
  moveQueued,
  requeueLastPrompt,
  requeueUnsentPrompt,
  pauseQueue,
  takeUnlessSteering,
  takeQueued,
  withPrompts,
  type QueueState,
} from './queue.ts';
import type {NewPrompt, PromptAttachment, QueuedPrompt, QueuePosition} from './queued-prompt.ts';

/*
 * Every prompt goes through the queue. Only after a normal end of a turn the next one is sent automatically; otherwise the queue is paused. A prompt typed
 * after that is meant for now: it is `direct`, and goes before the paused ones.
 */

/** Changes the queue; the same state if what is changed is not there any more. */
export function changeQueue(session: SessionState, change: QueueChange | SendingChange): SessionState {
  const queue = changed(session, change);
  return queue === session.queue ? session : {...session, queue};
}

function changed(session: SessionState, change: QueueChange | SendingChange): QueueState {
  const {queue} = session;
  switch (change.kind) {
    case 'submit':
      return submitted(session, change);
    case 'remove':
      return removed(queue, change.id);
    case 'edit':
      return edited(queue, change.id);
    case 'move':
      return withPrompts(queue, moveQueued(queue.prompts, change.id, change.by));
    case 'prioritize':
      return prioritized(queue, change.id);
    case 'pause':
      return pauseQueue(queue);
    case 'resume':
      return {...queue, isPaused: false};
    case 'hold':
      return queue.isHeld === change.isHeld ? queue : {...queue, isHeld: change.isHeld};
    case 'resend_interrupted':
      return resent(queue, change);
    case 'leave_interrupted':
      return {...queue, interruptedPrompt: undefined};
    case 'await_limit':
      return awaitLimit(queue, change.isAwaited);
    case 'limit_over':
      return limitOver(queue);
    case 'drop_output':
      return withoutOutputs(queue, [change]);
    case 'restore':
      return restored(queue, change);
    case 'clear':
      return {...queue, prompts: [], isPaused: false, outputs: []};
    case 'taken':
      return taken(queue, change.id);
    case 'not_sent':
      return requeueUnsentPrompt(queue);
    case 'returned':
      return requeueLastPrompt(queue);
    case 'send_returned':
      return sentAfterAll(queue, change.id);
    case 'steering':
      return changePrompt(queue, change.id, (prompt) => ({...prompt, steering: true}));
    case 'steered':
      return steered(queue, change);
    // Not from a window of this version.
    default:
      return queue;
  }
}

function submitted(
  {queue, turn}: SessionState,
  {prompt, place}: {readonly prompt: NewPrompt; readonly place: QueuePosition},
): QueueState {
  const {prompts, isPaused, serial} = queue;
  const next = {...withoutOutputs(queue, prompt.outputs ?? []), serial: serial + 1};
  const waiting = {...prompt, id: promptId(serial)};
  const isOpen = !isPaused && turn.kind !== 'cancelling';
  if (isOpen && place === 'last') return {...next, prompts: [...prompts, waiting]};
  // One that was edited stays behind those in front of it, which are paused, too.
  if (typeof place === 'number' && (isOpen || prompts.length > 0))
    return {...next, prompts: prompts.toSpliced(place, 0, waiting)};
  const direct: QueuedPrompt = {...waiting, direct: true, ...(place === 'now' && {urgent: true})};
  const index =
    place === 'first' ? 0 : prompts.filter((queued) => queued[place === 'now' ? 'urgent' : 'direct']).length;
  return {...next, prompts: prompts.toSpliced(index, 0, direct)};
}

function promptId(serial: number): string {
  return `prompt-${serial}`;
}

function withoutOutputs(queue: QueueState, gone: readonly Pick<PromptAttachment, 'id'>[]): QueueState {
  const outputs = queue.outputs.filter(({id}) => !gone.some((each) => each.id === id));
  return outputs.length === queue.outputs.length ? queue : {...queue, outputs};
}

/** Takes a prompt out; what is attached to it goes to the next one. */
function removed(queue: QueueState, id: string): QueueState {
  const found = takeUnlessSteering(queue.prompts, id);
  return found ? withOutputs(withPrompts(queue, found.prompts), found.prompt) : queue;
}

function edited(queue: QueueState, id: string): QueueState {
  const {interruptedPrompt: prompt} = queue;
  return prompt?.id === id
    ? withOutputs({...queue, interruptedPrompt: undefined}, prompt)
    : removed(queue, id);
}

function withOutputs(queue: QueueState, {outputs = []}: QueuedPrompt): QueueState {
  return outputs.length === 0 ? queue : {...queue, outputs: [...outputs, ...queue.outputs]};
}

/** Moves a queued prompt to the front, to be sent now. */
function prioritized(queue: QueueState, id: string): QueueState {
  const found = takeUnlessSteering(queue.prompts, id);
  if (!found) return queue;
  const place = found.prompts.filter(({urgent}) => urgent).length;
  const prompts = found.prompts.toSpliced(place, 0, {...found.prompt, direct: true, urgent: true});
  return {...queue, prompts};
}

function resent(
  queue: QueueState,
  {repeats}: Extract<QueueChange, {kind: 'resend_interrupted'}>,
): QueueState {
  const {interruptedPrompt: prompt} = queue;
  if (!prompt) return queue;
  const first = {...withoutPriority(prompt), ...(repeats && {repeats})};
  return sendAgain({...queue, interruptedPrompt: undefined}, first);
}

/** The prompt goes first, and the queue continues. */
function sendAgain(queue: QueueState, prompt: QueuedPrompt): QueueState {
  return {...queue, prompts: [{...prompt, direct: true}, ...queue.prompts], isPaused: false};
}

/** It goes first; the others stay paused if they are. */
function sentAfterAll(queue: QueueState, id: string): QueueState {
  const found = takeQueued(queue.prompts, id);
  return found ? {...queue, prompts: [{...found.prompt, direct: true}, ...found.prompts]} : queue;
}

function limitOver(queue: QueueState): QueueState {
  const {limit} = queue;
  if (!limit) return queue;
  const over = {...queue, limit: undefined};
  return limit.isAwaited && limit.prompt ? sendAgain(over, withoutPriority(limit.prompt)) : over;
}

function restored(
  queue: QueueState,
  {prompts, outputs, isPaused}: Extract<QueueChange, {kind: 'restore'}>,
): QueueState {
  const {serial} = queue;
  const old = prompts.map((prompt, index) => ({...prompt, id: promptId(serial + index)}));
  // What was typed meanwhile is not held up by them; what is paused already stays so.
  const pauses = isPaused && old.length > 0 && !queue.isPaused;
  const own = pauses ? queue.prompts.map((prompt) => ({...prompt, direct: true})) : queue.prompts;
  return {
    ...queue,
    prompts: [...own, ...old],
    isPaused: queue.isPaused || pauses,
    outputs: [...outputs, ...queue.outputs],
    serial: serial + old.length,
  };
}

function taken(queue: QueueState, id: string): QueueState {
  const found = takeQueued(queue.prompts, id);
  if (!found) return queue;
  return {...withPrompts(queue, found.prompts), isSending: true, lastPrompt: found.prompt};
}

/** A refused prompt is sent when the turn ends. If the agent started a separate turn, its end is not reported. */
function steered(
  queue: QueueState,
  {id, outcome}: {readonly id: string; readonly outcome: SteerOutcome},
): QueueState {
  if (outcome === 'refused')
    return changePrompt(queue, id, (prompt) => ({...withoutPriority(prompt), direct: true}));
  const isPaused = queue.isPaused || outcome === 'detached';
  return withPrompts({...queue, isPaused}, takeQueued(queue.prompts, id)?.prompts ?? queue.prompts);
}

function changePrompt(
  queue: QueueState,
  id: string,
  change: (prompt: QueuedPrompt) => QueuedPrompt,
): QueueState {
  return {...queue, prompts: queue.prompts.map((prompt) => (prompt.id === id ? change(prompt) : prompt))};
}
