import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Update} from '../../session/events.ts';

/**
 * Routes a `session/update` to its session on a connection, directly or through a subagent. Updates may arrive before the response with the session's id, or
 * before a subagent is announced: those are buffered. Updates of sessions that are not open are logged, never delivered to another one.
 */
export interface UpdateRouter<Session extends RoutedSession> {
  readonly receive: (sessionId: acp.SessionId, update: Update) => void;
  /** Adds a session that the user opens. */
  join(session: Session): SessionRoute;
  /** Returns the session with this id, or the one that is about to get it, or has a subagent with it. */
  owner(sessionId: acp.SessionId): Session | undefined;
}

/** A session that is open or being opened. */
export interface RoutedSession {
  readonly deliver: (sessionId: acp.SessionId, update: Update) => void;
  /** True for the session of a known subagent. */
  readonly isSubagent: (sessionId: acp.SessionId) => boolean;
  /** The ids of all subagents. */
  readonly subagents: () => readonly acp.SessionId[];
}

/** A session's route on its agent's connection. */
export interface SessionRoute {
  /** A session is about to be opened, with this id if it is known: updates of unknown sessions are buffered. */
  expect(sessionId?: acp.SessionId): void;
  /** `sessionId` is now the open session; its buffered updates are delivered at once. */
  open(sessionId: acp.SessionId): void;
  /** No session is open: loading failed. */
  close(): void;
  /** Stops delivery: later updates are logged. */
  leave(): void;
}

/** Limits for updates before their session is open or their subagent announced: number, and total size in UTF-16 units. */
const MAX_EARLY = {updates: 10_000, length: 16 * 1024 * 1024} as const;

interface Route<Session> {
  readonly session: Session;
  openId: acp.SessionId | undefined;
  /** A session that is about to be opened; until then, the open one still gets its updates. */
  expected: {readonly id: acp.SessionId | undefined} | undefined;
}

export function createUpdateRouter<Session extends RoutedSession>(
  stray: (sessionId: acp.SessionId, update: Update) => void,
): UpdateRouter<Session> {
  const routes = new Set<Route<Session>>();
  /** Sessions no longer open here, which their agent may still continue. */
  const ended = new Set<acp.SessionId>();
  const early = createEarlyUpdates(stray);

  const isExpected = () => [...routes].some(({expected}) => expected);

  function receive(sessionId: acp.SessionId, update: Update): void {
    const route = routeOf(routes, sessionId);
    if (route) {
      route.session.deliver(sessionId, update);
      if (update.sessionUpdate === 'subagent_update') release(update.sessionId);
      return;
    }
    if (!isExpected() && ended.has(sessionId)) return stray(sessionId, update);
    early.keep(sessionId, update);
    if (!isExpected()) early.report();
  }

  /** Delivers buffered updates of a session or subagent, in order. */
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
    Object.assign(route, {openId: sessionId, expected: undefined});
    for (const id of [sessionId, ...early.ids()]) release(id);
    if (!isExpected()) early.report();
  }

  function join(session: Session): SessionRoute {
    const route: Route<Session> = {session, openId: undefined, expected: undefined};
    routes.add(route);
    return {
      expect: (id) => void (route.expected = {id}),
      open: (sessionId) => open(route, sessionId),
      close: () => void Object.assign(route, {openId: undefined, expected: undefined}),
      leave() {
        end(route);
        routes.delete(route);
      },
    };
  }

  return {receive, join, owner: (sessionId) => ownerOf(routes, sessionId)};
}

interface EarlyUpdate {
  readonly sessionId: acp.SessionId;
  readonly update: Update;
  readonly length: number;
}

/** A buffer of updates of unknown sessions, in order. When it is full, the oldest of the session that came first are dropped. */
function createEarlyUpdates(stray: (sessionId: acp.SessionId, update: Update) => void) {
  const kept = new Map<acp.SessionId, EarlyUpdate[]>();
  const unreported = new Set<EarlyUpdate>();
  let [count, total] = [0, 0];

  function report(early: EarlyUpdate): void {
    if (unreported.delete(early)) stray(early.sessionId, early.update);
  }

  function removed(early: EarlyUpdate): Update {
    count -= 1;
    total -= early.length;
    unreported.delete(early);
    return early.update;
  }

  function makeRoom(length: number): void {
    for (const [sessionId, early] of kept) {
      while (count >= MAX_EARLY.updates || total + length > MAX_EARLY.length) {
        const oldest = early.shift();
        if (!oldest) break;
        report(oldest);
        removed(oldest);
      }
      if (early.length > 0) return;
      kept.delete(sessionId);
    }
  }

  return {
    keep(sessionId: acp.SessionId, update: Update): void {
      const {length} = JSON.stringify(update);
      if (length > MAX_EARLY.length) return stray(sessionId, update);
      makeRoom(length);
      const early = {sessionId, update, length};
      kept.set(sessionId, kept.get(sessionId) ?? []);
      kept.get(sessionId)?.push(early);
      unreported.add(early);
      count += 1;
      total += length;
    },
    take(sessionId: acp.SessionId): readonly Update[] {
      const early = kept.get(sessionId) ?? [];
      kept.delete(sessionId);
      return early.map(removed);
    },
    ids: () => [...kept.keys()],
    /** Reports each of them once. */
    report: () => unreported.forEach(report),
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
  // If two sessions claim the same subagent, neither may decide for it.
  const [route, ...others] = open.filter(({session}) => session.isSubagent(sessionId));
  return others.length === 0 ? route : undefined;
}

function ownerOf<Session extends RoutedSession>(
  routes: Routes<Session>,
  sessionId: acp.SessionId,
): Session | undefined {
  const expecting = () => [...routes].find(({expected}) => expected?.id === sessionId);
  return (routeOf(routes, sessionId) ?? expecting())?.session;
}
