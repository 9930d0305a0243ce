import {createServer, type Server, type Socket} from 'node:net';
import {rmSync} from 'node:fs';
import {
  createMessageConnection,
  SocketMessageReader,
  SocketMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import {failed} from '../shared/file-failure.ts';
import type {Result} from '../shared/failure.ts';
import {version} from '../shared/version.ts';
import {createAttachments, type Attachments} from './attachments.ts';
import type {HostedSession} from './hosted-session.ts';
import {createHostedSessions, type HostedSessions, type HostedSessionsOptions} from './hosted-sessions.ts';
import {HELLO_MS, messages, type ActionCall, type Identity, type SessionStart} from './messages.ts';

/** How often within its time a session is checked for being idle. */
const IDLE_CHECKS = 10;

interface ServiceOptions extends Omit<HostedSessionsOptions, 'onChange'> {
  readonly socket: string;
  /** The service ends when it has had no session for this time, in milliseconds. */
  readonly lingerMs: number;
  /** A session without a window in which nothing happens is ended after this time, in milliseconds; it stays stored. */
  readonly idleMs: number;
  /** A client that leaves more events than this unread is disconnected: it is stopped, or hangs. */
  readonly maxUnread: number;
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
  maxUnread,
}: ServiceOptions): Promise<Result<Service>> {
  const connections = new Set<Socket>();
  const {promise: ended, resolve} = Promise.withResolvers<void>();
  let lingering: NodeJS.Timeout | undefined;

  function linger(): void {
    clearTimeout(lingering);
    if (sessions.all().size === 0) lingering = setTimeout(() => void end(), lingerMs);
  }

  const sessions = createHostedSessions({log, prepare, onChange: linger});
  const stopWatching = endIdle(sessions.all(), idleMs);

  let ending: Promise<void> | undefined;
  const end = () => (ending ??= endAll());

  async function endAll(): Promise<void> {
    stopWatching();
    server.close();
    await sessions.end();
    for (const socket of connections) socket.destroySoon();
    rmSync(path, {force: true});
    resolve();
  }

  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    // A client that breaks the rules of the socket is only disconnected.
    socket.on('error', (error) => log('info', `a client was disconnected: ${error.message}`));
    serveClient(socket, {sessions, end, log, maxUnread});
  });
  const listening = await listen(server, path);
  if (!listening.ok) {
    stopWatching();
    return listening;
  }
  linger();
  return {ok: true, value: {ended, end, killNow: () => sessions.killNow()}};
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
function endIdle(sessions: ReadonlySet<HostedSession>, idleMs: number): () => void {
  const idleSince = new Map<HostedSession, number>();
  const checking = setInterval(() => {
    for (const session of sessions) {
      const since = idleSince.get(session) ?? performance.now();
      if (!session.isIdle()) idleSince.delete(session);
      else if (performance.now() - since >= idleMs) void session.end();
      else idleSince.set(session, since);
    }
  }, idleMs / IDLE_CHECKS);
  return () => clearInterval(checking);
}

interface Served extends Pick<ServiceOptions, 'log' | 'maxUnread'> {
  readonly sessions: HostedSessions;
  readonly end: () => Promise<void>;
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
  const attachments = createAttachments(connection, {
    maxUnread: served.maxUnread,
    disconnect: () => socket.destroy(),
  });
  answerRequests(connection, {...served, attachments}, (answer) => (asked) => {
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
    attachments.removeAll();
    connection.dispose();
  });
  connection.listen();
}

type Guard = <Asked, Answer>(answer: (asked: Asked) => Answer) => (asked: Asked) => Answer;

interface Answering extends Served {
  readonly attachments: Attachments;
}

/** Answers the requests of a client. */
function answerRequests(
  connection: MessageConnection,
  {sessions, end, attachments}: Answering,
  guarded: Guard,
): void {
  const list = guarded(() => sessions.list());
  connection.onRequest(messages.list, list);
  const begin = guarded(
    async (wanted: SessionStart & {readonly attach: boolean}): Promise<Result<Identity>> => {
      const started = await sessions.start(wanted);
      if (!started.ok) return started;
      const session = started.value;
      if (wanted.attach) attachments.add(session);
      session.begin(wanted.prompt);
      return {ok: true, value: {key: session.key, id: session.id()}};
    },
  );
  connection.onRequest(messages.start, begin);
  const attach = guarded(({id}: {readonly id: string}) => {
    const session = sessions.find(id);
    return session.ok ? {ok: true as const, value: attachments.add(session.value)} : session;
  });
  connection.onRequest(messages.attach, attach);
  const call = guarded(async ({key, action, args}: ActionCall) => {
    const session = sessions.find(key);
    if (!session.ok) return session;
    const done = await session.value.call(action, args);
    return done.ok ? (done.value ?? null) : done;
  });
  connection.onRequest(messages.call, call);
  const stop = guarded(async ({id}: {readonly id: string}) => {
    const session = sessions.find(id);
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
}
