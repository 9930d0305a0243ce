import type {TurnOutcome} from '../entries.ts';
import type {SessionEvent} from '../events.ts';
import type {SessionState, TurnState} from '../state.ts';
import {withRestoreNote, withCommandOutput} from './attachments.ts';
import {limitEnd} from './provider-limit.ts';
import {
  awaitLimit,
  withoutPriority,
  pauseAllButUrgent,
  requeueUnsentPrompt,
  pauseQueue,
  pauseAll,
  requeueLastPrompt,
  type QueueState,
} from './queue.ts';

/** Updates the queue after an event that is already reduced into `now`. */
export function followSession(before: SessionState, now: SessionState, event: SessionEvent): SessionState {
  const queue = followed(before, now, event);
  return queue === now.queue ? now : {...now, queue};
}

function followed(before: SessionState, now: SessionState, event: SessionEvent): QueueState {
  const {queue, turn, connection} = now;
  if (before.turn.kind !== 'idle' && turn.kind === 'idle')
    return steeringOver(turnEnded(now, before.turn, event.at));
  if (before.turn.kind === 'running' && turn.kind === 'cancelling') return pauseAllButUrgent(queue);
  switch (event.type) {
    case 'prompt_started':
      return {...queue, isSending: false, interruptedPrompt: undefined, limit: undefined};
    case 'connection_changed':
      return connection.kind === 'ready' ? queue : withoutAgent(queue, connection.kind);
    case 'session_opened':
      // What waits was said in the other one.
      return before.sessionId === now.sessionId ? queue : {...awaitLimit(queue, false), limit: undefined};
    case 'terminal_exited':
      return withCommandOutput(queue, now.terminals.get(event.terminalId), event.exit);
    case 'notice':
      return event.restored ? withRestoreNote(queue, event.restored) : queue;
    default:
      return queue;
  }
}

function turnEnded(session: SessionState, turn: Exclude<TurnState, {kind: 'idle'}>, at: number): QueueState {
  const {queue, lastTurn} = session;
  const outcome = lastTurn?.outcome;
  if (outcome?.kind === 'stopped') return stopped(queue, outcome.stopReason);
  // A hook's no, like the agent's, is no interruption.
  if (outcome && ['agent_error', 'prompt_blocked'].includes(outcome.failure.kind))
    return withLimit(pauseAllButUrgent(queue), limitEnd(outcome.failure, at, turn.limitEnd), at);
  if (outcome?.failure.kind === 'authentication_required') return waitingForSignIn(session);
  return {...pauseAll(queue), interruptedPrompt: turn.kind === 'cancelling' ? undefined : queue.lastPrompt};
}

function withLimit(queue: QueueState, until: number | undefined, since: number): QueueState {
  return until === undefined || queue.lastPrompt?.isSentOnce
    ? queue
    : {...queue, limit: {since, until, isAwaited: false, prompt: queue.lastPrompt}};
}

function withoutAgent(queue: QueueState, connection: SessionState['connection']['kind']): QueueState {
  const returned = requeueUnsentPrompt(queue);
  return connection === 'lost' || connection === 'failed' ? pauseAll(awaitLimit(returned, false)) : returned;
}

/** A note with a rejection survives `cancelled`, because some agents end the turn that way after a rejection. */
function stopped(
  queue: QueueState,
  reason: Extract<TurnOutcome, {kind: 'stopped'}>['stopReason'],
): QueueState {
  if (reason === 'end_turn') return queue;
  return reason === 'cancelled' ? pauseQueue(queue) : pauseAllButUrgent(queue);
}

/** Puts the prompt back to be sent as soon as the user is signed in, even if the queue is paused. */
function waitingForSignIn({queue, connection}: SessionState): QueueState {
  const {lastPrompt, prompts} = queue;
  if (connection.kind !== 'authentication_required') return requeueLastPrompt(queue);
  return lastPrompt ? {...queue, prompts: [{...lastPrompt, direct: true, repeats: true}, ...prompts]} : queue;
}

/** The turn ended before the agent answered: it is unknown whether it accepted the prompt, so it must not be sent automatically. */
function steeringOver(queue: QueueState): QueueState {
  if (!queue.prompts.some(({steering}) => steering)) return queue;
  const prompts = queue.prompts.map((prompt) => (prompt.steering ? withoutPriority(prompt) : prompt));
  return {...queue, prompts, isPaused: true};
}
