import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {type Scroll, windowAround} from '../../src/app/pages/scroll.ts';
import {ignoresKeys, takesKeys} from '../../src/app/requests/request-phase.ts';
import type {RequestView} from '../../src/app/state.ts';
import {drawEdge, drawSides, edgeRoom, hasBox, insideBox} from '../draw/box.ts';
import type {Rows} from '../layout/lazy-rows.ts';
import {type ChoiceLines, type Draw, type ScrolledLines, drawRule, movedCells} from '../draw/draw.ts';

/** The texts in the frame of a question. */
interface FrameTexts {
  readonly title: string;
  /** At the right of the title: who asks, and how many are pending. */
  readonly aside?: string;
  /** True for a question of acp-tui's own, whose frame has a color that no other has. */
  readonly isOwn?: boolean;
  /** True if it has the focus. */
  readonly isFocused: boolean;
}

/** A question with the content to read and its answers. */
interface Question extends FrameTexts {
  /** Wrapped for `insideBox`, like the notes. */
  readonly content: Rows;
  readonly options: Options;
  readonly notes: readonly string[];
  readonly view: RequestView;
  /** Maximum rows. */
  readonly rows: number;
}

interface Options {
  readonly labels: readonly string[];
  readonly selected: number;
}

/** A question's lines, with the cells of its answers. */
export type QuestionLines = ScrolledLines & ChoiceLines;

/** Draws a question in its rows, scrolled if its content is long. */
export function drawQuestion(question: Question, draw: Draw): QuestionLines {
  const {content, options, notes, isFocused, view, rows} = question;
  const inner = insideBox(draw);
  const share = shareRows(question, draw);
  const firstRow = Math.max(0, Math.min(view.scroll.firstRow, content.length - share.content));
  const visible = content.slice(firstRow, firstRow + share.content);
  const drawn = {firstRow, visibleRows: visible.length, totalRows: content.length};
  const air = share.air ? [''] : [];
  const above = [...air, ...visible, ...(share.more ? [drawMore(drawn, inner)] : []), ...air];
  // Without hints, the mark says whether keys count.
  const isMarked = rows >= ROWS_FOR_NOTES || (isFocused && takesKeys(view.phase));
  const answers = drawOptions(options, {isFocused, isMarked, rows: share.options}, inner);
  const body = [...above, ...answers.lines, ...(hasRowsBelow(notes, draw) ? air : [])];
  const shown = {hasTitle: share.title, footer: share.notes, body, notes};
  return {
    lines: drawFramed(question, shown, draw),
    drawn,
    choices: movedCells(
      answers.choices,
      Number(share.title) + above.length,
      hasBox(draw) ? BEFORE_CONTENT : 0,
    ),
  };
}

/** Columns of the left side of a box. */
export const BEFORE_CONTENT = 2;

interface Framed {
  readonly hasTitle: boolean;
  readonly body: readonly string[];
  /** Key hints: in the lower edge if one line of them fits there. */
  readonly notes: readonly string[];
  /** Rows for the notes and the lower edge. */
  readonly footer: number;
}

/** Draws the frame of a question: a box if it fits, else a rule. It is highlighted while focused. */
export function drawFramed(words: FrameTexts, framed: Framed, draw: Draw): string[] {
  const {title, aside = '', isOwn = false, isFocused} = words;
  const {hasTitle, body, notes, footer} = framed;
  const {paint, symbols} = draw;
  const color = isOwn ? paint.accent : paint.warning;
  const heading: Style = isFocused ? (text) => paint.bold(color(text)) : isOwn ? color : paint.dim;
  if (!hasBox(draw)) {
    const head = aside === '' ? title : `${title} ${symbols.dot} ${aside}`;
    return [...(hasTitle ? [drawRule(head, heading, draw)] : []), ...body, ...notes.slice(0, footer)];
  }
  const style: Style = isFocused || isOwn ? color : paint.line;
  const top = {left: heading(title), right: paint.dim(aside)};
  const inEdge = isInEdge(notes, draw) ? notes[0] : undefined;
  const below = inEdge === undefined ? notes.slice(0, Math.max(0, footer - 1)) : [];
  return [
    ...(hasTitle ? [drawEdge('top', top, {style, draw})] : []),
    ...drawSides([...body, ...below], {style, draw}),
    ...(footer > 0 ? [drawEdge('bottom', {left: inEdge ?? ''}, {style, draw})] : []),
  ];
}

/** The hint while keys do not count. */
export const KEYS_IGNORED = 'Keys count in a moment, so that none answers by mistake';

