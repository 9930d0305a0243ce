/**
 * Complete control sequences, in their 7-bit (ESC) and 8-bit (C1) forms. The payload of OSC, DCS, SOS, PM and APC ends at the next control character, so that
 * text after an unterminated sequence is kept, and matching takes linear time.
 */
const SEQUENCES = new RegExp(
  [
    // CSI: parameters, intermediates, final byte
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    // OSC, ended by BEL or ST
    String.raw`(?:\x1b\]|\x9d)[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)`,
    // DCS, SOS, PM, APC, ended by ST; pictures contain line breaks
    String.raw`(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*(?:\x1b\\|\x9c)`,
    // all other escape sequences: character sets, keypad modes, reset
    String.raw`\x1b(?![[\]PX^_])[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/**
 * Invisible characters that change what is visible: bidirectional controls, zero-width spaces, fillers, tags, lone surrogates. Joiners, variation selectors
 * and combining marks belong to scripts and emoji, and are kept. Also kitty's character for pictures, and what terminals disagree about the width of, so that one could break
 * a line in two: unassigned code points of scripts.
 */
const INVISIBLE =
  /[[\p{Default_Ignorable_Code_Point}\p{Surrogate}\u2028\u2029\ufff9-\ufffb\u{10eeee}[\p{Unassigned}&&[\u0000-\uffff]]]--[\p{Join_Control}\p{Nonspacing_Mark}]]/v;

/** The extended combining marks of phonetics, which older terminals give a width. */
export const UNSURE_MARKS = String.raw`[\u1ab0-\u1aff]`;

/** The three flags that are written with tags (England, Scotland, Wales); any other tag is a hidden message. */
export const TAGGED_FLAGS = ['gbeng', 'gbsct', 'gbwls'].map(flagOf);

const CONTROLS = String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f]`;
const SHOWN = `${CONTROLS}|${INVISIBLE.source}|${UNSURE_MARKS}`;
const HOSTILE = new RegExp(SHOWN, 'v');
const TO_REPLACE = new RegExp(`${TAGGED_FLAGS.join('|')}|${SHOWN}`, 'gv');

/** Returns the text without control sequences. */
export function stripSequences(text: string): string {
  return text.replace(SEQUENCES, '');
}

/** Colors and styles have no payload, so only the text remains. */
const STYLE = /^(?:\x1b\[|\x9b)[\d;:]*m$/;

/**
 * Returns prose that cannot control a terminal; what is approved or recorded goes through `escapeHidden` instead. Keeps line feeds and tabs; removes colors
 * and shows every other complete control sequence as one `␛`, other control characters as pictures (U+2400…) and deceptive invisible characters as U+FFFD. A
 * carriage return becomes a line feed. Returns the same string if nothing changed; idempotent.
 */
export function sanitize(text: string): string {
  if (!HOSTILE.test(text)) return text;
  return text
    .replace(SEQUENCES, (sequence) => (STYLE.test(sequence) ? '' : '␛'))
    .replace(/\r+\n?|[\x85\u2028\u2029]/g, '\n')
    .replace(TO_REPLACE, visible);
}

/** `sanitize` in one line, for titles, names, labels and paths. Line breaks become U+2424. */
export function sanitizeLine(text: string): string {
  const lines = sanitize(text)
    .split('\n')
    .map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join(' \u2424 ')
    .replaceAll('\t', ' ');
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  // There are no pictures for C1 controls.
  if (code < 0xa0) return '\u2426';
  return TAGGED_FLAGS.includes(character) ? character : '\ufffd';
}

function flagOf(region: string): string {
  const tags = Array.from(region, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)));
  return `\u{1f3f4}${tags.join('')}\u{e007f}`;
}

interface DeepReading {
  /** Values under these keys are kept unchanged, including nested keys. */
  readonly keep?: ReadonlySet<string>;
  /** Sanitizes a text under a key; `sanitize` by default. */
  readonly read?: (text: string, key: string) => string;
}

/** What is nested deeper would exhaust the stack, here or where it is used. */
const DEEPEST = 1000;

/**
 * Sanitizes every string and object key in a JSON value. Unchanged parts keep their reference; what is nested too deeply becomes "…". The value must not have
 * cycles.
 */
export function sanitizeDeep<T>(value: T, {keep = new Set(), read = sanitize}: DeepReading = {}): T {
  const clean = (part: unknown, key: string, room: number): unknown => {
    if (typeof part === 'string') return read(part, key);
    if (typeof part !== 'object' || part === null) return part;
    if (room === 0) return '…';
    let isChanged = false;
    const entries = Object.entries(part).map(([name, child]: [string, unknown]) => {
      if (!Array.isArray(part) && keep.has(name)) return [name, child] as const;
      const cleaned = [Array.isArray(part) ? name : read(name, ''), clean(child, name, room - 1)] as const;
      isChanged ||= cleaned[0] !== name || cleaned[1] !== child;
      return cleaned;
    });
    if (!isChanged) return part;
    return Array.isArray(part) ? entries.map(([, child]) => child) : Object.fromEntries(entries);
  };
  return clean(value, '', DEEPEST) as T;
}
