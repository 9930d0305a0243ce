import {spawn, type ChildProcess} from 'node:child_process';
import {createConnection, type Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {
  ConnectionError,
  createMessageConnection,
  ErrorCodes,
  ResponseError,
  SocketMessageReader,
  SocketMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import {fileFailed} from '../shared/files/file-failure.ts';
import {fail, type Result} from '../shared/failure.ts';
import {version} from '../shared/version.ts';
import {codeOf} from '../shared/files/safe-files.ts';
import {
  HELLO_MS,
  messages,
  type ActionCall,
  type EventListener,
  type SessionIdentity,
  type RunningSession,
  type SessionEvents,
  type SessionSnapshot,
  type SessionStart,
} from './messages.ts';
import {lockOwner} from './lock.ts';
import {hasSocket, servicePlace} from './socket-place.ts';

/** A connection to the background service. */
export interface ServiceClient {
  /** The service's process. */
  readonly pid: number;
  list(): Promise<readonly RunningSession[]>;
  /** Starts a session; calls back with all its events. */
  start(wanted: SessionStart, onEvents?: EventListener): Promise<Result<SessionIdentity>>;
  /** Returns a session's state, and calls back with all later events. */
  attach(id: string, onEvents: EventListener): Promise<Result<SessionSnapshot>>;
  /** Calls an action of a session; rejects if the service is gone. */
  call(call: ActionCall): Promise<unknown>;
  stop(id: string): Promise<Result<void>>;
  /** Ends the service with all sessions; resolves when they have ended. */
  end(): Promise<void>;
  /** Calls back when the connection is lost. */
  onLost(callback: () => void): void;
  close(): void;
}

/** How to start the service: the program and its arguments. */
interface ServiceProgram {
  readonly command: string;
  readonly args: readonly string[];
}

/** How long a service may take to listen, in milliseconds, and between two attempts to connect. */
const START_MS = 15_000;
const RETRY_MS = 50;

/** The youngest generation of V8's heap would grow to 16 MB while modules are loaded, and stay: a fifth of the service's memory. In MB. */
const YOUNG_HEAP = '--max-semi-space-size=1';

/** Returns how this program runs as the service. */
function ownProgram(): ServiceProgram {
  const [, script = ''] = process.argv;
  return {command: process.execPath, args: [...process.execArgv, YOUNG_HEAP, script, 'service', 'run']};
}

/** Connects to the running service; undefined if none runs. Fails with another version of it, unless it is only to be ended. */
export async function findService(
  state: string,
  {toEnd = false}: {readonly toEnd?: boolean} = {},
): Promise<Result<ServiceClient | undefined>> {
  if (!hasSocket(state)) return {ok: true, value: undefined};
  const place = servicePlace(state);
  if (!place.ok) return place;
  const connected = await connect(place.value.socket);
  if (!connected.ok) return connected;
  return connected.value
    ? greet(connected.value, {lock: place.value.lock, toEnd})
    : {ok: true, value: undefined};
}

/** Connects to the service, which is started if none runs. */
export async function connectService(
  state: string,
  {command, args}: ServiceProgram = ownProgram(),
): Promise<Result<ServiceClient>> {
  const place = servicePlace(state);
  if (!place.ok) return place;
  const running = await findService(state);
  if (!running.ok) return running;
  if (running.value) return {ok: true, value: running.value};
  let child: ChildProcess | undefined;
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    // Of two that are started at the same time one listens; but the one that has the lock may be ending.
    if (!child || child.exitCode !== null) {
      child = spawn(command, args, {detached: true, stdio: 'ignore'});
      child.once('error', () => undefined).unref();
    }
    await wait(RETRY_MS);
    const found = await findService(state);
    if (!found.ok) return found;
    if (found.value) return {ok: true, value: found.value};
  }
  const why = `it did not start within ${START_MS / 1000} s; acp-tui service logs may say why`;
  return fail({kind: 'not_offered', what: 'the background service', why});
}

const JUST_ENDED = {
  kind: 'not_offered',
  what: 'the background service',
  why: 'it has just ended; try again',
} as const;

/** Nobody listens: no service has been started, or it was killed, perhaps just now. */
const NOBODY = new Set<unknown>(['ENOENT', 'ECONNREFUSED', 'ECONNRESET']);

function connect(path: string): Promise<Result<Socket | undefined>> {
  const {promise, resolve} = Promise.withResolvers<Result<Socket | undefined>>();
  const socket = createConnection(path);
  socket.once('connect', () => resolve({ok: true, value: socket}));
  socket.once('error', (error) =>
    resolve(NOBODY.has(codeOf(error)) ? {ok: true, value: undefined} : fileFailed(path, error)),
  );
  return promise;
}

/** Returns the function that has a listener called with the events of a session. They may come before the response that names it. */
function passEvents(connection: MessageConnection): (key: string, listener: EventListener) => void {
  const listeners = new Map<string, EventListener>();
  const early = new Map<string, SessionEvents[]>();
  connection.onNotification(messages.events, (events) => {
    const listener = listeners.get(events.key);
    if (listener) listener(events);
    else early.set(events.key, [...(early.get(events.key) ?? []), events]);
  });
  return (key, listener) => {
    listeners.set(key, listener);
    for (const events of early.get(key) ?? []) listener(events);
    early.delete(key);
  };
}

/** Returns what the service says; undefined if it ends meanwhile, 'mute' if it says nothing for a while. */
async function greeting(connection: MessageConnection, socket: Socket) {
  let isMute = false;
  const tooLate = setTimeout(() => {
    isMute = true;
    socket.destroy();
  }, HELLO_MS);
  const hello = await connection.sendRequest(messages.hello, {version}).catch(() => undefined);
  clearTimeout(tooLate);
  return isMute ? 'mute' : hello;
}

/** Follows the end of a connection. */
interface Loss {
  /** Calls back when it is lost. */
  readonly onLost: (callback: () => void) => void;
  /** Calls nobody back any more. */
  readonly forget: () => void;
}

function followLoss(connection: MessageConnection): Loss {
  const callbacks = new Set<() => void>();
  let isLost = false;
  connection.onClose(() => {
    isLost = true;
    for (const callback of callbacks) callback();
    // Only this rejects the requests that are not answered yet.
    connection.dispose();
  });
  return {
    onLost(callback) {
      if (isLost) callback();
      else callbacks.add(callback);
    },
    forget: () => callbacks.clear(),
  };
}

/** Errors of a connection that ended while a request was written, or not answered yet. */
const ENDED_CODES = new Set<number>([ErrorCodes.MessageWriteError, ErrorCodes.PendingResponseRejected]);

/** Resolves to the answer of the service, or to `ended` if there is none because it has ended. */
async function unlessEnded<Answer>(ask: () => Promise<Answer>, ended: Answer): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const hasEnded =
      error instanceof ConnectionError || (error instanceof ResponseError && ENDED_CODES.has(error.code));
    if (hasEnded) return ended;
    throw error;
  }
}

