import type {Scroll} from '../../src/app/state.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Draw} from '../draw/draw.ts';
import {drawRule} from '../draw/rule.ts';
import type {ScrolledLines} from '../draw/scrolled.ts';

/** A question with what has to be read before it is answered, and the answers. */
export interface Question {
  readonly title: string;
  readonly content: readonly string[];
  readonly options: {readonly count: number; readonly draw: (rows: number) => readonly string[]};
  readonly notes: readonly string[];
  /** True when it has the keyboard. */
  readonly isFocused: boolean;
  readonly scroll: Scroll;
  /** Rows that it may take. */
  readonly rows: number;
}

/** Draws a question in its rows: scrolled where its content is long. */
export function drawQuestion(question: Question, draw: Draw): ScrolledLines {
  const {title, content, options, notes, isFocused, scroll} = question;
  const share = shareRows(question);
  const firstRow = Math.max(0, Math.min(scroll.firstRow, content.length - share.content));
  const visible = content.slice(firstRow, firstRow + share.content);
  const lines = [
    ...(share.title ? [drawFrame(title, isFocused, draw)] : []),
    ...visible,
    ...(share.more ? [drawMore({firstRow, visible: visible.length, total: content.length}, draw)] : []),
    ...options.draw(share.options),
    ...notes.slice(0, share.notes),
  ];
  return {lines, drawn: {firstRow, visibleRows: visible.length, totalRows: content.length}};
}

/** The line that heads what asks; it lights up with the keyboard. */
export function drawFrame(title: string, isFocused: boolean, draw: Draw): string {
  return drawRule(title, isFocused ? draw.paint.accent : draw.paint.dim, draw);
}

interface Share {
  readonly title: boolean;
  readonly content: number;
  /** A row that says how much of the content is hidden. */
  readonly more: boolean;
  readonly options: number;
  readonly notes: number;
}

/** From this many rows on there is room for notes. */
const ROWS_FOR_NOTES = 6;

/** Content and the selected option come first; the title, the notes and the other options take what is left. */
function shareRows({rows, content, notes: wished, options: {count}}: Question): Share {
  const title = rows >= 3;
  const notes = rows < ROWS_FOR_NOTES ? 0 : Math.min(wished.length, Math.floor(rows / 3));
  const rest = Math.max(2, rows - Number(title) - notes);
  const wanted = Math.min(content.length, Math.ceil(rest / 2));
  const options = Math.max(1, Math.min(count, rest - wanted));
  const room = Math.max(1, rest - options);
  const more = content.length > room && room >= 3;
  return {title, notes, options, more, content: Math.min(content.length, room - Number(more))};
}

/** How much of something that is scrolled stands above and below. */
export function drawMore(
  {firstRow, visible, total}: {readonly firstRow: number; readonly visible: number; readonly total: number},
  draw: Draw,
): string {
  const {paint, signs, columns, keyOf} = draw;
  const below = total - firstRow - visible;
  const parts = [firstRow > 0 ? `${firstRow} above` : '', below > 0 ? `${below} below` : ''].filter(Boolean);
  const text = `${signs.ellipsis} ${parts.join(', ')}; ${keyOf('scroll_page_down')} scrolls, ${keyOf('scroll_end')} goes to the end`;
  return (below > 0 ? paint.warning : paint.dim)(truncate(text, columns));
}

/** `(2 more wait)`, behind the title. */
export function othersWords(others: number): string {
  return others === 0 ? '' : ` (${others} more ${others === 1 ? 'waits' : 'wait'})`;
}
