import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import {diffCounts} from '../../src/session/labels/labels.ts';
import {comparedDiff, fileChangeOf} from '../../src/session/transcript/diffs.ts';
import {type Diff, type DiffLine, type Hunk, type LinePair, pairLines} from '../../src/text/diff/diff.ts';
import {shownPath} from '../../src/text/format.ts';
import {characterStart, startOfText, truncate} from '../../src/text/truncate.ts';
import {padded, PRINTABLE_ASCII, width} from '../../src/text/width.ts';
import {expandTabs, wrapWhole} from '../../src/text/wrap.ts';
import {hasHidden, onOneLine} from '../../src/text/hidden.ts';
import {type DiffPiece, createPieceSplitter} from './diff-syntax.ts';
import {rowsOfExact, markEscapes} from '../theme/exact-text.ts';
import type {Theme} from '../theme/theme.tsx';
import {collapse} from '../layout/lines.ts';
import {joinRows, lazyRows, type Rows} from '../layout/lazy-rows.ts';

/** Minimum width for line numbers. */
const COLUMNS_FOR_NUMBERS = 24;

export interface DiffContext {
  /** The kind of the tool call. */
  readonly kind?: acp.ToolKind | undefined;
  /** True if the file is known to exist, whatever the diff says. */
  readonly exists?: boolean;
  /** True if the headline above already has the file and the size of the change. */
  readonly isNamed?: boolean;
  /** The number of changes in the tool call, which share its rows. */
  readonly changes?: number;
}

/** Returns the rows of a file change: path, size, and its lines with numbers, with the changed words highlighted. */
export function rowsOfDiff(content: acp.Diff, context: DiffContext, theme: Theme): string[] {
  const diff = comparedDiff(content);
  const most = theme.extent === 'folded' ? mostFolded(context) : Infinity;
  // Of many changes only the first lines are shown, which is too little to highlight all of them.
  const pieces = most < LINES_OF_A_DIFF ? wordsOf : createPieceSplitter(content.path, diff, theme);
  const layout = {digits: numberDigits(diff), pieces, side: 'new'} as const;
  const isBothSides = isSideBySide(diff, theme);
  /** Rows that are drawn lazily: of a long change few are visible. */
  const rowsOfHunk = ({lines}: Hunk): readonly (() => readonly string[])[] =>
    isBothSides
      ? pairLines(lines).map((pair) => () => rowsOfPair(pair, layout, theme))
      : lines.map((line) => () => rowsOfLine(line, layout, theme));
  const shown: string[] = [];
  let unseen = 0;
  for (const [index, hunk] of diff.hunks.entries()) {
    if (index > 0 && shown.length <= most) shown.push(skippedRow(diff.hunks[index - 1], hunk, theme));
    for (const rows of rowsOfHunk(hunk)) {
      if (shown.length > most) unseen++;
      else for (const row of rows()) shown.push(row);
    }
  }
  return [
    ...rowsOfHead(content, context, theme),
    ...collapse(shown, {most, keep: 'head', hidden: unseen}, theme),
  ];
}

/** Returns the rows of a change that is to be approved, with an exact theme: every character of every changed line, one below the other. */
export function rowsOfExactDiff(content: acp.Diff, context: DiffContext, theme: Theme): Rows {
  const diff = comparedDiff(content);
  const pieces = createPieceSplitter(content.path, diff, theme);
  const layout = {digits: numberDigits(diff), pieces, side: 'new'} as const;
  const room = theme.columns - marginOf(layout, theme);
  const rowsOf = (line: DiffLine) => rowsOfLine(line, layout, theme);
  const count = (line: DiffLine) => (fitsInRow(line, room) ? 1 : rowsOf(line).length);
  return joinRows([
    rowsOfHead(content, context, theme),
    ...diff.hunks.flatMap(({lines}, index) => [
      index === 0 ? [] : [theme.paint.dim('…')],
      lazyRows(lines, {count, rowsOf}),
    ]),
  ]);
}

const wordsOf: DiffLineLayout['pieces'] = ({segments}) => segments;

/** The most columns of a tab. */
const TAB = ' '.repeat(8);

/** True for a line that surely takes one row, which is cheaper to find out than to draw it. */
function fitsInRow({text, noNewlineAtEnd}: DiffLine, room: number): boolean {
  const spaced = text.replaceAll('\t', TAB);
  return spaced.length <= room && PRINTABLE_ASCII.test(spaced) && !noNewlineAtEnd;
}

/** The separator between two parts of a change. */
function skippedRow(before: Hunk | undefined, {lines: [next]}: Hunk, {paint}: Theme): string {
  const last = before?.lines.at(-1)?.newNumber;
  const count = last === undefined || next?.newNumber === undefined ? 0 : next.newNumber - last - 1;
  const words = count <= 0 ? '' : ` ${count} unchanged ${count === 1 ? 'line' : 'lines'}`;
  return paint.dim('…' + words);
}

/** Minimum width for side-by-side diffs. */
export const COLUMNS_FOR_BOTH_SIDES = 120;

