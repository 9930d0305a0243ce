import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Update} from '../../session/events.ts';

/**
 * Decides which of the sessions on a connection a `session/update` belongs to, itself or as one of a subagent. Updates may come before the
 * answer that names the session, and before the one that announces a subagent: those are kept until it is known. Updates of
 * sessions that are not open go to the log, never into another one.
 */
export interface UpdateRouter<Session extends RoutedSession> {
  readonly receive: (sessionId: acp.SessionId, update: Update) => void;
  /** Adds a session that the user opens. */
  join(session: Session): SessionRoute;
  /** Returns the session that has this id or gets it, or has a subagent with it. */
  owner(sessionId: acp.SessionId): Session | undefined;
}

/** A session that the user has opened, or opens. */
export interface RoutedSession {
  readonly deliver: (sessionId: acp.SessionId, update: Update) => void;
  /** True for a session that was announced as that of a subagent. */
  readonly isSubagent: (sessionId: acp.SessionId) => boolean;
  /** The ids of all of them. */
  readonly subagents: () => readonly acp.SessionId[];
}

/** The part of one session in its agent's connection. */
export interface SessionRoute {
  /** A session is about to be opened, that with this id where it is known: updates of sessions not known yet are kept. */
  expect(sessionId?: acp.SessionId): void;
  /** From now on `sessionId` is the open session; what came early for it is delivered at once. */
  open(sessionId: acp.SessionId): void;
  /** No session is open: it could not be loaded. */
  close(): void;
  /** No more updates are delivered: what still comes goes to the log. */
  leave(): void;
}

/** More than any agent sends before its session is open, or its subagent announced: updates, and their UTF-16 units in all. */
const MAX_EARLY = {updates: 10_000, length: 16 * 1024 * 1024} as const;

interface Route<Session> {
  readonly session: Session;
  openId: acp.SessionId | undefined;
  isExpecting: boolean;
  expectedId: acp.SessionId | undefined;
}

export function createUpdateRouter<Session extends RoutedSession>(
  stray: (sessionId: acp.SessionId, update: Update) => void,
): UpdateRouter<Session> {
  const routes = new Set<Route<Session>>();
  /** Sessions that are no longer open here, although their agent may continue them. */
  const ended = new Set<acp.SessionId>();
  const early = createEarlyUpdates();

  const isExpected = () => [...routes].some(({isExpecting}) => isExpecting);

  function receive(sessionId: acp.SessionId, update: Update): void {
    const route = routeOf(routes, sessionId);
    if (route) {
      route.session.deliver(sessionId, update);
      if (update.sessionUpdate === 'subagent_update') release(update.sessionId);
      return;
    }
    const isKept = (isExpected() || !ended.has(sessionId)) && early.keep(sessionId, update);
    if (!isExpected() || !isKept) stray(sessionId, update);
  }

  /** What has come too early for a session or a subagent that is known by now is delivered in its order. */
  function release(sessionId: acp.SessionId): void {
    if (!routeOf(routes, sessionId)) return;
    for (const update of early.take(sessionId)) receive(sessionId, update);
  }

  function end({openId, session}: Route<Session>): void {
    if (openId !== undefined) for (const id of [openId, ...session.subagents()]) ended.add(id);
  }

  function open(route: Route<Session>, sessionId: acp.SessionId): void {
    if (route.openId !== sessionId) end(route);
    ended.delete(sessionId);
    Object.assign(route, {openId: sessionId, isExpecting: false, expectedId: undefined});
    for (const id of [sessionId, ...early.ids()]) release(id);
    if (!isExpected()) early.forEach(stray);
  }

  function join(session: Session): SessionRoute {
    const route: Route<Session> = {session, openId: undefined, isExpecting: false, expectedId: undefined};
    routes.add(route);
    return {
      expect: (expectedId) => void Object.assign(route, {isExpecting: true, expectedId}),
      open: (sessionId) => open(route, sessionId),
      close: () => void Object.assign(route, {openId: undefined, isExpecting: false, expectedId: undefined}),
      leave() {
        end(route);
        routes.delete(route);
      },
    };
  }

  return {receive, join, owner: (sessionId) => ownerOf(routes, sessionId)};
}

/** Updates of sessions that are not known yet, in their order. */
function createEarlyUpdates() {
  const kept = new Map<acp.SessionId, {readonly update: Update; readonly length: number}[]>();
  let [count, total] = [0, 0];
  return {
    /** False where there is no room for it. */
    keep(sessionId: acp.SessionId, update: Update): boolean {
      if (count >= MAX_EARLY.updates) return false;
      const {length} = JSON.stringify(update);
      if (total + length > MAX_EARLY.length) return false;
      count += 1;
      total += length;
      const early = kept.get(sessionId) ?? [];
      kept.set(sessionId, early);
      early.push({update, length});
      return true;
    },
    take(sessionId: acp.SessionId): readonly Update[] {
      const early = kept.get(sessionId) ?? [];
      kept.delete(sessionId);
      count -= early.length;
      for (const {length} of early) total -= length;
      return early.map(({update}) => update);
    },
    ids: () => [...kept.keys()],
    forEach(work: (sessionId: acp.SessionId, update: Update) => void): void {
      for (const [sessionId, early] of kept) for (const {update} of early) work(sessionId, update);
    },
  };
}

type Routes<Session> = ReadonlySet<Route<Session>>;

function routeOf<Session extends RoutedSession>(
  routes: Routes<Session>,
  sessionId: acp.SessionId,
): Route<Session> | undefined {
  const open = [...routes].filter(({openId}) => openId !== undefined);
  const own = open.find(({openId}) => openId === sessionId);
  if (own) return own;
  // One that two sessions call their subagent must not act by the rules of the wrong one.
  const [route, ...others] = open.filter(({session}) => session.isSubagent(sessionId));
  return others.length === 0 ? route : undefined;
}

function ownerOf<Session extends RoutedSession>(
  routes: Routes<Session>,
  sessionId: acp.SessionId,
): Session | undefined {
  const expected = () => [...routes].find(({expectedId}) => expectedId === sessionId);
  return (routeOf(routes, sessionId) ?? expected())?.session;
}
