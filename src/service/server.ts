import {createServer, type Server, type Socket} from 'node:net';
import {rmSync} from 'node:fs';
import {
  createMessageConnection,
  SocketMessageReader,
  SocketMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import {createAgentPool} from '../client/connection/agent-pool.ts';
import type {Log} from '../client/options.ts';
import {failed} from '../shared/file-failure.ts';
import type {SessionEvent} from '../session/events.ts';
import {fail, type Result} from '../shared/failure.ts';
import {version} from '../shared/version.ts';
import {hostSession, type HostedSession, type PreparedSession} from './hosted-session.ts';
import {messages, type ActionCall, type SessionStart} from './messages.ts';

/** How long a client has for its first message, in milliseconds. */
const HELLO_MS = 10_000;
/** How often within its time a session is checked for being idle. */
const IDLE_CHECKS = 10;

interface ServiceOptions {
  readonly socket: string;
  readonly log: Log;
  /** Prepares a session from options of the command line; `runs` tells whether one with this id runs here. */
  readonly prepare: (start: SessionStart, runs: (id: string) => boolean) => Promise<Result<PreparedSession>>;
  /** The service ends when it has had no session for this time, in milliseconds. */
  readonly lingerMs: number;
  /** A session without a window in which nothing happens is ended after this time, in milliseconds; it stays stored. */
  readonly idleMs: number;
}

/** The background service. */
interface Service {
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Ends all sessions, then the service. */
  end(): Promise<void>;
  /** For exits that cannot wait. */
  killNow(): void;
}

/** Listens on a local socket; the failure `file` if that is impossible. */
export async function startService({
  socket: path,
  log,
  prepare,
  lingerMs,
  idleMs,
}: ServiceOptions): Promise<Result<Service>> {
  const sessions = new Map<string, HostedSession>();
  const connections = new Set<Socket>();
  const agents = createAgentPool({wire: {}, log});
  const {promise: ended, resolve} = Promise.withResolvers<void>();
  let lingering: NodeJS.Timeout | undefined;

  function linger(): void {
    clearTimeout(lingering);
    if (sessions.size === 0) lingering = setTimeout(() => void end(), lingerMs);
  }

  async function start(wanted: SessionStart): Promise<Result<string>> {
    const runs = (id: string) => [...sessions.values()].some((session) => session.isStoredAs(id));
    const prepared = await prepare(wanted, runs);
    if (!prepared.ok) return prepared;
    const {id} = prepared.value;
    const session = hostSession(prepared.value, {
      agents,
      log,
      onEnd() {
        sessions.delete(id);
        linger();
      },
    });
    sessions.set(id, session);
    linger();
    session.begin(wanted.prompt);
    return {ok: true, value: id};
  }

  const stopWatching = endIdle(sessions, idleMs);

  async function end(): Promise<void> {
    stopWatching();
    server.close();
    await Promise.all(Array.from(sessions.values(), (session) => session.end()));
    for (const socket of connections) socket.destroySoon();
    rmSync(path, {force: true});
    resolve();
  }

  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    // A client that breaks the rules of the socket is only disconnected.
    socket.on('error', (error) => log('info', `a client was disconnected: ${error.message}`));
    serveClient(socket, {sessions, start, end, log});
  });
  const listening = await listen(server, path);
  if (!listening.ok) {
    stopWatching();
    return listening;
  }
  linger();
  return {
    ok: true,
    value: {ended, end, killNow: () => sessions.forEach((session) => session.killNow())},
  };
}

/** What is left of an earlier service at the path is removed. */
async function listen(server: Server, path: string): Promise<Result<void>> {
  try {
    rmSync(path, {force: true});
    await new Promise<void>((listening, reject) => {
      server.once('error', reject);
      server.listen(path, listening);
    });
    return {ok: true, value: undefined};
  } catch (error) {
    return failed(path, error);
  }
}

