import {messageOf, methodOf, type Message, kindOf} from './exchanges.ts';
import type {RecordingLine} from './format.ts';
import {isJsonObject} from '../text/json.ts';

/** Receivers of a served recording. */
interface ServeSinks {
  readonly send: (message: unknown) => void;
  /** A line that is not a message. */
  readonly print: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** The recorded agent exited here. */
  readonly exit: (code: number | null, signal: string | null) => void;
  /** Waits for the time between two recorded lines, in milliseconds; undefined if there is nothing to wait for. */
  readonly pause: (ms: number) => Promise<void> | undefined;
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/**
 * Plays the agent process of a recording. Its messages come in the recorded order, each after the client has sent what it had sent before it: requests are
 * matched by method and order, responses by id. A request skips recorded ones before it; a request that was never recorded, or less often, gets an error that
 * says so. Returns what handles a message of the client.
 */
export function createRecordedAgent(
  run: readonly RecordingLine[],
  sinks: ServeSinks,
): (message: Message) => void {
  const inbox: Message[] = [];
  const translation = createIdMapping(run);
  let position = 0;
  let wake: (() => void) | undefined;

  async function play(): Promise<void> {
    let before = 0;
    for (; position < run.length; position++) {
      const line = run[position];
      if (!line) return;
      if (line.d === '>') await awaitMessage(line);
      else {
        await sinks.pause(line.t - before);
        say(line);
      }
      before = line.t;
    }
  }

  /** Waits until the client sends the recorded message. */
  async function awaitMessage(line: Exclude<RecordingLine, {d: '#' | '!'}>): Promise<void> {
    const recorded = messageOf(line);
    if (!recorded) return;
    for (;;) {
      const at = inbox.findIndex((message) => isSame(message, recorded));
      const [answer] = at === -1 ? [] : inbox.splice(at, 1);
      if (answer) return translation.said(recorded, answer);
      if (isOptional(recorded)) return;
      if (methodOf(recorded) !== '' && inbox.some(isLater)) return translation.skipped(recorded);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  const isLater = (message: Message) =>
    'id' in message && timesAsked(run.slice(position + 1), methodOf(message)) > 0;

  function say(line: RecordingLine): void {
    if (line.d === '!') return sinks.stderr(line.text);
    if (line.d === '#')
      return line.e === 'exit' && !line.asked ? sinks.exit(line.code, line.signal) : undefined;
    if ('text' in line) return sinks.print(line.text);
    const message = translation.toClient(line.m);
    if (message !== undefined) sinks.send(message);
  }

  function receive(message: Message): void {
    const method = methodOf(message);
    const waiting = inbox.filter((other) => methodOf(other) === method).length;
    const ahead = run
      .slice(position)
      .filter((line) => methodOf(messageOf(line)) === method && line.d === '>');
    if (method !== '' && 'id' in message && ahead.length <= waiting) {
      sinks.send(translation.late(message) ?? notRecorded(run, message));
      return;
    }
    inbox.push(message);
    wake?.();
  }

  void play();
  return receive;
}

function timesAsked(lines: readonly RecordingLine[], method: string): number {
  return lines.filter((line) => line.d === '>' && methodOf(messageOf(line)) === method).length;
}

function isSame(message: Message, recorded: Message): boolean {
  if (methodOf(recorded) === '') return methodOf(message) === '' && message['id'] === recorded['id'];
  return methodOf(message) === methodOf(recorded) && 'id' in message === 'id' in recorded;
}

/** True for messages that a client may leave out: notifications that only cancel something. */
function isOptional(recorded: Message): boolean {
  return !('id' in recorded) && methodOf(recorded).startsWith('$/');
}

function notRecorded(run: readonly RecordingLine[], {id, method}: Message): object {
  const times = timesAsked(run, String(method));
  if (times === 0) return error(id, METHOD_NOT_FOUND, `The recording has no ${String(method)}.`);
  const often = times === 1 ? 'once' : `${times} times`;
  return error(id, INTERNAL_ERROR, `The recording has ${String(method)} only ${often}, and none is left.`);
}

function error(id: unknown, code: number, message: string): object {
  return {jsonrpc: '2.0', id, error: {code, message}};
}

/** The client has its own ids of requests and terminals. */
function createIdMapping(run: readonly RecordingLine[]) {
  const ids = new Map<unknown, unknown>();
  const missed = new Map<string, unknown[]>();
  const missedIds = new Set<unknown>();
  const terminals = new Map<unknown, unknown>();

  return {
    /** The client has sent the message that was recorded as `recorded`. */
    said(recorded: Message, now: Message) {
      if (methodOf(recorded) !== '') ids.set(recorded['id'], now['id']);
      const [before, after] = [terminalOf(recorded), terminalOf(now)];
      if (before !== undefined && after !== undefined) terminals.set(before, after);
    },
    /** The client did not send it. */
    skipped({id, method}: Message) {
      if (id === undefined) return;
      missedIds.add(id);
      missed.set(String(method), [...(missed.get(String(method)) ?? []), id]);
    },
    /** Returns the agent's recorded message for this client; undefined for a response to a request it did not send. */
    toClient(recorded: unknown) {
      if (!isAnswer(recorded)) return withTerminals(recorded, terminals);
      if (missedIds.has(recorded['id'])) return undefined;
      const id = ids.has(recorded['id']) ? ids.get(recorded['id']) : recorded['id'];
      return withTerminals({...recorded, id}, terminals);
    },
    /** Returns the recorded response for a request that was skipped and arrives after all; undefined if none is left. */
    late(request: Message) {
      const [id, ...rest] = missed.get(methodOf(request)) ?? [];
      missed.set(methodOf(request), rest);
      const answers = run.flatMap((line) =>
        line.d === '<' && kindOf(line) === 'answer' ? [messageOf(line)] : [],
      );
      const answer = id === undefined ? undefined : answers.find((answer) => answer?.['id'] === id);
      return answer && {...answer, id: request['id']};
    },
  };
}

function isAnswer(value: unknown): value is Message {
  return isJsonObject(value) && !('method' in value);
}

/** Returns the terminal id in a response, which the client generates. */
function terminalOf({result}: Message): unknown {
  return typeof result === 'object' && result !== null && 'terminalId' in result
    ? result.terminalId
    : undefined;
}

/** Returns the value with the client's terminal ids in place of the recorded ones. */
function withTerminals(value: unknown, terminals: ReadonlyMap<unknown, unknown>): unknown {
  if (terminals.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withTerminals(item, terminals));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'terminalId' && terminals.has(item) ? terminals.get(item) : withTerminals(item, terminals),
    ]),
  );
}
