import {duration} from '../text/format.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {isStart} from './format.ts';
import {fieldsOf, messageOf, type Exchange, type Message, textOfValue, updateOf} from './exchanges.ts';
import {isJsonObject} from '../text/json.ts';
import {maxOf} from '../text/lists.ts';

/**
 * A finding about a message: normalized before it was read, or a violation of the protocol. A remark concerns behavior that is allowed but often breaks
 * clients.
 */
export interface Finding {
  readonly kind: 'corrected' | 'violation' | 'remark';
  readonly text: string;
  /** The number of the line that shows it, from 1. */
  readonly line: number;
  /** The page of the protocol that it concerns, with a section; relative to `PAGES`. */
  readonly page?: string;
  /** The rule that found it; absent if it was a schema. */
  readonly rule?: string;
}

export type FindingsOf = (exchange: Exchange) => readonly Finding[];

/** Maximum length of a detail. */
const MAX_DETAIL = 200;

/** Returns the title of an exchange: its method and kind of update. */
export function titleOf({kind, line, method}: Exchange): string {
  const message = messageOf(line);
  switch (kind) {
    case 'request':
      return sanitizeLine(`${method} #${textOfValue(message?.['id'])}`);
    case 'notification':
      return sanitizeLine([method, updateOf(message)?.['sessionUpdate']].filter(isText).join(' '));
    case 'answer':
      return sanitizeLine(`answer to unknown #${textOfValue(message?.['id'])}`);
    case 'batch':
    case 'output':
    case 'stderr':
    case 'start':
    case 'exit':
      return kind;
  }
}

/** Returns a one-line detail: duration and result of the response, or the text in the message. */
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
export function directionSign({line}: Exchange): string {
  return line.d;
}

/** Returns the names of the agent processes by number: `2 codex`; empty for a single one. */
export function processNames(exchanges: readonly Exchange[]): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const {run, line} of exchanges) {
    if (isStart(line)) names.set(run, sanitizeLine(`${run} ${line.agent.label}`));
    else if (!names.has(run)) names.set(run, String(run));
  }
  return names.size > 1 ? names : new Map();
}

/** Returns the seconds since the first agent was started, with milliseconds. */
export function timeOf({at}: Exchange): string {
  return (at / 1000).toFixed(3);
}

/** `corrected: missing-version; violation: … (tool-calls)` */
export function findingsText(findings: readonly Finding[]): string {
  return findings
    .map(({kind, text, page}) => `${kind}: ${sanitizeLine(text)}${page === undefined ? '' : ` (${page})`}`)
    .join('; ');
}

function outcomeOf({error, result}: Message): string {
  if (isJsonObject(error)) return `error ${textOfValue(error['code'])} ${textOfValue(error['message'])}`;
  if (!isJsonObject(result)) return 'ok';
  const {stopReason, outcome, sessionId} = result;
  const chosen = isJsonObject(outcome) ? (outcome['optionId'] ?? outcome['outcome']) : undefined;
  return [stopReason, chosen, sessionId].find(isText) ?? 'ok';
}

function textOf(message: Message | undefined): string {
  const {content, title, status} = updateOf(message);
  return [fieldsOf(content)['text'], title, status].filter(isText).join(' ');
}

function commandOf({command, args}: {readonly command: string; readonly args: readonly string[]}): string {
  return [command, ...args].join(' ');
}

function exitOf({
  code,
  signal,
  asked: wasRequested,
}: {
  code: number | null;
  signal: string | null;
  asked: boolean;
}): string {
  return `${signal ?? `code ${String(code)}`}${wasRequested ? ', stopped by the client' : ''}`;
}

