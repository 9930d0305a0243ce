/** The sequences for styles and links, and marks of prompts; sanitized text contains no others. */
const STYLES =
  /\x1b\[([\d;:]*)m|\x1b\]8;[^;\x07\x1b]*;([^\x07\x1b]*)(?:\x07|\x1b\\)|\x1b\]133;[AC][^\x07\x1b]*\x1b\\/g;

/** Matches one of them at `lastIndex`. */
export const STYLE_AT = new RegExp(STYLES.source, 'y');

const CONTROL = new RegExp(`${STYLES.source}|\\p{Cc}`, 'gu');

/** Returns the text with styles and links, but without other control characters, for direct output to the terminal. */
export function keepStyles(text: string): string {
  return text.replace(CONTROL, (control) => (control.length > 1 ? control : ''));
}

/** The styles and links open at a position, in order of opening. */
type Open = Map<string, {readonly start: string; readonly end: string}>;

/** The code that ends each attribute; bold and dim share one. */
const ENDS: Readonly<Record<number, number>> = {
  1: 22,
  2: 22,
  3: 23,
  4: 24,
  5: 25,
  7: 27,
  8: 28,
  9: 29,
  53: 55,
};

/** Returns the text without styles and links. */
export function stripStyles(text: string): string {
  return text.replace(STYLES, '');
}

/** Makes each line independent: styles open at its end are closed there and reopened on the next. */
export function carryStyles(lines: readonly string[]): string[] {
  const open: Open = new Map();
  let starts = '';
  let ends = '';
  return lines.map((line) => {
    const before = starts;
    if (line.includes('\x1b')) {
      for (const [sequence, parameters, target] of line.matchAll(STYLES)) {
        if (parameters !== undefined) setAttributes(open, parameters);
        else if (target !== undefined) setLink(open, sequence, target);
      }
      starts = Array.from(open.values(), ({start}) => start).join('');
      ends = Array.from(open.values(), ({end}) => end)
        .reverse()
        .join('');
    }
    return line === '' ? '' : before + line + ends;
  });
}

function setLink(open: Open, sequence: string, target: string): void {
  open.delete('link');
  if (target !== '') open.set('link', {start: sequence, end: '\x1b]8;;\x07'});
}

function setAttributes(open: Open, parameters: string): void {
  const codes = parameters.split(';');
  for (let index = 0; index < codes.length; index++) {
    const text = codes[index] ?? '';
    const code = Number.parseInt(text || '0', 10);
    const isColor = (code === 38 || code === 48 || code === 58) && !text.includes(':');
    const length = isColor ? (codes[index + 1] === '2' ? 5 : 3) : 1;
    const end = endOf(code);
    if (end === undefined) close(open, code);
    else {
      const key = `${end} ${end === 22 ? code : ''}`;
      open.delete(key);
      open.set(key, {start: `\x1b[${codes.slice(index, index + length).join(';')}m`, end: `\x1b[${end}m`});
    }
    index += length - 1;
  }
}

function close(open: Open, code: number): void {
  for (const key of open.keys()) {
    if (code === 0 ? key !== 'link' : key.startsWith(`${code} `)) open.delete(key);
  }
}

function endOf(code: number): number | undefined {
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return 39;
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return 49;
  return code === 58 ? 59 : ENDS[code];
}

/** Most terminals reject more bytes of base64. */
const MAX_LENGTH = 74_994;

/** Returns the sequence (OSC 52) that copies text to the terminal's clipboard, also over SSH; undefined if it is too long. */
export function clipboardSequence(text: string): string | undefined {
  const base64 = Buffer.from(text, 'utf8').toString('base64');
  return base64.length > MAX_LENGTH ? undefined : `\x1b]52;c;${base64}\x07`;
}
