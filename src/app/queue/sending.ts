import type {SteerOutcome} from '../../session/actions.ts';
import type {SessionEvent} from '../../session/events.ts';
import {isIdle, isReady} from '../../session/selectors.ts';
import type {SessionState, TurnState} from '../../session/state.ts';
import {restored, takeBack} from '../editor/insert.ts';
import {fold, perform, together, type Step, nothing} from '../effects.ts';
import type {AppEventOf} from '../events.ts';
import {changeSession} from '../sessions.ts';
import type {AppState, OpenSession, SessionKey} from '../state.ts';
import {deprioritized, takeQueued, takeFree} from './queue.ts';
import type {TurnOutcome} from '../../session/entries.ts';
import type {QueuedPrompt, QueuePlace} from './queued-prompt.ts';

/*
 * Every prompt goes through the queue. Only an ordinary end of a turn lets the next one go by itself; after anything
 * else the queue is held. What is typed after that is meant for now: it is `direct`, and goes before what is held.
 */

/** The prompt to send now; undefined while there is none, or it has to wait. */
export function nextToSend(state: AppState, key: SessionKey): QueuedPrompt | undefined {
  const open = state.sessions[key];
  const first = open?.queue[0];
  if (
    !open ||
    !first ||
    open.waitsForTrust ||
    open.sending ||
    !isReady(open.session) ||
    !isIdle(open.session)
  )
    return undefined;
  return open.queuePaused && !first.direct ? undefined : first;
}

/** Sends the next prompt if it can go; to be asked after every event. */
export function sendNext(state: AppState, key: SessionKey): Step {
  const next = nextToSend(state, key);
  if (!next) return sendNow(state, key);
  return together(
    fold({type: 'queue_taken', key, id: next.id}),
    perform({
      kind: 'send_prompt',
      key,
      content: next.content,
      files: next.files ?? [],
      outputs: next.outputs ?? [],
      ...(next.repeats && {repeats: true}),
    }),
  );
}

/** Puts a submitted text in its place in the queue. */
export function submitted(
  open: OpenSession,
  prompt: Pick<QueuedPrompt, 'id' | 'text' | 'files' | 'outputs'>,
  place: QueuePlace,
): OpenSession {
  const {queue} = open;
  const waiting: QueuedPrompt = {...prompt, content: [{type: 'text', text: prompt.text}]};
  const isOpen = !open.queuePaused && open.session.turn.kind !== 'cancelling';
  if (isOpen && place === 'last') return {...open, queue: [...queue, waiting]};
  if (isOpen && typeof place === 'number') return {...open, queue: queue.toSpliced(place, 0, waiting)};
  const direct: QueuedPrompt = {...waiting, direct: true, ...(place === 'now' && {urgent: true})};
  const index =
    place === 'first' ? 0 : queue.filter((queued) => queued[place === 'now' ? 'urgent' : 'direct']).length;
  return {...open, queue: queue.toSpliced(index, 0, direct)};
}

/** A prompt leaves the queue to be sent. */
export function taken(open: OpenSession, id: string): OpenSession {
  const found = takeQueued(open.queue, id);
  if (!found) return open;
  return {...withQueue(open, found.queue), sending: true, lastPrompt: found.prompt};
}

/** The session with another queue; an empty one is not held. */
export function withQueue(open: OpenSession, queue: readonly QueuedPrompt[]): OpenSession {
  return {...open, queue, queuePaused: open.queuePaused && queue.length > 0};
}

/** Lets the queue wait for Enter, what was `direct` with it; only what is to go now still does. */
function held(open: OpenSession): OpenSession {
  return {
    ...pausedBehindSendNow(open),
    queue: open.queue.map((prompt) => (prompt.urgent ? prompt : deprioritized(prompt))),
  };
}

/** Lets the queue wait for Enter, except for what is `direct`. */
export function pausedBehindSendNow(open: OpenSession): OpenSession {
  return {...open, queuePaused: open.queue.length > 0};
}

/** Nothing can be sent any more: all of the queue waits for Enter. */
function stuck(open: OpenSession): OpenSession {
  return {...pausedBehindSendNow(open), queue: open.queue.map(deprioritized)};
}

/** What could not be sent waits in its place: before all others. */
function waitingAgain(open: OpenSession): OpenSession {
  if (!open.lastPrompt) return stuck(open);
  return stuck({...open, queue: [open.lastPrompt, ...open.queue]});
}

/** The prompt goes again as soon as the user is signed in, also before what is held. */
function waitingForSignIn(open: OpenSession): OpenSession {
  const {lastPrompt, queue, session} = open;
  if (session.connection.kind !== 'authentication_required') return waitingAgain(open);
  return lastPrompt ? {...open, queue: [{...lastPrompt, direct: true, repeats: true}, ...queue]} : open;
}

