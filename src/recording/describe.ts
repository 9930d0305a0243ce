import {duration} from '../text/format.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {messageOf, type Exchange, type Message} from './exchanges.ts';
import {wordOf} from './fields.ts';

/**
 * What is wrong with a message: mended before it was read, or against the protocol. A remark is about what is allowed, and trips
 * clients up all the same.
 */
export interface Finding {
  readonly kind: 'mended' | 'violation' | 'remark';
  readonly text: string;
  /** The number of the line that shows it, from 1. */
  readonly line: number;
  /** The page of the protocol that it concerns, with a section; below `PAGES`. */
  readonly page?: string;
  /** The name of the rule that found it; absent where that was a schema. */
  readonly rule?: string;
}

export type FindingsOf = (exchange: Exchange) => readonly Finding[];

/** Longer texts say no more in one line. */
const MAX_DETAIL = 200;

/** What an exchange is: its method with the kind of update, or what else it is. */
export function titleOf({kind, line, method}: Exchange): string {
  const message = messageOf(line);
  switch (kind) {
    case 'request':
      return sanitizeLine(`${method} #${wordOf(message?.['id'])}`);
    case 'notification':
      return sanitizeLine([method, updateOf(message)?.['sessionUpdate']].filter(isText).join(' '));
    case 'answer':
      return sanitizeLine(`answer to unknown #${wordOf(message?.['id'])}`);
    case 'batch':
    case 'output':
    case 'stderr':
    case 'start':
    case 'exit':
      return kind;
  }
}

/** What can be said about it in a line: how long the answer took and what it was, or the text that it carries. */
export function detailOf(exchange: Exchange): string {
  const {kind, line, answer} = exchange;
  return cut(sanitizeLine(detail()));

  function detail(): string {
    if (kind === 'request')
      return answer ? `${duration(answer.latencyMs)} ${outcomeOf(answer.message)}` : 'no answer';
    if (line.d === '#') return line.e === 'start' ? commandOf(line.agent) : exitOf(line);
    if ('text' in line) return line.text;
    return kind === 'batch' ? JSON.stringify(line.m) : textOf(messageOf(line));
  }
}

/** `<` from the agent, `>` to it, `!` its standard error, `#` its process. */
export function signOf({line}: Exchange): string {
  return line.d;
}

/** Seconds since the agent was started, to the millisecond. */
export function timeOf({t}: Exchange): string {
  return (t / 1000).toFixed(3);
}

/** `mended: missing-version; violation: … (tool-calls)` */
export function findingsText(findings: readonly Finding[]): string {
  return findings
    .map(({kind, text, page}) => `${kind}: ${sanitizeLine(text)}${page === undefined ? '' : ` (${page})`}`)
    .join('; ');
}

function outcomeOf({error, result}: Message): string {
  if (isObject(error)) return `error ${wordOf(error['code'])} ${wordOf(error['message'])}`;
  if (!isObject(result)) return 'ok';
  const {stopReason, outcome, sessionId} = result;
  const chosen = isObject(outcome) ? (outcome['optionId'] ?? outcome['outcome']) : undefined;
  return [stopReason, chosen, sessionId].find(isText) ?? 'ok';
}

function textOf(message: Message | undefined): string {
  const update = updateOf(message);
  const content = update?.['content'];
  const text = isObject(content) ? content['text'] : undefined;
  const parts = [text, update?.['title'], update?.['status']].filter(isText);
  return parts.length > 0 ? parts.join(' ') : '';
}

function updateOf(message: Message | undefined): Message | undefined {
  const params = message?.['params'];
  const update = isObject(params) ? params['update'] : undefined;
  return isObject(update) ? update : undefined;
}

function commandOf({command, args}: {readonly command: string; readonly args: readonly string[]}): string {
  return [command, ...args].join(' ');
}

function exitOf({code, signal, asked}: {code: number | null; signal: string | null; asked: boolean}): string {
  return `${signal ?? `code ${String(code)}`}${asked ? ', ended by the client' : ''}`;
}

function cut(text: string): string {
  return text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text;
}

function isObject(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