function cut(text: string): string {
  return text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns the exchanges that contain every word in their messages, details or findings. */
export function filterExchanges(
  exchanges: readonly Exchange[],
  words: readonly string[],
  findingsOf: FindingsOf,
): readonly Exchange[] {
  const wanted = words.map((word) => word.toLowerCase());
  if (wanted.length === 0) return exchanges;
  return exchanges.filter((exchange) => {
    const text = searchText(exchange, findingsOf(exchange));
    return wanted.every((word) => text.includes(word));
  });
}

function searchText(exchange: Exchange, findings: readonly Finding[]): string {
  const {kind, from, line, answer} = exchange;
  const parts = [kind, `from ${from}`, titleOf(exchange), detailOf(exchange), findingsText(findings)];
  return [...parts, JSON.stringify(line), answer ? JSON.stringify(answer.message) : '']
    .join('\n')
    .toLowerCase();
}

/** Returns one line per exchange, in columns: time, direction, title, details; findings below it. */
export function tableOf(exchanges: readonly Exchange[], findingsOf: FindingsOf): readonly string[] {
  const rows = exchanges.map((exchange) => ({exchange, title: titleOf(exchange)}));
  const titles = Math.min(50, maxOf(lengths(rows.map(({title}) => title)), 0));
  const times = maxOf(lengths(exchanges.map(timeOf)), 0);
  return rows.flatMap(({exchange, title}) => {
    const [time, sign] = [timeOf(exchange).padStart(times), directionSign(exchange)];
    const indent = ' '.repeat(times + 4);
    const wrong = findingsOf(exchange).map((finding) => `${indent}${findingsText([finding])}`);
    return [`${time} ${sign} ${title.padEnd(titles)}  ${detailOf(exchange)}`.trimEnd()].concat(wrong);
  });
}

/** Returns an exchange as data, for programs. */
export function dataOf(exchange: Exchange, findings: readonly Finding[]): object {
  const {index, run, t, from, kind, line, method, answer} = exchange;
  const id = messageOf(line)?.['id'];
  return {
    line: index + 1,
    run,
    t,
    from,
    kind,
    ...(method !== '' && {method}),
    ...(id !== undefined && {id}),
    ...('m' in line ? {message: line.m} : {}),
    ...('text' in line ? {text: line.text} : {}),
    ...(line.d === '#' && {process: line}),
    ...(answer && {answer: {line: answer.index + 1, latencyMs: answer.latencyMs, message: answer.message}}),
    ...(findings.length > 0 && {findings}),
  };
}

/** Returns a complete exchange as readable text. */
export function fullText(exchange: Exchange, findings: readonly Finding[]): string {
  const {line, answer} = exchange;
  const content = 'm' in line ? line.m : 'text' in line ? line.text : line;
  const parts = [typeof content === 'string' ? content : JSON.stringify(content, undefined, 2)];
  if (answer)
    parts.push(`Answer after ${answer.latencyMs} ms:`, JSON.stringify(answer.message, undefined, 2));
  return [...findings.map((finding) => findingsText([finding])), ...parts].join('\n\n');
}

function lengths(texts: readonly string[]): number[] {
  // Math.max with more arguments would exhaust the stack.
  return texts.slice(0, 50_000).map((text) => text.length);
}

/** The URL of the protocol's documentation. */
export const PAGES = 'https://agentclientprotocol.com/protocol/v1/';

/** The protocol page of each method, by prefix. */
const BY_METHOD: readonly (readonly [beginning: string, page: string])[] = [
  ['initialize', 'initialization'],
  ['authenticate', 'authentication'],
  ['logout', 'authentication#logging-out'],
  ['session/load', 'session-setup#loading-sessions'],
  ['session/resume', 'session-setup#resuming-sessions'],
  ['session/close', 'session-setup#closing-active-sessions'],
  ['session/new', 'session-setup#creating-a-session'],
  ['session/list', 'session-list'],
  ['session/delete', 'session-delete'],
  ['session/set_mode', 'session-modes'],
  ['session/set_config_option', 'session-config-options'],
  ['session/cancel', 'prompt-turn#cancellation'],
  ['session/prompt', 'prompt-turn'],
  ['session/request_permission', 'tool-calls#requesting-permission'],
  ['fs/', 'file-system'],
  ['terminal/', 'terminals'],
];

const BY_UPDATE: Readonly<Record<string, string>> = {
  tool_call: 'tool-calls#creating',
  tool_call_update: 'tool-calls#updating',
  plan: 'agent-plan',
  available_commands_update: 'slash-commands',
  current_mode_update: 'session-modes',
  config_option_update: 'session-config-options',
  session_info_update: 'session-list#updating-session-metadata',
  usage_update: 'prompt-turn#session-usage-updates',
};

/** Returns the page that documents a method, or a kind of `session/update`. */
export function pageOf(method: string, update?: string): string {
  if (method === 'session/update')
    return (Object.hasOwn(BY_UPDATE, update ?? '') ? BY_UPDATE[update ?? ''] : undefined) ?? 'prompt-turn';
  return BY_METHOD.find(([beginning]) => method.startsWith(beginning))?.[1] ?? 'schema';
}
