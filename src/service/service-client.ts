import {spawn, type ChildProcess} from 'node:child_process';
import {createConnection, type Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {
  createMessageConnection,
  SocketMessageReader,
  SocketMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import type {SessionEvent} from '../session/events.ts';
import {fail, type Result} from '../shared/failure.ts';
import {version} from '../shared/version.ts';
import {
  messages,
  type ActionCall,
  type RunningSession,
  type SessionSnapshot,
  type SessionStart,
} from './messages.ts';
import {servicePlace} from './socket-place.ts';

/** A connection to the background service. */
export interface ServiceClient {
  /** The service's process. */
  readonly pid: number;
  list(): Promise<readonly RunningSession[]>;
  /** Starts a session; returns its id. */
  start(wanted: SessionStart): Promise<Result<string>>;
  /** Returns a session's state, and calls back with all later events. */
  attach(id: string, onEvent: (event: SessionEvent) => void): Promise<Result<SessionSnapshot>>;
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

/** Returns how this program runs as the service. */
function ownProgram(): ServiceProgram {
  const [, script = ''] = process.argv;
  return {command: process.execPath, args: [...process.execArgv, script, 'service', 'run']};
}

/** Connects to the running service; undefined if none runs. Fails with another version of it. */
export async function findService(state: string): Promise<Result<ServiceClient | undefined>> {
  const place = servicePlace(state);
  if (!place.ok) return place;
  const socket = await connect(place.value.socket);
  return socket ? greet(socket) : {ok: true, value: undefined};
}

/** Connects to the service, which is started if none runs. */
export async function connectService(
  state: string,
  {command, args}: ServiceProgram = ownProgram(),
): Promise<Result<ServiceClient>> {
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
  const why = `it did not start within ${START_MS / 1000} s; the log may say why`;
  return fail({kind: 'not_offered', what: 'the background service', why});
}

const JUST_ENDED = {
  kind: 'not_offered',
  what: 'the background service',
  why: 'it has just ended; try again',
} as const;

function connect(path: string): Promise<Socket | undefined> {
  const {promise, resolve} = Promise.withResolvers<Socket | undefined>();
  const socket = createConnection(path);
  socket.once('connect', () => resolve(socket));
  socket.once('error', () => resolve(undefined));
  return promise;
}

/** Returns the listeners to the events of each session. */
function passEvents(connection: MessageConnection): Map<string, (event: SessionEvent) => void> {
  const listeners = new Map<string, (event: SessionEvent) => void>();
  connection.onNotification(messages.events, ({id, events}) => {
    const listener = listeners.get(id);
    if (listener) for (const event of events) listener(event);
  });
  return listeners;
}

/** Undefined if it ends meanwhile. */
async function greet(socket: Socket): Promise<Result<ServiceClient | undefined>> {
  const connection = createMessageConnection(
    new SocketMessageReader(socket),
    new SocketMessageWriter(socket),
  );
  const listeners = passEvents(connection);
  const lost = new Set<() => void>();
  let isLost = false;
  connection.onClose(() => {
    isLost = true;
    for (const callback of lost) callback();
    // Only this rejects the requests that are not answered yet.
    connection.dispose();
  });
  connection.onError(() => socket.destroy());
  connection.listen();
  const onLost: ServiceClient['onLost'] = (callback) => {
    if (isLost) callback();
    else lost.add(callback);
  };
  const hello = await connection.sendRequest(messages.hello, {version}).catch(() => undefined);
  if (!hello) return {ok: true, value: undefined};
  if (hello.version !== version) {
    socket.destroy();
    const why = `it is version ${hello.version}, and this is ${version}; it ends with its last session, or with acp-tui service stop`;
    return fail({kind: 'not_offered', what: 'the running background service', why});
  }
  return {
    ok: true,
    value: {
      pid: hello.pid,
      list: () => connection.sendRequest(messages.list, {}),
      start: (wanted) =>
        connection.sendRequest(messages.start, wanted).catch((error: unknown) => {
          if (!isLost) throw error;
          return fail(JUST_ENDED);
        }),
      async attach(id, onEvent) {
        // Events may come before the response.
        listeners.set(id, onEvent);
        const attached = await connection.sendRequest(messages.attach, {id});
        if (!attached.ok) listeners.delete(id);
        return attached;
      },
      call: (call) => connection.sendRequest(messages.call, call),
      stop: (id) => connection.sendRequest(messages.stop, {id}),
      async end() {
        const {promise, resolve} = Promise.withResolvers<void>();
        onLost(resolve);
        connection.sendRequest(messages.end, {}).catch(() => undefined);
        await promise;
      },
      onLost,
      close() {
        lost.clear();
        socket.destroy();
      },
    },
  };
}
