import type {SteerOutcome} from '../../session/actions.ts';
import type {SessionEvent} from '../../session/events.ts';
import {hasNoSession, isIdle, isReady} from '../../session/selectors.ts';
import type {SessionState, TurnState} from '../../session/state.ts';
import {restored, prependToDraft} from '../editor/insert.ts';
import {call, fold, nothing, perform, together, type Step} from '../effects.ts';
import type {AppEventOf} from '../events.ts';
import {changeSession} from '../sessions.ts';
import type {AppState, OpenSession, SessionKey} from '../state.ts';
import {deprioritized, takeQueued, takeFree} from './queue.ts';
import type {TurnOutcome} from '../../session/entries.ts';
import type {QueuedPrompt, QueuePlace} from './queued-prompt.ts';

/*
 * Every prompt goes through the queue. Only after a normal end of a turn the next one is sent automatically; otherwise the queue is paused. A prompt typed
 * after that is meant for now: it is `direct`, and goes before the paused ones.
 */

/** Returns the prompt to send now; undefined if there is none, or it has to wait. */
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

/** Sends the next prompt if possible, in a new session if none is open; called after every event. */
export function sendNext(state: AppState, key: SessionKey): Step {
  const next = nextToSend(state, key);
  if (!next && opensSession(state, key))
    return together(
      fold({type: 'session_changed', key, change: {wantsSession: false}}),
      call(key, 'openSession', {kind: 'new'}),
    );
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
      ...(next.isAgents && {isAgents: true}),
    }),
  );
}

/** True once the agent of a session that is wanted runs, unless one is being selected. */
function opensSession({sessions, active, overlay}: AppState, key: SessionKey): boolean {
  const open = sessions[key];
  const isSelecting =
    key === active && overlay.kind === 'picker' && overlay.picker.purpose.kind === 'sessions';
  return open?.wantsSession === true && hasNoSession(open.session) && !isSelecting;
}

/** Inserts a submitted text at its place in the queue. */
export function submitted(open: OpenSession, waiting: QueuedPrompt, place: QueuePlace): OpenSession {
  const {queue} = open;
  const isOpen = !open.queuePaused && open.session.turn.kind !== 'cancelling';
  if (isOpen && place === 'last') return {...open, queue: [...queue, waiting]};
  if (isOpen && typeof place === 'number') return {...open, queue: queue.toSpliced(place, 0, waiting)};
  const direct: QueuedPrompt = {...waiting, direct: true, ...(place === 'now' && {urgent: true})};
  const index =
    place === 'first' ? 0 : queue.filter((queued) => queued[place === 'now' ? 'urgent' : 'direct']).length;
  return {...open, queue: queue.toSpliced(index, 0, direct)};
}

/** Removes a prompt from the queue to be sent. */
export function dequeued(open: OpenSession, id: string): OpenSession {
  const found = takeQueued(open.queue, id);
  if (!found) return open;
  return {...withQueue(open, found.queue), sending: true, lastPrompt: found.prompt};
}

/** Returns the session with another queue; an empty one is not paused. */
export function withQueue(open: OpenSession, queue: readonly QueuedPrompt[]): OpenSession {
  return {...open, queue, queuePaused: open.queuePaused && queue.length > 0};
}

/** Pauses the queue including `direct` prompts, except for one that is to be sent now. */
function held(open: OpenSession): OpenSession {
  return {
    ...pausedBehindSendNow(open),
    queue: open.queue.map((prompt) => (prompt.urgent ? prompt : deprioritized(prompt))),
  };
}

/** Pauses the queue, except for `direct` prompts. */
export function pausedBehindSendNow(open: OpenSession): OpenSession {
  return {...open, queuePaused: open.queue.length > 0};
}

/** Nothing can be sent: pauses the whole queue. */
function stuck(open: OpenSession): OpenSession {
  return {...pausedBehindSendNow(open), queue: open.queue.map(deprioritized)};
}

/** Puts a prompt that could not be sent back at the front. */
function waitingAgain(open: OpenSession): OpenSession {
  if (!open.lastPrompt) return stuck(open);
  return stuck({...open, queue: [open.lastPrompt, ...open.queue]});
}

/** Puts the prompt back to be sent as soon as the user is signed in, even if the queue is paused. */
function waitingForSignIn(open: OpenSession): OpenSession {
  const {lastPrompt, queue, session} = open;
  if (session.connection.kind !== 'authentication_required') return waitingAgain(open);
  return lastPrompt ? {...open, queue: [{...lastPrompt, direct: true, repeats: true}, ...queue]} : open;
}

/** Puts a prompt that was taken but could not be sent back at the front of the queue. */
export function notSent(open: OpenSession): OpenSession {
  return open.sending ? {...waitingAgain(open), sending: false} : open;
}

/** Updates the queue after an event that is already reduced into `session`. */
export function followSession(open: OpenSession, session: SessionState, event: SessionEvent): OpenSession {
  const before = open.session;
  const now = {...open, session};
  if (before.turn.kind !== 'idle' && session.turn.kind === 'idle')
    return steeringOver(turnEnded(now, before.turn));
  if (before.turn.kind === 'running' && session.turn.kind === 'cancelling') return held(now);
  if (event.type === 'prompt_started') return {...now, sending: false, interruptedPrompt: undefined};
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
  return {...stuck(open), interruptedPrompt: turn.kind === 'cancelling' ? undefined : open.lastPrompt};
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
 * A prompt to be sent now during a turn: if the agent supports steering it is added to the turn, otherwise the turn is cancelled, so that it is next. It stays
 * queued until the agent has accepted it.
 */

/** Steers or cancels the running turn for an urgent prompt. */
function sendNow(state: AppState, key: SessionKey): Step {
  const open = state.sessions[key];
  if (open?.session.turn.kind !== 'running' || open.queue.some(({steering}) => steering)) return nothing;
  const urgent = open.queue.find((prompt) => prompt.urgent);
  if (!urgent) return nothing;
  if (!open.session.agent?.steers) return call(key, 'cancel');
  const {id, content, files = [], outputs = [], isAgents = false} = urgent;
  return together(
    fold({type: 'steering_started', key, id}),
    perform({kind: 'steer', key, id, content, files, outputs, isAgents}),
  );
}

/** Moves a queued prompt to the front, to be sent now. */
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

/** A refused prompt is sent when the turn ends. If the agent started a separate turn, its end is not reported. */
export function steeringEnded(open: OpenSession, id: string, outcome: SteerOutcome): OpenSession {
  if (outcome === 'refused')
    return changePrompt(open, id, (prompt) => ({...deprioritized(prompt), direct: true}));
  const queue = takeQueued(open.queue, id)?.queue ?? open.queue;
  const isPaused = open.queuePaused || outcome === 'detached';
  return {...open, queue, queuePaused: isPaused && queue.length > 0};
}

/** The turn ended before the agent answered: it is unknown whether it accepted the prompt, so it must not be sent automatically. */
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

/** Puts a queued prompt back into the draft, with its files and outputs. */
export function queueEdited(state: AppState, {key, id, at}: AppEventOf<'queue_edited'>): AppState {
  const edited = changeSession(state, key, (open) => {
    const found = takeFree(open.queue, id);
    if (!found) return open;
    return {
      ...withQueue(open, found.queue),
      editedPlace: open.queue.indexOf(found.prompt),
      outputs: [...(found.prompt.outputs ?? []), ...open.outputs],
      draft: prependToDraft(open.draft, found.prompt.text, found.prompt.files),
    };
  });
  return {...edited, lastTypedAt: at};
}

/** Unsent prompts of an earlier run are paused; what was typed in this run goes before them. */
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
