import {type Scroll, windowAround} from '../../src/app/pages/scroll.ts';
import {ignoresKeys, KEYS_IGNORED, takesKeys} from '../../src/app/requests/request-phase.ts';
import type {ShownRule} from '../../src/app/requests/seen-rows.ts';
import type {RequestView} from '../../src/app/state.ts';
import {truncate} from '../../src/text/truncate.ts';
import {padded, widest, width} from '../../src/text/width.ts';
import {hasBox, insideBox} from '../layout/box.ts';
import type {Theme} from '../theme/theme.tsx';
import {footerRows} from '../layout/frame.tsx';
import type {Rows} from '../layout/lazy-rows.ts';
import type {Panel} from '../panels/panel.ts';
import {framedPanel, type PanelRow, scrolledRows} from '../panels/panel-rows.tsx';

/** A question with the content to read and its answers. */
interface Question {
  readonly title: string;
  /** At the right of the title: who asks, and how many are pending. */
  readonly aside?: string;
  /** True for a question of acp-tui's own, whose frame has a color that no other has. */
  readonly isOwn?: boolean;
  /** True if it has the focus. */
  readonly isFocused: boolean;
  /** Wrapped for `insideBox`, like the notes. */
  readonly content: Rows;
  readonly choices: readonly Choice[];
  readonly notes: readonly string[];
  readonly view: RequestView;
  /** Maximum rows. */
  readonly rows: number;
}

/** An answer in its row. */
export interface Choice {
  readonly label: string;
  /** The letter that gives it, besides its number. */
  readonly key?: string;
  /** True if acp-tui adds it to those of the agent. */
  readonly isAdded?: boolean;
}

/** What shows a request, and which rows of its content. */
export interface RequestPanel extends Omit<Panel, 'scrolled'> {
  readonly drawn: Scroll;
  /** Where the suggested rule is, if there is one. */
  readonly rule?: ShownRule | undefined;
}

/** Columns of the left side of a box. */
export const BEFORE_CONTENT = 2;

/** Returns a question in its rows, scrolled if its content is long. */
export function questionPanel(question: Question, theme: Theme): RequestPanel {
  const {content, notes, isFocused, view, title, aside, isOwn} = question;
  const share = shareRows(question, theme);
  const firstRow = Math.max(0, Math.min(view.scroll.firstRow, content.length - share.content));
  const visible = content.slice(firstRow, firstRow + share.content);
  const drawn = {firstRow, visibleRows: visible.length, totalRows: content.length};
  const air = share.air ? [''] : [];
  const body = [
    ...air,
    ...scrolledRows(visible, firstRow),
    ...(share.more ? [moreRow(drawn, insideBox(theme))] : []),
    ...air,
    ...optionRows(question, share.options, insideBox(theme)),
    ...(hasRowsBelow(notes, theme) ? air : []),
  ];
  const frame = {title: share.title ? title : undefined, aside, isOwn, isFocused, notes, footer: share.notes};
  return {...framedPanel(frame, body), drawn};
}

/** Returns the key hints, or why keys do not count, in the same rows: what has counted as read must stay on the screen. */
export function rowsOfHints(
  {phase}: RequestView,
  hints: readonly string[],
  {paint, columns}: Theme,
): string[] {
  if (phase.kind === 'unseen') return hints.map(() => ' ');
  const why = phase.kind === 'answered' ? 'Answering…' : ignoresKeys(phase) ? KEYS_IGNORED : undefined;
  if (why === undefined) return [...hints];
  return hints.map((_, row) => (row === 0 ? paint.dim(truncate(why, columns)) : ' '));
}

/** True if the notes need rows between the answers and the lower edge. */
function hasRowsBelow(notes: readonly string[], theme: Theme): boolean {
  return notes.length > 0 && footerRows(notes, theme) > 1;
}

/** Minimum rows for notes. */
export const ROWS_FOR_NOTES = 6;

/**
 * Returns the rows of each part: content and the selected option come first; title, notes and the other options get the remaining ones. `more` is true for a row
 * that says how much is hidden, `air` for blank rows around the content.
 */
export function shareRows(
  {rows, content, notes: allNotes, choices}: Pick<Question, 'rows' | 'content' | 'notes' | 'choices'>,
  theme: Theme,
) {
  const count = choices.length;
  // On few rows there is no heading if the content needs the row.
  const title = rows >= ROWS_FOR_NOTES || content.length + 2 <= rows;
  const around = hasRowsBelow(allNotes, theme) ? 3 : 2;
  const spare = rows - Number(title) - content.length - around - count;
  const mostNotes = Math.max(Math.floor(rows / 3), spare);
  const notes = rows < ROWS_FOR_NOTES ? 0 : Math.min(footerRows(allNotes, theme), mostNotes);
  const rest = Math.max(2, rows - Number(title) - notes);
  const wanted = Math.min(content.length, Math.ceil(rest / 2));
  const options = Math.max(1, Math.min(count, rest - wanted));
  const room = Math.max(1, rest - options);
  const more = content.length > room && room >= 3;
  const air = hasBox(theme) && content.length + around <= room;
  return {title, notes, options, more, content: Math.min(content.length, room - Number(more)), air};
}

/** Says how many rows are hidden above and below. */
function moreRow({firstRow, visibleRows, totalRows}: Scroll, theme: Theme): string {
  const {paint, columns, keyOf} = theme;
  const below = totalRows - firstRow - visibleRows;
  const [page, edge] =
    below > 0
      ? [keyOf('scroll_page_down'), `${keyOf('scroll_end')} end`]
      : [keyOf('scroll_page_up'), `${keyOf('scroll_start')} start`];
  const text = `… ${hiddenRows(firstRow, below)} · ${page} scroll · ${edge}`;
  return (below > 0 ? paint.warning : paint.dim)(truncate(text, columns));
}

/** Returns `3 above, 5 below`. */
export function hiddenRows(above: number, below: number): string {
  return [above > 0 ? `${above} above` : '', below > 0 ? `${below} below` : ''].filter(Boolean).join(', ');
}

/** Returns numbered answers, one per row, around the selected one. */
function optionRows(
  {choices, view, isFocused, rows}: Question,
  most: number,
  {paint, symbols, columns}: Theme,
): readonly PanelRow[] {
  const {from, to} = windowAround(view.selected, choices.length, most);
  // Without hints, the mark says whether keys count.
  const isMarked = rows >= ROWS_FOR_NOTES || (isFocused && takesKeys(view.phase));
  const mark = isMarked ? symbols.selected : '…';
  return choices.slice(from, to).map(({label, isAdded}, row) => {
    const choice = from + row;
    const isSelected = choice === view.selected;
    const words = `${startOf(choice, choices)}${label}`;
    const text = truncate(`${isSelected ? mark : ' '} ${words}`, columns);
    const style = isSelected ? isFocused && paint.selected : isAdded && paint.dim;
    return {text: style ? style(text) : text, choice};
  });
}

/** Returns the number and the letter of an answer, in columns: `1  y  `. */
function startOf(index: number, choices: readonly Choice[]): string {
  const number = `${index + 1}`.padStart(`${choices.length}`.length);
  const keys = widest(choices.map(({key = ''}) => key));
  const {key = ''} = choices[index] ?? {};
  return keys === 0 ? `${number}  ` : `${number}  ${padded(key, keys)}  `;
}

/** True if an answer is not cut in its row. */
export function fitsInRow(choice: Choice, choices: readonly Choice[], {columns}: Theme): boolean {
  // After the mark of the selected one.
  return 2 + width(startOf(0, choices) + choice.label) <= columns;
}
