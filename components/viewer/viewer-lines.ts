import {stripStyles} from '../../src/text/ansi.ts';
import {joinFitting, truncate} from '../../src/text/truncate.ts';
import type {Draw, ScrolledLines} from '../draw/draw.ts';
import {paintMarked} from '../draw/paint.ts';
import type {Transcript} from './transcript-lines.ts';
import type {ViewerPlace, Viewer} from '../../src/app/pages/viewer-state.ts';

export interface ViewerContent extends Transcript {
  /** How it was drawn before, and what is looked for. */
  readonly viewer: Viewer;
  /** The rows that hold what is looked for. */
  readonly hits: readonly number[];
  /** Rows of the screen. */
  readonly rows: number;
  /** What is to be known meanwhile. */
  readonly news: string | undefined;
  /** The subagent whose transcript it is. */
  readonly subagent?: {readonly name: string; readonly canCancel: boolean} | undefined;
  /** True if the session has subagents to open. */
  readonly hasSubagents?: boolean;
}

interface DrawnViewer extends ScrolledLines {
  readonly foldable: ViewerPlace | undefined;
}

/** A screenful of lines with its position. At the end it follows new lines. */
export function drawViewer(view: ViewerContent, draw: Draw): DrawnViewer {
  const {lines, viewer, rows} = view;
  // One row stays free: a frame as tall as the screen would have to be cleared each time.
  const room = Math.max(1, rows - 2);
  const first = firstOf(view, Math.max(0, lines.length - room));
  const shown = lines.slice(first, first + room);
  const blank = Array.from({length: room - shown.length}, () => '');
  const marked = viewer.search === '' ? shown : shown.map((line) => markFound(line, viewer.search, draw));
  return {
    lines: [...marked, ...blank, drawFoot(view, {first, shown: shown.length}, draw)],
    drawn: {firstRow: first, visibleRows: shown.length, totalRows: lines.length},
    foldable: foldableFrom(view, first, first + room),
  };
}

const scrolling = [
  'scroll_line_up',
  'scroll_line_down',
  'scroll_page_up',
  'scroll_page_down',
  'scroll_start',
  'scroll_end',
] as const;

function firstOf({viewer: {scroll, anchor}, beginnings}: ViewerContent, last: number): number {
  if (scroll.firstRow + scroll.visibleRows >= scroll.totalRows) return last;
  const anchored = anchor && beginnings.get(anchor.id);
  const wanted = anchor && anchored !== undefined ? anchored + anchor.above : scroll.firstRow;
  return Math.max(0, Math.min(wanted, last));
}

function foldableFrom({foldable}: ViewerContent, first: number, end: number): ViewerPlace | undefined {
  const found = foldable.find(({row, rows}) => row + rows > first && row < end);
  return found && {id: found.id, above: first - found.row};
}

/** Where this is, and what can be done. */
function drawFoot(
  {lines: {length: total}, viewer, hits, news, subagent, hasSubagents}: ViewerContent,
  {first, shown}: {readonly first: number; readonly shown: number},
  draw: Draw,
): string {
  const {paint, symbols, columns, keyOf} = draw;
  if (viewer.typingFrom !== undefined) return truncate(`/${viewer.search}${found(viewer, hits)}`, columns);
  const place = total === 0 ? 'No messages yet' : `Lines ${first + 1} to ${first + shown} of ${total}`;
  const search =
    viewer.search === ''
      ? []
      : [`/${viewer.search}${found(viewer, hits)}, ${keyOf('next_hit')} ${keyOf('previous_hit')}`];
  const ofSubagents = [
    ...(hasSubagents ? [`${keyOf('enter_subagent')} open subagent`] : []),
    ...(subagent ? [`${keyOf('leave_subagent')} back`] : []),
    ...(subagent?.canCancel ? [`${keyOf('cancel_subagent')} cancel`] : []),
  ];
  const keys = [
    ...ofSubagents,
    `${keyOf('close')} or ${keyOf('cancel_or_back')} close`,
    `${keyOf('search')} search`,
    `${keyOf('fold_all')} fold all, ${keyOf('fold_one')} one`,
    `${scrolling.map(keyOf).join(' ')} scroll`,
  ];
  const parts = [
    ...(subagent ? [subagent.name] : []),
    place,
    ...(news === undefined ? [] : [news]),
    ...search,
    ...keys,
  ];
  const line = joinFitting(parts, columns, ` ${symbols.dot} `);
  return news === undefined ? paint.dim(line) : paint.warning(line);
}

function found({search, hit}: Viewer, hits: readonly number[]): string {
  if (search === '') return '';
  if (hits.length === 0) return '  not found';
  const index = hit === undefined ? -1 : hits.indexOf(hit);
  return index === -1 ? `  in ${hits.length} lines` : `  ${index + 1} of ${hits.length}`;
}

/** The rows that hold a text, whatever the case of its letters. */
export function rowsWith(lines: readonly string[], search: string): readonly number[] {
  const wanted = search.toLowerCase();
  if (wanted === '') return [];
  return lines.flatMap((line, row) => (stripStyles(line).toLowerCase().includes(wanted) ? [row] : []));
}

/** The line with all places of the text marked, without its own colors. */
export function markFound(line: string, search: string, {paint}: Draw): string {
  const text = stripStyles(line);
  const [lower, wanted] = [text.toLowerCase(), search.toLowerCase()];
  if (wanted === '' || lower.length !== text.length) return line;
  const offsets: number[] = [];
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length))
    for (let place = at; place < at + wanted.length; place++) offsets.push(place);
  return offsets.length === 0 ? line : paintMarked(text, offsets, paint.hit);
}