/** True for side-by-side diffs; never for approvals, which are read from top to bottom. */
function isSideBySide({hunks}: Diff, {columns}: Theme): boolean {
  if (columns < COLUMNS_FOR_BOTH_SIDES) return false;
  const has = (wanted: DiffLine['kind']) => hunks.some(({lines}) => lines.some(({kind}) => kind === wanted));
  return has('removed') && has('added');
}

/** Returns the rows of a line beside the one that replaces it. */
export function rowsOfPair([left, right]: LinePair, layout: DiffLineLayout, theme: Theme): readonly string[] {
  const half = Math.floor((theme.columns - 1) / 2);
  const narrow = {...theme, columns: half};
  const cellOf = (line: DiffLine | undefined, side: DiffLineLayout['side']) =>
    line ? rowsOfLine(line, {...layout, side}, narrow) : [];
  const before = cellOf(left, 'old');
  const after = cellOf(right, 'new');
  return Array.from({length: Math.max(before.length, after.length)}, (_, row) =>
    `${padded(before[row] ?? '', half)} ${after[row] ?? ''}`.trimEnd(),
  );
}

/** Returns the digits of the highest line number; 0 if lines have none. */
export function numberDigits({hunks}: Pick<Diff, 'hunks'>): number {
  const last = hunks.at(-1)?.lines.at(-1);
  const highest = Math.max(last?.oldNumber ?? 0, last?.newNumber ?? 0);
  return highest === 0 ? 0 : String(highest).length;
}

function rowsOfHead(content: acp.Diff, {kind, exists, isNamed}: DiffContext, theme: Theme): string[] {
  const diff = comparedDiff(content);
  if (isNamed === true && headNote(content, diff) === '') return [];
  const {paint, symbols, columns, extent} = theme;
  const counts = diffCounts(content, {minus: symbols.minus, kind, exists});
  const {oldPath} = fileChangeOf({...content, type: 'diff'}, kind) ?? {};
  const names = [...(oldPath === undefined ? [] : [oldPath]), content.path];
  const files = names.map((path) => onOneLine(shownPath(path, theme.cwd))).join(' → ');
  const head = `${files} (${counts}${headNote(content, diff)})`;
  const rows = extent === 'folded' ? [markEscapes(truncate(head, columns), theme)] : rowsOfExact(head, theme);
  return rows.map((row) => paint.dim(row));
}

/** Returns facts about a change besides its size. */
function headNote({newText}: acp.Diff, {approximate}: Diff): string {
  return (approximate ? ', too different to compare' : '') + lineEnds(newText);
}

/** Describes the line endings; a carriage return is shown in a line only if it was changed. */
function lineEnds(text: string): string {
  if (!text.includes('\r\n')) return '';
  return /(?:^|[^\r])\n/.test(text) ? ', CRLF on some lines' : ', CRLF';
}

/** Maximum UTF-16 units per column; further combining marks are shown as escapes. */
const MAX_UNITS = 32;

/** How the lines of a change are drawn. */
export interface DiffLineLayout {
  readonly digits: number;
  readonly pieces: (line: DiffLine) => readonly DiffPiece[];
  /** The side whose number is shown for unchanged lines. */
  readonly side: 'old' | 'new';
}

/** Maximum rows of a changed line in a card; of an unchanged one the start is enough. */
const ROWS_OF_A_LINE = 4;

/** Returns the part of an overlong line around its first change. */
function cutLine({kind, segments}: DiffLine, columns: number): DiffLine['segments'] {
  const longest = columns * MAX_UNITS * (kind === 'context' ? 1 : ROWS_OF_A_LINE);
  const first = segments.findIndex(({changed}) => changed);
  const before = segments
    .slice(0, Math.max(0, first))
    .map(({text}) => text)
    .join('');
  const room = columns * (ROWS_OF_A_LINE - 1);
  const start = first === -1 || width(before.slice(0, longest)) < room ? 0 : before.length - columns;
  const end = {left: longest};
  const cut = segments.map(({text, changed}, index) => {
    const skipped = characterStart(text, Math.max(0, start - lengthOf(segments.slice(0, index))));
    const shown = startOfText(text.slice(skipped), end.left);
    end.left -= shown.length;
    return {text: shown, changed};
  });
  return start === 0 ? cut : [{text: '…', changed: false}, ...cut];
}

function lengthOf(segments: DiffLine['segments']): number {
  return segments.reduce((sum, {text}) => sum + text.length, 0);
}

/** A sign and a blank. */
const SIGN_COLUMNS = 2;

/** Returns the columns before the text of a line. */
function marginOf({digits}: Pick<DiffLineLayout, 'digits'>, {columns}: Theme): number {
  return SIGN_COLUMNS + (columns < COLUMNS_FOR_NUMBERS || digits === 0 ? 0 : digits + 1);
}

const SIGNS = {added: '+', removed: '-', context: ' '} as const;

