import {type Scroll, windowAround} from '../../src/app/pages/scroll.ts';
import {ignoresKeys, takesKeys} from '../../src/app/requests/request-phase.ts';
import type {RequestView} from '../../src/app/state.ts';
import {truncate} from '../../src/text/truncate.ts';
import {padded, widest, width} from '../../src/text/width.ts';
import {hasBox, insideBox} from '../layout/box.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {footerRows, Frame, frameHeight, spokenFrame} from '../layout/frame.tsx';
import type {Rows as LazyRows} from '../layout/lazy-rows.ts';
import {Rows} from '../layout/rows.tsx';
import {spokenRows} from '../layout/spoken.ts';
import type {Panel} from '../panels/panel.ts';

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
  readonly content: LazyRows;
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
export interface RequestPanel extends Pick<
  Panel,
  'content' | 'height' | 'spoken' | 'hints' | 'choices' | 'caret'
> {
  readonly drawn: Scroll;
}

/** Columns of the left side of a box. */
export const BEFORE_CONTENT = 2;

/** Returns a question in its rows, scrolled if its content is long. */
export function questionPanel(question: Question, theme: Theme): RequestPanel {
  const {content, choices, notes, isFocused, view, rows, title, aside, isOwn} = question;
  const inner = insideBox(theme);
  const share = shareRows(question, theme);
  const firstRow = Math.max(0, Math.min(view.scroll.firstRow, content.length - share.content));
  const visible = content.slice(firstRow, firstRow + share.content);
  const drawn = {firstRow, visibleRows: visible.length, totalRows: content.length};
  const air = share.air ? [''] : [];
  const more = share.more ? [moreRow(drawn, inner)] : [];
  const above = [...air, ...visible, ...more, ...air];
  const {selected} = view;
  const {from, to} = windowAround(selected, choices.length, share.options);
  const list = {
    choices,
    from,
    to,
    selected,
    isFocused,
    // Without hints, the mark says whether keys count.
    isMarked: rows >= ROWS_FOR_NOTES || (isFocused && takesKeys(view.phase)),
  };
  const below = hasRowsBelow(notes, theme) ? air : [];
  const frame = {title: share.title ? title : undefined, aside, isOwn, isFocused, notes, footer: share.notes};
  const top = Number(share.title) + above.length;
  const left = hasBox(theme) ? BEFORE_CONTENT : 0;
  return {
    content: (
      <Frame {...frame}>
        <Rows of={above} />
        <SelectList {...list} />
        <Rows of={below} />
      </Frame>
    ),
    height: frameHeight(frame, above.length + to - from + below.length),
    hints: notes.slice(0, share.notes),
    spoken: () => spokenFrame(frame, [...spokenRows(visible, firstRow), ...more, ...optionRows(list, inner)]),
    drawn,
    choices: Array.from({length: to - from}, (_, row) => ({
      index: from + row,
      row: top + row,
      from: left,
      to: left + inner.columns,
    })),
  };
}

/** Returns who asks, and how many requests are pending. */
export function asideOf(words: readonly string[], others: number): string {
  return [...words, ...(others === 0 ? [] : [`1 of ${others + 1}`])].join(' · ');
}

/** The hint while keys do not count. */
export const KEYS_IGNORED = 'Keys count in a moment, so that none answers by mistake';

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

interface SelectListProps {
  readonly choices: readonly Choice[];
  readonly selected: number;
  /** The choices that are shown; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly isFocused: boolean;
  /** True if the selected one is marked, because keys count. */
  readonly isMarked: boolean;
}

/** Numbered answers, one per row. */
function SelectList(props: SelectListProps) {
  return <Rows of={optionRows(props, useTheme())} />;
}

function optionRows(
  {choices, from, to, selected, isFocused, isMarked}: SelectListProps,
  {paint, symbols, columns}: Theme,
): string[] {
  const mark = isMarked ? symbols.selected : '…';
  return choices.slice(from, to).map((choice, index) => {
    const isSelected = from + index === selected;
    const words = `${startOf(from + index, choices)}${choice.label}`;
    const line = truncate(`${isSelected ? mark : ' '} ${words}`, columns);
    if (isSelected) return isFocused ? paint.selected(line) : line;
    return choice.isAdded ? paint.dim(line) : line;
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
