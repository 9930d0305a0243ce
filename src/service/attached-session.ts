import {setTimeout as wait} from 'node:timers/promises';
import type {SessionActions} from '../session/actions.ts';
import type {SessionEvent} from '../session/events.ts';
import {fromSent} from '../session/lifecycle/sent-state.ts';
import type {SessionState} from '../session/state.ts';
import {keepOffPath} from '../shared/processes/executable.ts';
import {failureSentence} from '../shared/failure-messages.ts';
import {errorMessage, fail, type Failure, type Result} from '../shared/failure.ts';
import {ACTIONS} from './action-arguments.ts';
import {readEventFile, replay, sessionFile} from '../storage/sessions/event-file.ts';
import {isJsonObject} from '../text/json.ts';
import type {SessionEvents, SessionSnapshot, SessionStart} from './messages.ts';
import type {ServiceClient} from './service-client.ts';

/** A session of the service, shown in a window. */
export interface AttachedSession {
  /** Its state when the window attached. */
  readonly session: SessionState;
  /** The id under which it is stored; undefined until the service has it. */
  readonly id: () => string | undefined;
  /** Passes on all later events, and the loss of the service as a closed connection. Returns what a window can do with the session. */
  follow(emit: (event: SessionEvent) => void): SessionActions;
  /** Leaves it running; resolves when the service has got what was called. */
  leave(): Promise<void>;
}

/** A session of the service, and the connection to it. */
interface Link {
  readonly service: ServiceClient;
  readonly key: string;
  readonly id: string;
}

/**
 * Attaches to a session. Its state is read from its file, up to the event that the service names, so that it costs what resuming it costs; only what is not
 * stored comes over the socket.
 */
export async function attachSession(
  service: ServiceClient,
  id: string,
  folder: string,
): Promise<Result<AttachedSession & Pick<SessionSnapshot, 'given'>>> {
  const events = createEventBuffer();
  const attached = await service.attach(id, events.add);
  if (!attached.ok) return attached;
  const session = await stateOf(attached.value, folder);
  if (!session.ok) return session;
  const {key, given} = attached.value;
  const link: Promise<Result<Link>> = Promise.resolve({
    ok: true,
    value: {service, key, id: attached.value.id},
  });
  events.named(attached.value.id);
  return {ok: true, value: {...attachedSession(link, session.value, events), given}};
}

interface ToStart {
  readonly start: SessionStart;
  /** As it is now. */
  readonly session: SessionState;
  /** The id of a stored session that is resumed. */
  readonly continues: string | undefined;
}

/** Starts a session in the service, and shows it. What is done with it meanwhile waits. */
export function startAndAttach(
  connecting: Promise<Result<ServiceClient>>,
  {start: wanted, session, continues}: ToStart,
): AttachedSession {
  const events = createEventBuffer(continues);
  const start = async (): Promise<Result<Link>> => {
    const service = await connecting;
    if (!service.ok) return service;
    const started = await service.value.start(wanted, events.add);
    if (!started.ok) return started;
    events.named(started.value.id);
    return {ok: true, value: {service: service.value, ...started.value}};
  };
  const started = start().catch((error: unknown) => fail({kind: 'internal', problem: errorMessage(error)}));
  return attachedSession(started, session, events);
}

function attachedSession(
  linking: Promise<Result<Link>>,
  session: SessionState,
  events: EventBuffer,
): AttachedSession {
  // The sandbox is set up in the service, and this window starts programs of its own.
  const keepOut = ({sandbox}: Pick<SessionState, 'sandbox'>) => sandbox && keepOffPath(sandbox.writable);
  keepOut(session);
  const calls = new Set<Promise<unknown>>();
  return {
    session,
    id: events.id,
    follow(emit) {
      events.passTo((event) => {
        if (event.type === 'sandbox_changed') keepOut(event);
        emit(event);
      });
      // Its turn ends with the failure; there is no agent here that could be started again.
      const ended = (failure: Failure) => {
        emit({type: 'connection_changed', connection: {kind: 'lost', failure}, at: Date.now()});
        emit({type: 'connection_changed', connection: {kind: 'closed'}, at: Date.now()});
      };
      void linking.then((link) => {
        if (link.ok) link.value.service.onLost(() => ended(serviceLost(events.id())));
        else ended(link.failure);
      });
      return actionsOf(linking, events, calls);
    },
    async leave() {
      // What is lost with the connection would be lost with the window.
      if (calls.size > 0) await Promise.race([received(linking), wait(LEAVE_MS, undefined, {ref: false})]);
      void linking.then((link) => link.ok && link.value.service.close());
    },
  };
}

