import {sanitizeLine} from './text/sanitize.ts';

/** How much of an agent's own words goes into a sentence of ours, in UTF-16 units. */
const LONGEST_QUOTE = 400;

/** One safe line of what an agent, or what it runs on, said. */
export function quoted(words: string, longest = LONGEST_QUOTE): string {
  const line = sanitizeLine(words.slice(0, longest * 4));
  // Not within a character.
  return line.length > longest ? `${line.slice(0, longest).replace(/[\ud800-\udbff\s]+$/, '')}…` : line;
}

/** The part of an error message that is for people: some agents send the JSON answer of a service instead. */
export function humanPart(message: string): string {
  return quoted(messageIn(message) ?? message);
}

/** The last lines of a program's stderr that say something; without the frames of a stack trace, and what Node shows below one. */
export function lastWords(stderrTail: string): string | undefined {
  const lines = stderrTail.split('\n').map((line) => quoted(line));
  const said = lines.filter((line) => line !== '' && !/^at |^Node\.js v|^\^+$/.test(line));
  const withoutFields = said.filter((line) => !/^\w+: (['"[{].*|-?\d+),?$|^[\]}],?$/.test(line));
  const telling = withoutFields.length === 0 ? said : withoutFields;
  return telling.length === 0 ? undefined : telling.slice(-3).join('\n');
}

/** The innermost message of a JSON text, however it is wrapped; undefined when there is none. */
function messageIn(text: string): string | undefined {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start) return undefined;
  try {
    return deepestMessage(JSON.parse(text.slice(start, end + 1)), 0);
  } catch {
    return undefined;
  }
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