/** Ends each session that has been idle for this time. Returns the function to stop. */
function endIdle(sessions: ReadonlyMap<string, HostedSession>, idleMs: number): () => void {
  const idleSince = new Map<HostedSession, number>();
  const checking = setInterval(() => {
    for (const session of sessions.values()) {
      const since = idleSince.get(session) ?? performance.now();
      if (!session.isIdle()) idleSince.delete(session);
      else if (performance.now() - since >= idleMs) void session.end();
      else idleSince.set(session, since);
    }
  }, idleMs / IDLE_CHECKS);
  return () => clearInterval(checking);
}

interface Served {
  readonly sessions: ReadonlyMap<string, HostedSession>;
  readonly start: (wanted: SessionStart) => Promise<Result<string>>;
  readonly end: () => Promise<void>;
  readonly log: Log;
}

/** Answers one client, until it disconnects. */
function serveClient(socket: Socket, served: Served): void {
  const connection = createMessageConnection(
    new SocketMessageReader(socket),
    new SocketMessageWriter(socket),
  );
  const tooLate = setTimeout(() => socket.destroy(), HELLO_MS);
  let isKnown = false;
  connection.onRequest(messages.hello, ({version: theirs}) => {
    clearTimeout(tooLate);
    isKnown = theirs === version;
    return {version, pid: process.pid};
  });
  // Until the versions are known to be the same, nothing else is answered.
  const detachAll = answerRequests(connection, served, (answer) => (asked) => {
    if (isKnown) return answer(asked);
    socket.destroy();
    throw new Error('the first message has to be hello');
  });
  connection.onError(([error]) => {
    served.log('info', `a client was disconnected: ${error.message}`);
    socket.destroy();
  });
  socket.on('close', () => {
    clearTimeout(tooLate);
    detachAll();
    connection.dispose();
  });
  connection.listen();
}

type Guard = <Asked, Answer>(answer: (asked: Asked) => Answer) => (asked: Asked) => Answer;

/** Answers the requests of a client. Returns the function that detaches it from all sessions. */
function answerRequests(
  connection: MessageConnection,
  {sessions, start, end}: Served,
  guarded: Guard,
): () => void {
  const attached = new Map<string, () => void>();
  const found = (id: string): Result<HostedSession> => {
    const session = sessions.get(id);
    return session ? {ok: true, value: session} : fail({kind: 'no_such_session', wanted: id});
  };
  const list = guarded(() => Array.from(sessions.values(), (session) => session.summary()));
  connection.onRequest(messages.list, list);
  connection.onRequest(messages.start, guarded(start));
  const attach = guarded(({id}: {readonly id: string}) => {
    const session = found(id);
    if (!session.ok) return session;
    attached.get(id)?.();
    const {snapshot, detach} = session.value.attach(eventSender(connection, id));
    attached.set(id, detach);
    return {ok: true as const, value: snapshot};
  });
  connection.onRequest(messages.attach, attach);
  const call = guarded(async ({id, action, args}: ActionCall) => {
    const session = found(id);
    if (!session.ok) return session;
    const done = await session.value.call(action, args);
    return done.ok ? (done.value ?? null) : done;
  });
  connection.onRequest(messages.call, call);
  const stop = guarded(async ({id}: {readonly id: string}) => {
    const session = found(id);
    if (!session.ok) return session;
    await session.value.end();
    return {ok: true as const, value: undefined};
  });
  connection.onRequest(messages.stop, stop);
  const endAll = guarded(() => {
    void end();
    return null;
  });
  connection.onRequest(messages.end, endAll);
  return () => attached.forEach((detach) => detach());
}

/** Returns a function that sends a session's events. Those of one turn of the event loop are one message: an answer can be thousands. */
function eventSender(connection: MessageConnection, id: string): (event: SessionEvent) => void {
  let events: SessionEvent[] = [];
  async function send(): Promise<void> {
    const sent = events;
    events = [];
    try {
      await connection.sendNotification(messages.events, {id, events: sent});
    } catch {
      // The client has gone meanwhile.
    }
  }
  return (event) => {
    if (events.push(event) === 1) setImmediate(() => void send());
  };
}