/** How long a window that is left waits for a service that may just be starting, in milliseconds. */
const LEAVE_MS = 20_000;

/** Resolves when the service has got all calls so far: it answers a request only after those before it have begun. */
async function received(linking: Promise<Result<Link>>): Promise<void> {
  const link = await linking;
  if (link.ok) await link.value.service.list().catch(() => undefined);
}

/** What happens in a session: kept until somebody follows it. */
interface EventBuffer {
  /** The id under which the session is stored. */
  readonly id: () => string | undefined;
  named(id: string): void;
  readonly add: (events: SessionEvents) => void;
  passTo(emit: (event: SessionEvent) => void): void;
}

function createEventBuffer(known?: string): EventBuffer {
  const missed: SessionEvent[] = [];
  let current = known;
  let emit = (event: SessionEvent): void => void missed.push(event);
  return {
    id: () => current,
    named: (id) => (current ??= id),
    add({id, events}) {
      current = id;
      for (const event of events) emit(event);
    },
    passTo(listener) {
      emit = listener;
      for (const event of missed) listener(event);
    },
  };
}

function serviceLost(id: string | undefined): Failure {
  const how = id === undefined ? '' : `; acp-tui -r ${id} resumes it`;
  return {kind: 'not_offered', what: 'this session', why: `the background service has ended${how}`};
}

async function stateOf({id, state}: SessionSnapshot, folder: string): Promise<Result<SessionState>> {
  if (state.kind === 'whole') return {ok: true, value: fromSent(state.session)};
  const read = await readEventFile(sessionFile(folder, id), state.bytes);
  return read.ok ? {ok: true, value: {...(await replay(read.value)), ...state.live}} : read;
}

/** Each action is a call; after the service is gone it fails. Those without an answer yet are in `open`. */
function actionsOf(
  linking: Promise<Result<Link>>,
  {id}: EventBuffer,
  open: Set<Promise<unknown>>,
): SessionActions {
  const call = async (action: keyof SessionActions, args: readonly unknown[]): Promise<unknown> => {
    const link = await linking;
    if (!link.ok) return unavailable(link.failure, action, args);
    const {service, key} = link.value;
    try {
      const done = await service.call({key, action, args});
      // JSON has no undefined.
      return isFailed(done) ? unavailable(done.failure, action, args) : (done ?? undefined);
    } catch {
      return unavailable(serviceLost(id()), action, args);
    }
  };
  const keep = (called: Promise<unknown>) => {
    open.add(called);
    return called.finally(() => open.delete(called));
  };
  const calls = ACTIONS.map((action) => [action, (...args: readonly unknown[]) => keep(call(action, args))]);
  return Object.fromEntries(calls) as SessionActions;
}

function isFailed(result: unknown): result is {readonly failure: Failure} {
  return isJsonObject(result) && result['ok'] === false && isJsonObject(result['failure']);
}

/** Returns what an action that failed returns; not all return a failure. */
function unavailable(failure: Failure, action: keyof SessionActions, args: readonly unknown[]): unknown {
  switch (action) {
    case 'limitUses':
    case 'sessionGrants':
    case 'rewindPoints':
    case 'listMcpServers':
      return [];
    case 'stderrTail':
      return '';
    case 'askUser':
    case 'planUndo':
      return undefined;
    case 'planRewind':
      return {point: args[0], now: '', problem: failureSentence(failure), files: [], uncovered: []};
    case 'review':
    case 'changeReview':
      return {ok: false, why: failureSentence(failure)};
    default:
      return fail(failure);
  }
}
