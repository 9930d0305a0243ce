/** Characters that JSON leaves unescaped, but that can control a terminal: C1 controls and bidirectional marks. */
const DECEIVING = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Returns a value as JSON that is safe to print on a terminal. */
export function jsonText(value: unknown, indent: number): string {
  return escapeDeceiving(JSON.stringify(value, undefined, indent));
}

/** Escapes in a JSON text what could control a terminal; it says the same. */
export function escapeDeceiving(json: string): string {
  return json.replaceAll(DECEIVING, jsonEscape);
}

/** Returns a character of the basic plane as JSON may write it, such as \u2028. */
export function jsonEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** True for what says nothing: null, undefined, '', {} and []. */
export function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Parses a JSON text, also behind a byte order mark, which editors on Windows write; throws if it is invalid. */
function parsedJson(text: string): unknown {
  return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
}

/** Parses a JSON text in which no value may be lost: throws also if an object has two of one name, of which only the last would count. The error names the line. */
export function parseUniqueKeys(text: string): unknown {
  const value = parsedWithLine(text);
  const repeated = repeatedName(text);
  if (!repeated) return value;
  const {name, index} = repeated;
  throw new Error(`there is more than one "${name}" in an object ${lineAt(text, index)}`);
}

/** Names the line of a text that ends too early; V8 names that of most other errors. */
function parsedWithLine(text: string): unknown {
  try {
    return parsedJson(text);
  } catch (error) {
    const {message} = error as Error;
    if (!message.includes('end of JSON')) throw error;
    throw new Error(`${message} ${lineAt(text.trimEnd())}`, {cause: error});
  }
}

function lineAt(text: string, index = text.length): string {
  return `(line ${text.slice(0, index).split('\n').length})`;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Returns a name that an object of a valid JSON text has more than once, and where it stands again. */
function repeatedName(text: string): {readonly name: string; readonly index: number} | undefined {
  const open: Set<string>[] = [];
  let last = {text: '""', index: 0};
  for (const {0: token, index} of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const name = JSON.parse(last.text) as string;
      if (open.at(-1)?.has(name)) return {name, index: last.index};
      open.at(-1)?.add(name);
    } else last = {text: token, index};
  }
  return undefined;
}

/** Parses a JSON text; undefined if it is invalid. */
export function jsonOf(text: string): unknown {
  try {
    return parsedJson(text);
  } catch {
    return undefined;
  }
}

/** An unchecked JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