/** Returns the rows of a line of a change. */
export function rowsOfLine(line: DiffLine, {digits, pieces, side}: DiffLineLayout, theme: Theme): string[] {
  const {paint, columns, extent} = theme;
  const linePaint = paint.diff[line.kind];
  const [first, second] =
    side === 'old' ? [line.oldNumber, line.newNumber] : [line.newNumber, line.oldNumber];
  const number = String(first ?? second ?? '').padStart(digits);
  const margin = marginOf({digits}, theme);
  const gutter = margin === SIGN_COLUMNS ? '' : `${linePaint.number(number)} `;
  const room = Math.max(1, columns - margin);
  const whole: readonly ShownSegment[] = extent === 'exact' ? withBlanks(line) : line.segments;
  const segments: readonly ShownSegment[] = extent === 'folded' ? cutLine(line, room) : whole;
  // Lines with invisible characters, or with blanks to be marked, are drawn without syntax colors.
  const isPlain =
    segments.some(({text, areBlanks}) => areBlanks || hasHidden(text)) ||
    lengthOf(segments) !== lengthOf(line.segments);
  const shown: readonly (ShownSegment & DiffPiece)[] = isPlain ? segments : pieces(line);
  const text = shown
    .map(({text, changed, areBlanks, token}) =>
      areBlanks
        ? paint.warning(text.replaceAll(' ', '·').replaceAll('\t', '→'))
        : (changed ? linePaint.changed : linePaint.plain)(markEscapes(text, theme), token),
    )
    .join('');
  const rows = extent === 'folded' ? foldedRows(line, text, room) : wrapWhole(expandTabs(text), room);
  const end = line.noNewlineAtEnd ? [paint.dim(truncate('… no newline at end of file', room))] : [];
  const continued = `${' '.repeat(margin - 2)}${paint.dim('┆')}`;
  return [...rows, ...end].map((row, index) => {
    const drawn = index === 0 ? `${gutter}${linePaint.sign(SIGNS[line.kind])} ${row}` : `${continued} ${row}`;
    return linePaint.row?.(padded(drawn, columns)) ?? drawn;
  });
}

type Segment = DiffLine['segments'][number];

interface ShownSegment extends Segment {
  /** True for spaces and tabs that are marked. */
  readonly areBlanks?: boolean;
}

/**
 * Splits a line at changed spaces and tabs that would be invisible: in the indentation, at the end, or as the whole change. A line without a counterpart is
 * new up to its end.
 */
function withBlanks({kind, segments}: DiffLine): readonly ShownSegment[] {
  if (kind === 'context') return segments;
  const [first, last] = [segments.findIndex(hasWords), segments.findLastIndex(hasWords)];
  const isUnpaired = !segments.some(({changed}) => changed);
  return segments.flatMap(({text, changed}, index): ShownSegment[] => {
    if (!hasWords({text})) return [{text, changed, areBlanks: changed || (isUnpaired && index > last)}];
    const start = changed && index === first ? text.length - text.replace(/^[ \t]+/, '').length : 0;
    const end = (changed || isUnpaired) && index === last ? endOfWords(text) : text.length;
    return [
      {text: text.slice(0, start), changed, areBlanks: true},
      {text: text.slice(start, end), changed},
      {text: text.slice(end), changed, areBlanks: true},
    ].filter((part) => part.text !== '');
  });
}

function hasWords({text}: Pick<Segment, 'text'>): boolean {
  return /[^ \t]/.test(text);
}

/** Returns the offset after the last character that is not a space or tab. */
function endOfWords(text: string): number {
  let end = text.length;
  while (end > 0 && ' \t'.includes(text.charAt(end - 1))) end--;
  return end;
}

/** Both sides of a change must not look alike because they are cut. */
function foldedRows({kind}: DiffLine, text: string, room: number): string[] {
  if (kind === 'context') return [truncate(text.replaceAll('\t', '    '), room)];
  const rows = wrapWhole(expandTabs(text), room);
  const [last, ...others] = rows.slice(ROWS_OF_A_LINE - 1);
  if (last === undefined || others.length === 0) return rows;
  return [...rows.slice(0, ROWS_OF_A_LINE - 1), truncate(`${last}${others[0]}`, room)];
}

/** Lines shown in a card, by kind: results of changes and commands, not of reads. */
const linesByKind: Readonly<Record<acp.ToolKind, number>> = {
  read: 0,
  edit: 16,
  delete: 4,
  move: 4,
  search: 4,
  execute: 12,
  think: 3,
  fetch: 3,
  switch_mode: 6,
  other: 6,
};

const LINES_OF_A_FAILURE = 12;
const LINES_OF_A_DIFF = 20;
/** Lines shown of all changes of a call together; each change has at least one. */
const LINES_OF_ALL_DIFFS = 200;

/** Returns how many lines of a tool call's content are drawn. */
export function mostLines({status, kind}: ToolCallEntry, {extent}: Theme): number {
  if (extent !== 'folded') return Infinity;
  return status === 'failed' ? LINES_OF_A_FAILURE : (linesByKind[kind] ?? linesByKind.other);
}

function mostFolded({changes = 1}: DiffContext): number {
  return Math.min(LINES_OF_A_DIFF, Math.max(1, Math.floor(LINES_OF_ALL_DIFFS / changes)));
}