/** A prompt that was taken from the queue could not be sent: it waits there again, first of all. */
export function notSent(open: OpenSession): OpenSession {
  return open.sending ? {...waitingAgain(open), sending: false} : open;
}

/** Updates the queue after an event of the session that is already folded into `session`. */
export function followSession(open: OpenSession, session: SessionState, event: SessionEvent): OpenSession {
  const before = open.session;
  const now = {...open, session};
  if (before.turn.kind !== 'idle' && session.turn.kind === 'idle')
    return steeringOver(turnEnded(now, before.turn));
  if (before.turn.kind === 'running' && session.turn.kind === 'cancelling') return held(now);
  if (event.type === 'prompt_started') return {...now, sending: false, cutOff: undefined};
  if (event.type !== 'connection_changed') return now;
  const {kind} = session.connection;
  if (open.sending && kind !== 'ready') return notSent(now);
  return kind === 'lost' || kind === 'failed' ? stuck(now) : now;
}

function turnEnded(open: OpenSession, turn: Exclude<TurnState, {kind: 'idle'}>): OpenSession {
  const outcome = open.session.lastTurn?.outcome;
  if (outcome?.kind === 'stopped') return stopped(open, outcome.stopReason);
  if (outcome?.failure.kind === 'agent_error') return held(open);
  if (outcome?.failure.kind === 'authentication_required') return waitingForSignIn(open);
  return {...stuck(open), cutOff: turn.kind === 'cancelling' ? undefined : open.lastPrompt};
}

/** A note with a rejection survives `cancelled`, because some agents end the turn that way after a rejection. */
function stopped(
  open: OpenSession,
  reason: Extract<TurnOutcome, {kind: 'stopped'}>['stopReason'],
): OpenSession {
  if (reason === 'end_turn') return open;
  return reason === 'cancelled' ? pausedBehindSendNow(open) : held(open);
}

/*
 * A prompt that is to be sent now, while a turn runs: an agent that takes prompts into a running turn gets it there, any
 * other turn is cancelled, so that the prompt is the next one. It stays in the queue until the agent has it.
 */

/** Does what an urgent prompt needs while a turn runs. */
function sendNow(state: AppState, key: SessionKey): Step {
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
export function prioritized(open: OpenSession, id: string): OpenSession {
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

/** A refused prompt is sent when the turn ends. The end of a turn that the agent started separately is not reported. */
export function steeringEnded(open: OpenSession, id: string, outcome: SteerOutcome): OpenSession {
  if (outcome === 'refused')
    return changePrompt(open, id, (prompt) => ({...deprioritized(prompt), direct: true}));
  const queue = takeQueued(open.queue, id)?.queue ?? open.queue;
  const isHeld = open.queuePaused || outcome === 'detached';
  return {...open, queue, queuePaused: isHeld && queue.length > 0};
}

/** The turn ended before the agent answered: whether it took the prompt is not known, so it must not go by itself. */
function steeringOver(open: OpenSession): OpenSession {
  if (!open.queue.some(({steering}) => steering)) return open;
  const queue = open.queue.map((prompt) => (prompt.steering ? deprioritized(prompt) : prompt));
  return {...open, queue, queuePaused: true};
}

function changePrompt(
  open: OpenSession,
  id: string,
  change: (prompt: QueuedPrompt) => QueuedPrompt,
): OpenSession {
  return {...open, queue: open.queue.map((prompt) => (prompt.id === id ? change(prompt) : prompt))};
}

/** A queued prompt goes back into the draft, with all that goes along with it. */
export function queueEdited(state: AppState, {key, id, at}: AppEventOf<'queue_edited'>): AppState {
  const edited = changeSession(state, key, (open) => {
    const found = takeFree(open.queue, id);
    if (!found) return open;
    return {
      ...withQueue(open, found.queue),
      editedPlace: open.queue.indexOf(found.prompt),
      outputs: [...(found.prompt.outputs ?? []), ...open.outputs],
      draft: takeBack(open.draft, found.prompt.text, found.prompt.files),
    };
  });
  return {...edited, lastTypedAt: at};
}

/** What an earlier run left unsent waits for Enter; what was typed in this one goes before it. */
export function journalLoaded(
  state: AppState,
  {key, draft, queue, files, outputs}: AppEventOf<'journal_loaded'>,
): AppState {
  const old = queue.map((text, index) => ({
    id: `prompt-${state.serial + index}`,
    text,
    content: [{type: 'text' as const, text}],
    files: files?.queue[index] ?? [],
    outputs: outputs?.queue[index] ?? [],
  }));
  return changeSession({...state, serial: state.serial + queue.length}, key, (open) => ({
    ...open,
    draft: draft === '' ? open.draft : restored(open.draft, draft, files?.draft),
    outputs: [...(outputs?.draft ?? []), ...open.outputs],
    queue: [...open.queue.map((prompt) => ({...prompt, direct: true})), ...old],
    queuePaused: open.queuePaused || old.length > 0,
  }));
}
