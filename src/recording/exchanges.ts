import {isStart, type RecordingLine} from './format.ts';
import {isJsonObject} from '../text/json.ts';
import {maxOf} from '../text/lists.ts';

/** An unchecked JSON-RPC message. */
export type Message = Readonly<Record<string, unknown>>;

type ExchangeKind = 'request' | 'notification' | 'answer' | 'batch' | 'output' | 'stderr' | 'start' | 'exit';

/** A request with its response, or a single line. */
export interface Exchange {
  /** Index of its line. */
  readonly index: number;
  /** Number of the agent process, from 1. */
  readonly run: number;
  /** Milliseconds since its agent process was started. */
  readonly t: number;
  /** Milliseconds since the first agent process was started: a common clock. */
  readonly at: number;
  readonly from: 'agent' | 'client';
  /** `answer` is a response without a request. */
  readonly kind: ExchangeKind;
  readonly line: RecordingLine;
  /** Empty if there is none. */
  readonly method: string;
  readonly answer:
    {readonly index: number; readonly latencyMs: number; readonly message: Message} | undefined;
}

/** Returns requests paired with their responses (by direction and id, within one agent process), and everything else, in order. */
export function exchangesOf(lines: readonly RecordingLine[]): readonly Exchange[] {
  const found: Exchange[] = [];
  const open = new Map<string, number>();
  const runs = new Map<number, number>();
  const starts = new Map<number, number>();
  const begin = lines.find(isStart)?.at ?? 0;
  for (const [index, line] of lines.entries()) {
    const process = line.p ?? 1;
    if (isStart(line)) starts.set(process, line.at);
    if (isStart(line) || !runs.has(process)) runs.set(process, 1 + maxOf(runs.values(), 0));
    const run = runs.get(process) ?? 1;
    const [kind, message] = [kindOf(line), messageOf(line)];
    const key = message && `${run} ${keyOf(line, message, kind)}`;
    const asked = kind === 'answer' && key !== undefined ? open.get(key) : undefined;
    const request = asked === undefined ? undefined : found[asked];
    if (key !== undefined && message && asked !== undefined && request) {
      open.delete(key);
      found[asked] = {...request, answer: {index, latencyMs: line.t - request.t, message}};
      continue;
    }
    if (key !== undefined && kind === 'request') open.set(key, found.length);
    const from = line.d === '>' ? 'client' : 'agent';
    const at = Math.max(0, (starts.get(process) ?? begin) - begin + line.t);
    found.push({index, run, t: line.t, at, from, kind, line, method: methodOf(message), answer: undefined});
  }
  return found;
}

/** Returns the session id in an exchange, or in its response; undefined if there is none. */
export function sessionIdOf({line, answer}: Exchange): string | undefined {
  const named = fieldsOf(messageOf(line)?.['params'])['sessionId'];
  return textOf(named ?? fieldsOf(answer?.message['result'])['sessionId']);
}

/** Returns the message of a line; undefined if it has none, or is a batch. */
export function messageOf(line: RecordingLine): Message | undefined {
  return 'm' in line && !Array.isArray(line.m) ? line.m : undefined;
}

export function methodOf(message: Message | undefined): string {
  const method = message?.['method'];
  return typeof method === 'string' ? method : '';
}

export function kindOf(line: RecordingLine): ExchangeKind {
  if (line.d === '!') return 'stderr';
  if (line.d === '#') return line.e;
  if (!('m' in line)) return 'output';
  const message = messageOf(line);
  if (!message) return 'batch';
  if (methodOf(message) === '') return 'answer';
  return 'id' in message ? 'request' : 'notification';
}

/** Returns what a request and its answer have in common: each side numbers its own requests, and 1 is not "1". */
export function keyOf({d}: RecordingLine, {id}: Message, kind: ExchangeKind): string {
  const asker = (d === '>') === (kind === 'request') ? 'client' : 'agent';
  return `${asker} ${typeof id} ${textOfValue(id)}`;
}

/** Returns a value as an object; empty if it is not one. */
export function fieldsOf(value: unknown): Message {
  return isJsonObject(value) ? value : {};
}

/** Returns the update in a message; empty if it has none. */
export function updateOf(message: Message | undefined): Message {
  return fieldsOf(fieldsOf(message?.['params'])['update']);
}

/** Returns the objects of a list; none if it is not a list. */
export function itemsOf(value: unknown): readonly Message[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** Returns a string; undefined for any other value. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns any value as text: strings unchanged, everything else as JSON, since an object may lack a working `toString`. */
export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}

/** The text of a recording. */
export function recordingText(lines: readonly RecordingLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
