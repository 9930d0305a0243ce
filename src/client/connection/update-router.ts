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

/** More than any agent sends before its session is open, or its subagent announced. */
const MAX_EARLY = 10_000;

interface Early {
  readonly sessionId: acp.SessionId;
  readonly update: Update;
}

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
  let early: Early[] = [];

  const isExpected = () => [...routes].some(({isExpecting}) => isExpecting);

  function receive(sessionId: acp.SessionId, update: Update): void {
    const route = routeOf(routes, sessionId);
    if (route) {
      route.session.deliver(sessionId, update);
      if (update.sessionUpdate === 'subagent_update') release();
      return;
    }
    const isKept = early.length < MAX_EARLY && (isExpected() || !ended.has(sessionId));
    if (isKept) early.push({sessionId, update});
    if (!isExpected() || !isKept) stray(sessionId, update);
  }

  /** What has come too early for a session or a subagent that is known by now is delivered in its order. */
  function release(): void {
    const waiting = early;
    early = [];
    for (const each of waiting)
      if (routeOf(routes, each.sessionId)) receive(each.sessionId, each.update);
      else early.push(each);
  }

  function end({openId, session}: Route<Session>): void {
    if (openId !== undefined) for (const id of [openId, ...session.subagents()]) ended.add(id);
  }

  function open(route: Route<Session>, sessionId: acp.SessionId): void {
    if (route.openId !== sessionId) end(route);
    ended.delete(sessionId);
    Object.assign(route, {openId: sessionId, isExpecting: false, expectedId: undefined});
    release();
    if (!isExpected()) for (const each of early) stray(each.sessionId, each.update);
  }

  function join(session: Session): SessionRoute {
    const route: Route<Session> = {session, openId: undefined, isExpecting: false, expectedId: undefined};
    routes.add(route);
    return {
      expect: (expectedId) => void Object.assign(route, {isExpecting: true, expectedId}),
      open: (sessionId) => open(route, sessionId),
      close: () => void Object.assign(route, {openId: undefined}),
      leave() {
        end(route);
        routes.delete(route);
      },
    };
  }

  return {receive, join, owner: (sessionId) => ownerOf(routes, sessionId)};
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