/** Returns the key hints, or why keys do not count, in the same rows: what has counted as read must stay on the screen. */
export function drawHints({phase}: RequestView, hints: readonly string[], {paint, columns}: Draw): string[] {
  if (phase.kind === 'unseen') return hints.map(() => ' ');
  const why = phase.kind === 'answered' ? 'Answering…' : ignoresKeys(phase) ? KEYS_IGNORED : undefined;
  if (why === undefined) return [...hints];
  return hints.map((_, row) => (row === 0 ? paint.dim(truncate(why, columns)) : ' '));
}

/** Returns the rows of the notes, with the lower edge. */
export function footerRows(notes: readonly string[], draw: Draw): number {
  if (!hasBox(draw)) return notes.length;
  return isInEdge(notes, draw) ? 1 : notes.length + 1;
}

function isInEdge(notes: readonly string[], draw: Draw): boolean {
  return notes.length === 1 && width(notes[0] ?? '') <= edgeRoom(draw);
}

/** True if the notes need rows between the answers and the lower edge. */
function hasRowsBelow(notes: readonly string[], draw: Draw): boolean {
  return notes.length > 0 && footerRows(notes, draw) > 1;
}

interface Share {
  readonly title: boolean;
  readonly content: number;
  /** True for a row that says how much is hidden. */
  readonly more: boolean;
  readonly options: number;
  readonly notes: number;
  /** True for blank rows around the content. */
  readonly air: boolean;
}

/** Minimum rows for notes. */
export const ROWS_FOR_NOTES = 6;

/** Content and the selected option come first; title, notes and the other options get the remaining rows. */
function shareRows({rows, content, notes: allNotes, options: {labels}}: Question, draw: Draw): Share {
  const count = labels.length;
  // On few rows there is no heading if the content needs the row.
  const title = rows >= ROWS_FOR_NOTES || content.length + 2 <= rows;
  const around = hasRowsBelow(allNotes, draw) ? 3 : 2;
  const spare = rows - Number(title) - content.length - around - count;
  const mostNotes = Math.max(Math.floor(rows / 3), spare);
  const notes = rows < ROWS_FOR_NOTES ? 0 : Math.min(footerRows(allNotes, draw), mostNotes);
  const rest = Math.max(2, rows - Number(title) - notes);
  const wanted = Math.min(content.length, Math.ceil(rest / 2));
  const options = Math.max(1, Math.min(count, rest - wanted));
  const room = Math.max(1, rest - options);
  const more = content.length > room && room >= 3;
  const air = hasBox(draw) && content.length + around <= room;
  return {title, notes, options, more, content: Math.min(content.length, room - Number(more)), air};
}

/** Draws how many rows are hidden above and below. */
function drawMore({firstRow, visibleRows, totalRows}: Scroll, draw: Draw): string {
  const {paint, symbols, columns, keyOf} = draw;
  const below = totalRows - firstRow - visibleRows;
  const [page, edge] =
    below > 0
      ? [keyOf('scroll_page_down'), `${keyOf('scroll_end')} end`]
      : [keyOf('scroll_page_up'), `${keyOf('scroll_start')} start`];
  const text = `${symbols.ellipsis} ${hiddenRows(firstRow, below)} · ${page} scroll · ${edge}`;
  return (below > 0 ? paint.warning : paint.dim)(truncate(text, columns));
}

/** Returns `3 above, 5 below`. */
export function hiddenRows(above: number, below: number): string {
  return [above > 0 ? `${above} above` : '', below > 0 ? `${below} below` : ''].filter(Boolean).join(', ');
}

/** Draws numbered options, one per row, around the selected one if there are too many. The selected one is marked once keys count. */
function drawOptions(
  {labels, selected}: Options,
  {isFocused, isMarked, rows}: Record<'isFocused' | 'isMarked', boolean> & {readonly rows: number},
  draw: Draw,
): ChoiceLines {
  const {paint, symbols, columns} = draw;
  const chosen: Style = isFocused ? paint.selected : (text) => text;
  const {from, to} = windowAround(selected, labels.length, rows);
  const mark = isMarked ? symbols.selected : symbols.ellipsis;
  const lines = labels.slice(from, to).map((label, index) => {
    const isSelected = from + index === selected;
    const line = truncate(`${isSelected ? mark : ' '} ${from + index + 1}. ${label}`, columns);
    return isSelected ? chosen(line) : line;
  });
  return {lines, choices: lines.map((_, row) => ({index: from + row, row, from: 0, to: columns}))};
}
