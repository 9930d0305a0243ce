import sliceAnsi from 'slice-ansi';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import {carryStyles} from './sgr.ts';

const PRINTABLE_ASCII = /^[ -~]*$/;
const TAB_STOP = 8;

/** Columns that a text takes on one line, as Ink counts them: control sequences and control characters take none. */
export function width(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  return stringWidth(text);
}

const segmenter = new Intl.Segmenter();

/** The user-perceived characters of a text, control sequences not being understood. */
export function graphemes(text: string): string[] {
  if (PRINTABLE_ASCII.test(text)) return text.split('');
  return Array.from(segmenter.segment(text), ({segment}) => segment);
}

/**
 * Breaks a text into lines of at most `columns` columns (a character that is wider stands alone): at spaces where
 * possible, inside words where not. Spaces at a break are dropped, indentation is kept, tabs go to the next multiple
 * of 8. SGR styles and links are closed at each line's end and opened again on the next.
 */
export function wrap(text: string, columns: number): string[] {
  const limit = Math.max(1, Math.floor(columns));
  const lines = text.split('\n');
  const styled = text.includes('\u001b');
  return (styled && lines.length > 1 ? carryStyles(lines) : lines).flatMap((line) => wrapLine(line, limit));
}

function wrapLine(line: string, columns: number): string[] {
  const flat = line.includes('\t') ? expandTabs(line) : line;
  if (PRINTABLE_ASCII.test(flat)) return flat.length <= columns ? [flat] : wrapWords(flat, columns);
  if (flat.includes('\u001b')) return width(flat) <= columns ? [flat] : wrapStyled(flat, columns);
  return wrapWords(flat, columns);
}

function wrapWords(line: string, columns: number): string[] {
  return wrapStyled(line, columns);
}

function wrapStyled(line: string, columns: number): string[] {
  return wrapAnsi(line, columns, {hard: true}).split('\n');
}

function expandTabs(line: string): string {
  const parts = line.split('\t');
  const last = parts.pop() ?? '';
  let column = 0;
  const expanded = parts.map((part) => {
    const end = column + width(part);
    column = end + TAB_STOP - (end % TAB_STOP);
    return part + ' '.repeat(column - end);
  });
  return expanded.join('') + last;
}

export interface TruncateOptions {
  /** Where the ellipsis stands; `end` unless told. */
  readonly position?: 'start' | 'middle' | 'end';
}

/** The text on at most `columns` columns, with `…` where something is missing. Styles stay balanced. */
export function truncate(text: string, columns: number, {position = 'end'}: TruncateOptions = {}): string {
  const total = width(text);
  if (total <= columns) return text;
  if (columns < 1) return '';
  const room = columns - 1;
  const head = position === 'start' ? 0 : position === 'end' ? room : Math.ceil(room / 2);
  return `${slice(text, 0, head)}…${slice(text, total - (room - head), total)}`;
}

function slice(text: string, from: number, to: number): string {
  if (from >= to) return '';
  return PRINTABLE_ASCII.test(text) ? text.slice(from, to) : sliceAnsi(text, from, to);
}
