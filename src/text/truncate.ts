import sliceAnsi from 'slice-ansi';
import {PRINTABLE_ASCII, width} from './width.ts';

export interface TruncateOptions {
  /** Where the ellipsis stands; `end` unless told. */
  readonly position?: 'start' | 'middle' | 'end';
}

/** One line on at most `columns` columns, with `…` where something is missing. Styles stay balanced. */
export function truncate(text: string, columns: number, {position = 'end'}: TruncateOptions = {}): string {
  const total = width(text);
  if (total <= columns) return text;
  if (columns < 1) return '';
  const room = Math.floor(columns) - 1;
  const head = position === 'start' ? 0 : position === 'end' ? room : Math.ceil(room / 2);
  return `${slice(text, 0, head)}…${slice(text, total - (room - head), total)}`;
}

function slice(text: string, from: number, to: number): string {
  if (from >= to) return '';
  return PRINTABLE_ASCII.test(text) ? text.slice(from, to) : sliceAnsi(text, from, to);
}
