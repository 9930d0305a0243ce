import {createServer, type Server, type Socket} from 'node:net';
import {rmSync} from 'node:fs';
import {
  createMessageConnection,
  ErrorCodes,
  ResponseError,
  SocketMessageReader,
  SocketMessageWriter,
} from 'vscode-jsonrpc/node';
import {fileFailed} from '../shared/files/file-failure.ts';
import {DONE, type Result} from '../shared/failure.ts';
import {version} from '../shared/version.ts';
import {eventSender} from './event-sender.ts';
import type {HostedSession} from './hosted-session.ts';
import {createHostedSessions, type HostedSessions, type HostedSessionsOptions} from './hosted-sessions.ts';
import {HELLO_MS, messages, type SessionParams, type StartRequest} from './messages.ts';
import {createSessionCalls} from './session-calls.ts';

/** How often within its time a session is checked for being idle, and the longest time between two checks, in milliseconds. */
const IDLE_CHECKS = 10;
const MAX_CHECK_MS = 600_000;

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
  startAgent,
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
    if (sessions.isEmpty()) lingering = setTimeout(() => void end(), lingerMs);
  }

  const sessions = createHostedSessions({log, startAgent, prepare, onChange: linger});
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
    return DONE;
  } catch (error) {
    return fileFailed(path, error);
  }
}

/** Ends each session that has been idle for this time. Returns the function to stop. */
function endIdle(sessions: ReadonlySet<HostedSession>, idleMs: number): () => void {
  const idleSince = new Map<HostedSession, number>();
  const checking = setInterval(
    () => {
      for (const session of sessions) {
        const since = idleSince.get(session) ?? performance.now();
        if (!session.isIdle()) idleSince.delete(session);
        else if (performance.now() - since >= idleMs) void session.end();
        else idleSince.set(session, since);
      }
    },
    Math.min(idleMs / IDLE_CHECKS, MAX_CHECK_MS),
  );
  return () => clearInterval(checking);
}

interface Served extends Pick<ServiceOptions, 'log' | 'maxUnread'> {
  readonly sessions: HostedSessions;
  readonly end: () => Promise<void>;
}

const OTHER_VERSION = `the background service is acp-tui ${version}, and answers only clients of this version; acp-tui service stop ends it`;

/** Answers one client, until it disconnects. */
function serveClient(socket: Socket, {sessions, end, log, maxUnread}: Served): void {
  const connection = createMessageConnection(
    new SocketMessageReader(socket),
    new SocketMessageWriter(socket),
  );
  const disconnect = () => void socket.destroy();
  const tooLate = setTimeout(disconnect, HELLO_MS);
  let client: string | undefined;
  connection.onRequest(messages.hello, ({version: theirs}) => {
    clearTimeout(tooLate);
    client = theirs;
    return {version, pid: process.pid};
  });

  /** Until the versions are known to be the same, nothing else is answered: only a client of any version can end the service. */
  function guarded<Asked, Answer>(
    answer: (asked: Asked) => Answer,
    isAllowed = () => client === version,
  ): (asked: Asked) => Answer {
    return (asked) => {
      if (isAllowed()) return answer(asked);
      if (client !== undefined) throw new ResponseError(ErrorCodes.InvalidRequest, OTHER_VERSION);
      disconnect();
      throw new Error('the first message has to be hello, with the same version');
    };
  }

  const send = eventSender(connection, {maxUnread, disconnect});
  const calls = createSessionCalls(sessions);
  connection.onRequest(messages.list, guarded(calls.list));
  const start = ({attach, ...wanted}: StartRequest) => calls.start(wanted, attach ? send : undefined);
  connection.onRequest(messages.start, guarded(start));
  connection.onRequest(
    messages.attach,
    guarded(({id}: SessionParams) => calls.attach(id, send)),
  );
  connection.onRequest(messages.call, guarded(calls.call));
  connection.onRequest(
    messages.stop,
    guarded(({id}: SessionParams) => calls.stop(id)),
  );
  const endAll = () => {
    void end();
    return null;
  };
  connection.onRequest(
    messages.end,
    guarded(endAll, () => client !== undefined),
  );
  connection.onError(([error]) => {
    log('info', `a client was disconnected: ${error.message}`);
    disconnect();
  });
  socket.on('close', () => {
    clearTimeout(tooLate);
    calls.leave();
    connection.dispose();
  });
  connection.listen();
}