/** Undefined if it ends meanwhile. */
async function greet(
  socket: Socket,
  {lock, toEnd}: {readonly lock: string; readonly toEnd: boolean},
): Promise<Result<ServiceClient | undefined>> {
  const connection = createMessageConnection(
    new SocketMessageReader(socket),
    new SocketMessageWriter(socket),
  );
  const listen = passEvents(connection);
  const loss = followLoss(connection);
  connection.onError(() => socket.destroy());
  connection.listen();
  const hello = await greeting(connection, socket);
  if (hello === 'mute') {
    const why = `it does not answer; kill ${lockOwner(lock)} ends it`;
    return fail({kind: 'not_offered', what: 'the background service', why});
  }
  if (!hello) return {ok: true, value: undefined};
  if (hello.version !== version && !toEnd) {
    socket.destroy();
    const why = `it is version ${hello.version}, and this is ${version}; it ends with its last session, or with acp-tui service stop`;
    return fail({kind: 'not_offered', what: 'the running background service', why});
  }
  const {onLost} = loss;
  const close = () => {
    loss.forget();
    socket.destroy();
  };
  return {ok: true, value: {pid: hello.pid, onLost, close, ...requestsOf(connection, {loss, listen})}};
}

interface Following {
  readonly loss: Loss;
  readonly listen: (key: string, listener: EventListener) => void;
}

function requestsOf(
  connection: MessageConnection,
  {loss, listen}: Following,
): Omit<ServiceClient, 'pid' | 'onLost' | 'close'> {
  return {
    list: () => unlessEnded(() => connection.sendRequest(messages.list, {}), []),
    async start(wanted, onEvents) {
      const asked = {...wanted, attach: onEvents !== undefined};
      const started = await unlessEnded(
        () => connection.sendRequest(messages.start, asked),
        fail(JUST_ENDED),
      );
      if (started.ok && onEvents) listen(started.value.key, onEvents);
      return started;
    },
    async attach(id, onEvents) {
      const attached = await unlessEnded(
        () => connection.sendRequest(messages.attach, {id}),
        fail(JUST_ENDED),
      );
      if (attached.ok) listen(attached.value.key, onEvents);
      return attached;
    },
    call: (call) => connection.sendRequest(messages.call, call),
    stop: (id) => unlessEnded(() => connection.sendRequest(messages.stop, {id}), fail(JUST_ENDED)),
    async end() {
      const {promise, resolve} = Promise.withResolvers<void>();
      loss.onLost(resolve);
      connection.sendRequest(messages.end, {}).catch(() => undefined);
      await promise;
    },
  };
}
