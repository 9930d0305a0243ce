import type {SessionEvent} from '../session/events.ts';
import {isIdle, isReady} from '../session/selectors.ts';
import type {SessionState, TurnOutcome, TurnState} from '../session/state.ts';
import {fold, nothing, perform, together, type Step} from './effects.ts';
import {takeQueued, type QueuedPrompt} from './queue.ts';
import type {AppState, OpenSession, SessionKey} from './state.ts';

/*
 * Every prompt goes through the queue. Only an ordinary end of a turn lets the next one go by itself; after anything
 * else the queue is held. What is typed after that is meant for now: it is `direct`, and goes before what is held.
 */

/** The prompt to send now; undefined while there is none, or it has to wait. */
export function nextToSend(state: AppState, key: SessionKey): QueuedPrompt | undefined {
  const open = state.sessions[key];
  const first = open?.queue[0];
  if (!open || !first || open.sending || !isReady(open.session) || !isIdle(open.session)) return undefined;
  return open.queueHeld && !first.direct ? undefined : first;
}

/** Sends the next prompt if it can go; to be asked after every event. */
export function sendNext(state: AppState, key: SessionKey): Step {
  const next = nextToSend(state, key);
  if (!next) return nothing;
  return together(
    fold({type: 'queue_taken', key, id: next.id}),
    perform({kind: 'send_prompt', key, content: next.content, files: next.files ?? []}),
  );
}

/** Puts a submitted text in its place in the queue. */
export function submitted(
  open: OpenSession,
  prompt: Omit<QueuedPrompt, 'content' | 'direct'>,
  place: 'last' | 'first',
): OpenSession {
  const content = [{type: 'text' as const, text: prompt.text}];
  if (place === 'last' && !open.queueHeld && open.session.turn.kind !== 'cancelling')
    return {...open, queue: [...open.queue, {...prompt, content}]};
  const direct: QueuedPrompt = {...prompt, content, direct: true};
  const index = place === 'first' ? 0 : open.queue.filter((queued) => queued.direct).length;
  return {...open, queue: open.queue.toSpliced(index, 0, direct)};
}

/** A prompt leaves the queue to be sent. */
export function taken(open: OpenSession, id: string): OpenSession {
  const found = takeQueued(open.queue, id);
  if (!found) return open;
  return {...withQueue(open, found.queue), sending: true, lastPrompt: found.prompt};
}

/** The session with another queue; an empty one is not held. */
export function withQueue(open: OpenSession, queue: readonly QueuedPrompt[]): OpenSession {
  return {...open, queue, queueHeld: open.queueHeld && queue.length > 0};
}

/** Lets the queue wait for Enter; what was `direct` waits with it. */
function held(open: OpenSession): OpenSession {
  return {...open, queueHeld: open.queue.length > 0, queue: open.queue.map(undirected)};
}

/** Lets the queue wait for Enter, except for what is `direct`. */
function heldBehindDirect(open: OpenSession): OpenSession {
  return {...open, queueHeld: open.queue.length > 0};
}

function undirected(prompt: QueuedPrompt): QueuedPrompt {
  return prompt.direct ? {...prompt, direct: false} : prompt;
}

/** Offers the prompt that did not finish again: it waits before all others. */
function offeredAgain(open: OpenSession): OpenSession {
  if (!open.lastPrompt) return held(open);
  return held({...open, queue: [open.lastPrompt, ...open.queue]});
}

/** A prompt that was taken from the queue could not be sent: it waits there again, first of all. */
export function notSent(open: OpenSession): OpenSession {
  return open.sending ? {...offeredAgain(open), sending: false} : open;
}

/** What an event of the session, already folded into `session`, means for what waits to be sent. */
export function followSession(open: OpenSession, session: SessionState, event: SessionEvent): OpenSession {
  const before = open.session;
  const now = {...open, session};
  if (before.turn.kind !== 'idle' && session.turn.kind === 'idle') return turnEnded(now, before.turn);
  if (before.turn.kind === 'running' && session.turn.kind === 'cancelling') return held(now);
  if (event.type === 'prompt_started') return {...now, sending: false};
  if (event.type !== 'connection_changed') return now;
  const {kind} = session.connection;
  if (open.sending && kind !== 'ready') return notSent(now);
  return kind === 'lost' || kind === 'failed' ? held(now) : now;
}

function turnEnded(open: OpenSession, turn: Exclude<TurnState, {kind: 'idle'}>): OpenSession {
  const outcome = open.session.lastTurn?.outcome;
  if (outcome?.kind === 'stopped') return stopped(open, outcome.stopReason);
  const isOver = turn.kind === 'cancelling' || outcome?.failure.kind === 'agent_error';
  return isOver ? held(open) : offeredAgain(open);
}

/** A note that refuses something goes on after `cancelled`: some agents end the turn so when they are refused. */
function stopped(
  open: OpenSession,
  reason: Extract<TurnOutcome, {kind: 'stopped'}>['stopReason'],
): OpenSession {
  if (reason === 'end_turn') return open;
  return reason === 'cancelled' ? heldBehindDirect(open) : held(open);
}
