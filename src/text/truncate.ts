import sliceAnsi from 'slice-ansi';
import {STYLE_AT} from './ansi.ts';
import {joinedWidth, PRINTABLE_ASCII, width} from './width.ts';
import {wrap} from './wrap.ts';

interface TruncateOptions {
  /** The position of the ellipsis; default `end`. */
  readonly position?: 'start' | 'middle' | 'end';
}

/**
 * Returns one line of at most `columns` columns, with `…` where something is cut. Line breaks become U+2424, tabs a space, so that rows and columns can be
 * counted. Styles stay balanced.
 */
export function truncate(lines: string, columns: number, {position = 'end'}: TruncateOptions = {}): string {
  const line = /[\t\n]/.test(lines)
    ? lines.replace(/(?<!\s)\s*\n\s*/g, ' \u2424 ').replaceAll('\t', ' ')
    : lines;
  const text = nearEnds(line, columns, position);
  if (text === line && width(text) <= columns) return text;
  if (columns < 1) return '';
  const total = text === line ? joinedWidth(text) : Math.max(joinedWidth(text), columns + 1);
  for (let room = Math.floor(columns) - 1; ;) {
    const head = position === 'start' ? 0 : position === 'end' ? room : Math.ceil(room / 2);
    const cut = `${slice(text, 0, head)}…${slice(text, Math.max(0, total - (room - head)), total)}`;
    const size = width(cut);
    if (size <= columns || room === 0) return cut;
    // With emoji that some terminals do not join.
    room = Math.min(room - 1, Math.floor((room * columns) / size));
  }
}

/** Most characters have fewer UTF-16 units per column, and the rest of a line is not measured. */
const UNITS_PER_COLUMN = 64;

/** Returns what may be seen of a line that is cut, and not in the middle of a style. */
function nearEnds(line: string, columns: number, position: TruncateOptions['position']): string {
  const most = UNITS_PER_COLUMN * (columns + UNITS_PER_COLUMN);
  if (line.length <= 2 * most) return line;
  if (position !== 'end')
    return line.includes('\x1b') ? line : startOfText(line, most) + endOfText(line, most);
  const start = startOfText(line, most);
  const escape = start.lastIndexOf('\x1b');
  STYLE_AT.lastIndex = escape;
  const isWhole = escape === -1 || STYLE_AT.exec(start) !== null;
  return isWhole ? start : start.slice(0, escape);
}

/** Joins the parts of a hint in as many lines as they need; only a part that is wider than a line is wrapped. */
export function joinInLines(parts: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)} · ${part}`;
    if (width(longer) <= columns) lines[Math.max(0, lines.length - 1)] = longer;
    else lines.push(part);
  }
  return lines.flatMap((line) => wrap(line, columns));
}

function slice(text: string, from: number, to: number): string {
  if (from >= to) return '';
  return PRINTABLE_ASCII.test(text) ? text.slice(from, to) : sliceAnsi(text, from, to);
}

/** Returns the first `most` UTF-16 units of a text, or one fewer rather than half a character. */
export function startOfText(text: string, most: number): string {
  return text.slice(0, characterStart(text, Math.max(0, most)));
}

/** Returns the last `most` UTF-16 units of a text, or fewer to start at the start of a line, if there is one, or of a character. */
export function endOfText(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = text.length - most;
  const lineEnd = text.indexOf('\n', from);
  const start = lineEnd === -1 ? from : lineEnd + 1;
  return text.slice(/^[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start);
}

/** Returns the start of the character that contains an index, in UTF-16 units. */
export function characterStart(text: string, at: number): number {
  const isInPair = at < text.length && /[\ud800-\udbff]/.test(text.charAt(at - 1));
  return isInPair ? at - 1 : at;
}
