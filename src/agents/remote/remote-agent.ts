import {setTimeout as sleep} from 'node:timers/promises';
import type {AnyMessage} from '@agentclientprotocol/sdk/unstable';
import {MemoryAcpCookieStore} from '@agentclientprotocol/sdk/experimental/ws-client';
import {expand} from '../../shared/variables.ts';
import type {Transport} from '../../protocol/transport.ts';
import type {WireEvent} from '../../recording/format.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import {version} from '../../shared/version.ts';
import {invalidAgent} from '../command-line.ts';
import type {AgentCommand} from '../resolve.ts';
import type {RunningAgent} from '../running-agent.ts';
import {remoteUrl, displayableUrl} from './address.ts';
import {openHttpStream} from './http.ts';
import type {RemoteStream, RemoteTarget} from './stream.ts';
import {openWebSocket} from './websocket.ts';

/** A connection to a remote agent. */
export interface RemoteAgent extends RunningAgent {
  readonly transport: Transport;
  lost(): Failure | undefined;
}

interface ConnectOptions {
  /** Absolute; the local folder of the session. */
  readonly cwd: string;
  /** Where variables of its settings are looked up, after its own. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
  readonly onEvent?: (event: Exclude<WireEvent, {kind: 'message'}>) => void;
}

type RemoteCommand = AgentCommand & {readonly remote: NonNullable<AgentCommand['remote']>};

/** Number of queued messages at which reading from the network pauses. */
const MAX_WAITING = 256;
/** How long the server may take to close a connection, in milliseconds. */
const CLOSE_MS = 2000;

const cookies = new Map<string, MemoryAcpCookieStore>();
let connections = 0;

/** Connects to a remote agent. Problems known before the first message are returned as a failure; later ones end the transport. */
export async function connectRemoteAgent(
  agent: RemoteCommand,
  {cwd, environment = process.env, onEvent = () => {}}: ConnectOptions,
): Promise<Result<RemoteAgent>> {
  const target = targetOf({...agent, env: {...environment, ...agent.env}});
  if (!target.ok) return target;
  const isWebSocket = /^wss?:$/.test(target.value.url.protocol);
  const opened = await (isWebSocket ? openWebSocket(target.value) : openHttpStream(target.value));
  if (!opened.ok) return opened;
  const pid = -++connections;
  const {label, command, args, remote} = agent;
  onEvent({kind: 'started', pid, at: Date.now(), agent: {label, command, args}, cwd: remote.cwd ?? cwd});
  return {ok: true, value: remoteAgentOver(opened.value, {pid, onEvent})};
}

function targetOf({
  label,
  command,
  env,
  remote,
}: Omit<RemoteCommand, 'env'> & {readonly env: NodeJS.ProcessEnv}): Result<RemoteTarget> {
  const settings = remote.settings();
  const {token, headers = {}} = settings;
  const problems: string[] = [];
  const fill = (text: string) =>
    expand(text, {variables: env, onProblem: (problem) => void problems.push(problem), onValue: () => {}});
  const filled = Object.entries({
    ...(token !== undefined && {Authorization: `Bearer ${token}`}),
    ...headers,
  }).map(([name, value]) => [name, fill(value)] as const);
  const text = fill(settings.url);
  const bad = filled.find(
    ([name, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value),
  );
  const problem =
    problems[0] ??
    (bad &&
      `the header ${JSON.stringify(bad[0])} cannot be sent: it has a character that headers may not have`);
  if (problem !== undefined) return invalidAgent(label, problem, '');
  const url = remoteUrl(label, text, settings);
  if (!url.ok) return url;
  const key = `${label} ${command}`;
  const cookieStore = cookies.get(key) ?? new MemoryAcpCookieStore();
  cookies.set(key, cookieStore);
  return {
    ok: true,
    value: {
      url: url.value,
      shown: displayableUrl(url.value, settings),
      headers: {'User-Agent': `acp-tui/${version}`, ...Object.fromEntries(filled)},
      cookieStore,
    },
  };
}

function remoteAgentOver(
  connection: RemoteStream,
  {pid, onEvent}: {readonly pid: number; readonly onEvent: NonNullable<ConnectOptions['onEvent']>},
): RemoteAgent {
  const {stream} = connection;
  const ended = Promise.withResolvers<undefined>();
  let isAsked = false;
  let failure: Failure | undefined;

  function end(error?: unknown): void {
    failure = connection.failureOf(error);
    onEvent({kind: 'exited', pid, at: Date.now(), code: null, signal: null, asked: isAsked});
    ended.resolve(undefined);
  }

  const messages = messagesOf(connection, end);
  const writer = stream.writable.getWriter();
  writer.closed.catch(() => {});
  async function stop(): Promise<void> {
    isAsked = true;
    // While paused, the end of the stream would not be read.
    connection.resume();
    const closed = Promise.allSettled([writer.close(), messages.cancel(), connection.closed]);
    await Promise.race([closed, sleep(CLOSE_MS, undefined, {ref: false})]);
    connection.terminate();
  }
  let stopping: Promise<void> | undefined;

  return {
    pid,
    transport: {
      lines: messages.lines,
      send(line) {
        const message = JSON.parse(line) as AnyMessage;
        connection.onSend?.(message);
        return writer.write(message);
      },
    },
    stderrTail: () => '',
    exited: ended.promise,
    lost: () => failure,
    stop: () => (stopping ??= stop()),
    killNow() {
      isAsked = true;
      connection.terminate();
    },
  };
}

interface Messages {
  readonly lines: ReadableStream<readonly string[]>;
  /** Resolves when the connection is closed. */
  readonly cancel: () => Promise<void>;
}

/** Returns the messages of a connection as lines, those that arrive together at once. They end with it, after everything received; `onEnd` is called first, with the error if there is one. */
function messagesOf(
  {stream, brokenBy, pause, resume}: RemoteStream,
  onEnd: (error?: unknown) => void,
): Messages {
  const reader = stream.readable.getReader();
  let cancelling: Promise<void> | undefined;
  async function read(controller: ReadableStreamDefaultController<readonly string[]>): Promise<void> {
    let lines: string[] = [];
    function deliver(): void {
      if (lines.length === 0 || cancelling) return;
      controller.enqueue(lines);
      lines = [];
      if ((controller.desiredSize ?? 1) <= 0) pause();
    }
    try {
      for (;;) {
        const next = await reader.read();
        if (next.done) return;
        const broken = brokenBy?.(next.value);
        if (broken) throw broken;
        // After the messages that arrived with this one: a delivery costs more than a message.
        if (lines.length === 0) setImmediate(deliver);
        lines.push(JSON.stringify(next.value));
      }
    } finally {
      deliver();
    }
  }
  const cancel = () => (cancelling ??= reader.cancel().catch(() => {}));
  const lines = new ReadableStream(
    {
      start(controller) {
        void read(controller)
          .then(() => onEnd(), onEnd)
          .then(() => cancelling ?? controller.close());
      },
      pull: resume,
      cancel,
    },
    {highWaterMark: MAX_WAITING, size: (lines) => lines.length},
  );
  return {lines, cancel};
}
