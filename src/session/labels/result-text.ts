import {holdsText} from '../../text/diff/occurrences.ts';
import {withoutSpaces} from '../../text/format.ts';
import {isJsonObject} from '../../text/json.ts';
import type {ToolCallEntry} from '../entries.ts';
import {visibleText} from '../transcript/content.ts';

/** Output fields with text: error messages first, then output. */
const TEXT_KEYS = [
  'error',
  'message',
  'output',
  'stdout',
  'stderr',
  'text',
  'content',
  'result',
  'formatted_output',
  'aggregated_output',
  'errors',
  'reason',
  'detail',
] as const;
/** Fields that complement each other; all others repeat the same text. */
const STREAMS: ReadonlySet<string> = new Set(['stdout', 'stderr']);
/** Fields with the output of a command. If they are there and empty, other fields are about the command, and no result. */
const OUTPUT_KEYS = ['stdout', 'stderr', 'formatted_output', 'aggregated_output'] as const;
/** Fields that only repeat the status. */
const STATUS_KEYS = /^(?:exit_?code|exit|success|ok|status|is_?error|duration\w*)$/i;

/** Returns a raw output as text: its text fields if it has any, its items one per line, or else its JSON. */
function rawText(raw: unknown): string {
  if (raw === undefined || raw === null) return '';
  return textIn(raw) ?? JSON.stringify(raw, undefined, 2);
}

/** Returns the result of a finished call from its raw output; '' if its content shows it, or if it only reports success. */
export function resultText({
  status,
  content,
  rawOutput,
}: Pick<ToolCallEntry, 'status' | 'content' | 'rawOutput'>): string {
  const isFailure = status === 'failed';
  if (!isFailure && status !== 'completed') return '';
  const shows = content.some((part) => {
    if (part.type === 'diff') return !isFailure;
    return (
      part.type === 'terminal' || part.content.type !== 'text' || visibleText([part.content]).trim() !== ''
    );
  });
  if (shows && isFailure) return reasonText(content, rawOutput);
  if (shows || (!isFailure && saysOnlyStatus(rawOutput))) return '';
  return rawText(rawOutput).trim();
}

/** Returns why a call failed that has content, which may be from before its end; '' if the content says it. */
function reasonText(content: ToolCallEntry['content'], rawOutput: unknown): string {
  const hasTerminal = content.some(({type}) => type === 'terminal');
  // Beside a command's output, the raw one is the same.
  const raw =
    hasTerminal && isJsonObject(rawOutput) ? (rawOutput['error'] ?? rawOutput['message']) : rawOutput;
  const reason = hasTerminal && !isJsonObject(rawOutput) ? '' : (textIn(raw) ?? codeIn(raw)).trim();
  const said = content.flatMap((part) => (part.type === 'content' ? [visibleText([part.content])] : []));
  return holdsText(withoutSpaces(said.join('')), withoutSpaces(reason)) ? '' : reason;
}

/** Returns the code of an error that has no words, and the file it is about; '' if there is none. */
function codeIn(raw: unknown): string {
  if (!isJsonObject(raw)) return '';
  const {code, path, error} = raw;
  if (typeof code !== 'string') return codeIn(error);
  return typeof path === 'string' ? `${code}: ${path}` : code;
}

/** Returns the text in a raw value; undefined if there is none. */
function textIn(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  if (Array.isArray(raw)) {
    const texts = raw.map(textIn);
    return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join('\n') : undefined;
  }
  if (typeof raw !== 'object' || raw === null) return undefined;
  const record = raw as Readonly<Record<string, unknown>>;
  const found = TEXT_KEYS.flatMap((key) => {
    const text = textIn(record[key]);
    return text === undefined || text.trim() === '' ? [] : [{key, text}];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const both = STREAMS.has(first.key) ? found.filter(({key}) => STREAMS.has(key)) : [first];
  return both.map(({text}) => text.replace(/\n$/, '')).join('\n');
}

function saysOnlyStatus(raw: unknown): boolean {
  if (!isJsonObject(raw)) return typeof raw === 'boolean';
  const outputs = OUTPUT_KEYS.flatMap((key) => raw[key] ?? []);
  if (outputs.length > 0 && outputs.every((text) => text === '')) return true;
  return Object.entries(raw).every(
    ([key, value]) => value === null || value === '' || (STATUS_KEYS.test(key) && typeof value !== 'object'),
  );
}

const MIN_FENCE = 3;

/** Agents put file contents and output in code fences, which are redundant in a card. */
export function withoutFence(text: string): string {
  const [opening = ''] = /^(?:`{3,}|~{3,})/.exec(text) ?? [];
  const start = text.indexOf('\n') + 1;
  if (opening === '' || start === 0) return text;
  let end = text.length;
  while (end > start && text[end - 1] === opening[0] && text.length - end < opening.length) end--;
  if (text.length - end < MIN_FENCE) return text;
  while (end > start && text[end - 1] === '\n') end--;
  return text.slice(start, end);
}
