import {jsonOf} from '../text/json.ts';
import {sanitizeLine} from '../text/sanitize.ts';

/** The maximum length of an agent's text within an error message, in UTF-16 units. */
const MAX_QUOTE_LENGTH = 400;

/** Returns an agent's text (or its service's) as one safe line. */
export function quoteAgentText(words: string, longest = MAX_QUOTE_LENGTH): string {
  const line = sanitizeLine(words.slice(0, longest * 4));
  // Not inside a surrogate pair.
  return line.length > longest
    ? `${line.slice(0, longest).replace(/(?<![\ud800-\udbff\s])[\ud800-\udbff\s]+$/, '')}…`
    : line;
}

/** Returns the readable part of an error message: some agents send the JSON response of a service instead. */
export function extractErrorMessage(message: string): string {
  return quoteAgentText(messageIn(message) ?? message);
}

const MAX_WORDS = 3;
/** Start of an error report; what follows is often advice. */
const CAUSE = /\b(?:error|fatal|panicked|exception)\b|\bnot found\b/i;
/** Lines that npm prints around the reason. */
const NPM_NOISE =
  /^npm (?:error|ERR!)(?: \d+| E[A-Z]+)?$|^npm (?:error|ERR!) A complete log|^npm (?:error|ERR!) \d+ (?:Note that you can also install|tarball, folder, http)/;

/**
 * Returns the last meaningful lines of a program's stderr, preceded by the first one that names an error; without stack frames and Node's own lines below
 * them.
 */
export function stderrSummary(stderrTail: string): string | undefined {
  const lines = stderrTail.split('\n').map((line) => quoteAgentText(line));
  const meaningful = lines.filter(
    (line) => line !== '' && !/^at |^Node\.js v|^\^+$/.test(line) && !NPM_NOISE.test(line),
  );
  const withoutFields = meaningful.filter((line) => !/^\w+: (['"[{].*|-?\d+),?$|^[\]}],?$/.test(line));
  const useful = withoutFields.length === 0 ? meaningful : withoutFields;
  if (useful.length === 0) return undefined;
  const last = useful.slice(-MAX_WORDS);
  const cause = useful.find((line) => CAUSE.test(line));
  return (cause === undefined || last.includes(cause) ? last : [cause, ...last.slice(1)]).join('\n');
}

/** Returns the innermost message of a JSON text, however deeply nested; undefined if there is none. */
function messageIn(text: string): string | undefined {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  return start === -1 ? undefined : deepestMessage(jsonOf(text.slice(start, end + 1)), 0);
}

const WRAPPERS = ['error', 'message', 'details', 'detail'];

function deepestMessage(value: unknown, depth: number): string | undefined {
  if (depth > 10) return undefined;
  if (typeof value === 'string') return messageIn(value) ?? (value.trim() === '' ? undefined : value);
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = Array.isArray(value) ? value.entries() : Object.entries(value);
  const byKey = new Map<unknown, unknown>(fields);
  for (const key of [...WRAPPERS, 0]) {
    const message = deepestMessage(byKey.get(key), depth + 1);
    if (message !== undefined) return message;
  }
  return undefined;
}
