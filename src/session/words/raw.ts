import {visibleText} from '../content.ts';
import type {ToolCallEntry} from '../entries.ts';

/** The fields in which tools say what came of them: what went wrong first, then what they wrote. */
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
] as const;
/** Two fields that belong together; all others say the same thing twice. */
const STREAMS: ReadonlySet<string> = new Set(['stdout', 'stderr']);
/** Fields that only repeat what the status says. */
const STATUS_KEYS = /^(?:exit_?code|exit|success|ok|status|is_?error|duration\w*)$/i;

/** A raw output as text: what it holds where it says so, its parts below each other, otherwise its JSON. */
export function rawText(raw: unknown): string {
  if (raw === undefined || raw === null) return '';
  return textIn(raw) ?? JSON.stringify(raw, undefined, 2);
}

/**
 * What a finished call says of its result only in its raw output: '' where its content shows something, or where that says
 * no more than that it went well.
 */
export function resultText({status, content, rawOutput}: ToolCallEntry): string {
  const isFailure = status === 'failed';
  if (!isFailure && status !== 'completed') return '';
  const shows = content.some((part) => {
    if (part.type === 'diff') return !isFailure;
    return (
      part.type === 'terminal' || part.content.type !== 'text' || visibleText([part.content]).trim() !== ''
    );
  });
  if (shows || (!isFailure && saysOnlyStatus(rawOutput))) return '';
  return rawText(rawOutput).trim();
}

/** The text of a raw value; undefined where it holds none. */
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
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return typeof raw === 'boolean';
  return Object.entries(raw).every(
    ([key, value]) => value === null || value === '' || (STATUS_KEYS.test(key) && typeof value !== 'object'),
  );
}
