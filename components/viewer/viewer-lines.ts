import {stripStyles} from '../../src/text/ansi.ts';
import {joinFitting, truncate} from '../../src/text/truncate.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {width} from '../../src/text/width.ts';
import type {Viewer} from '../../src/app/pages/viewer-state.ts';
import {drawEdge, edgeRoom, hasBox} from '../draw/box.ts';
import type {Draw} from '../draw/draw.ts';
import {paintMarked} from '../draw/paint.ts';
import type {CursorPosition} from '../prompt/use-caret.ts';
import {canFold} from './entry-rows.ts';
import type {View, ViewedRow} from './transcript-rows.ts';

/** The inputs of a view's rows besides the transcript. */
interface RowContext {
  readonly viewer: Viewer;
  readonly isFolded: (id: string) => boolean;
  readonly draw: Draw;
}

/** Draws the rows of a view, with folds, the selection and search matches marked; as many as fit. */
export function drawRows({rows}: View, room: number, look: RowContext): string[] {
  const lines = rows.map((row) => drawRow(row, look));
  return [...lines, ...Array.from({length: Math.max(0, room - lines.length)}, () => '')];
}

function drawRow({text, entry, row, isHead}: ViewedRow, {viewer, isFolded, draw}: RowContext): string {
  if (viewer.search !== '') {
    const hit = viewer.typingFrom === undefined ? viewer.hits?.[viewer.hit ?? -1] : undefined;
    const isCurrent = hit !== undefined && hit.id === entry?.id && hit.row === row;
    return markFound(text, viewer.search, isCurrent ? draw.paint.currentHit : draw.paint.hit);
  }
  if (entry === undefined || !isHead) return text;
  const marked = entry.id === viewer.selected && text.startsWith(' ') ? selected(text, draw) : text;
  return canFold(entry) ? withFold(marked, isFolded(entry.id), draw) : marked;
}

function selected(text: string, {paint, symbols}: Draw): string {
  return paint.accent(symbols.selected) + text.slice(1);
}

function withFold(text: string, isShut: boolean, {paint, symbols, columns}: Draw): string {
  const room = columns - width(text) - 1;
  if (room < 1) return text;
  return `${text}${' '.repeat(room)}${paint.dim(isShut ? symbols.folded : symbols.unfolded)}`;
}

/** The position in the transcript, and possible actions. */
export interface Foot {
  readonly viewer: Viewer;
  /** Number of entries, and index of the first visible one. */
  readonly entries: number;
  readonly first: number;
  /** A toast. */
  readonly news: string | undefined;
  /** The subagent whose transcript it is. */
  readonly subagent?: {readonly name: string; readonly canCancel: boolean} | undefined;
  /** True if the session has subagents to open. */
  readonly hasSubagents?: boolean;
}

/** Columns of an edge before its words. */
const EDGE_START = 3;

/** Draws the foot as the lower edge of the prompt's box, if it has one. */
export function drawFootEdge(foot: Foot, draw: Draw): string {
  if (!hasBox(draw)) return drawFoot(foot, draw);
  const left = drawFoot(foot, {...draw, columns: edgeRoom(draw)});
  return drawEdge('bottom', {left}, {style: draw.paint.line, draw});
}

/** Returns the caret in the foot, the last line of the window, while a search is typed there. */
export function caretInFoot(
  {viewer}: Foot,
  {rows, isAlone, draw}: {readonly rows: number; readonly isAlone: boolean; readonly draw: Draw},
): CursorPosition | undefined {
  if (viewer.typingFrom === undefined) return undefined;
  return {x: width(`/${viewer.search}`) + (isAlone || !hasBox(draw) ? 0 : EDGE_START), y: rows - 2};
}

/** Draws the position and the possible actions. */
export function drawFoot(foot: Foot, draw: Draw): string {
  const {viewer, news, subagent, hasSubagents} = foot;
  const {paint, symbols, columns, keyOf} = draw;
  if (viewer.typingFrom !== undefined) return truncate(`/${viewer.search}${found(viewer)}`, columns);
  const search =
    viewer.search === ''
      ? []
      : [`/${viewer.search}${found(viewer)}, ${keyOf('next_hit')} ${keyOf('previous_hit')}`];
  const ofSubagents = [
    ...(hasSubagents ? [`${keyOf('enter_subagent')} open subagent`] : []),
    ...(subagent ? [`${keyOf('leave_subagent')} back`] : []),
    ...(subagent?.canCancel ? [`${keyOf('cancel_subagent')} cancel`] : []),
  ];
  const parts = [
    ...(subagent ? [subagent.name] : []),
    placeLabel(foot, draw),
    ...(news === undefined ? [] : [news]),
    ...search,
    ...ofSubagents,
    `${keyOf('close')} or ${keyOf('cancel_or_back')} close`,
    `${keyOf('search')} search`,
    `${keyOf('fold_all')} fold all, ${keyOf('fold_one')} one`,
    `${keyOf('previous_prompt')} ${keyOf('next_prompt')} prompts`,
    `${keyOf('previous_call')} ${keyOf('next_call')} calls`,
    `${keyOf('previous_failure')} ${keyOf('next_failure')} failures`,
  ];
  const styled = parts.map((part) => (part === news ? paint.warning(part) : paint.dim(part)));
  return joinFitting(styled, columns, paint.dim(` ${symbols.dot} `));
}

/** Returns "End", or how far the screen is scrolled, and what has arrived below it. */
export function placeLabel({viewer, entries, first}: Foot, {symbols}: Draw): string {
  if (entries === 0) return 'No messages yet';
  if (viewer.position.from === 'end') return 'End';
  const place = `${Math.floor((first / entries) * 100)} %`;
  const news = viewer.seen === undefined ? 0 : entries - viewer.seen;
  return news > 0 ? `${place} ${symbols.dot} ${news} new ${symbols.down}` : place;
}

function found({search, hits, hit}: Viewer): string {
  if (search === '') return '';
  if (hits === undefined) return '  searching';
  if (hits.length === 0) return '  not found';
  if (hit === undefined) return hits.length === 1 ? '  in 1 row' : `  in ${hits.length} rows`;
  const subagent = hits[hit]?.subagent;
  return `  ${hit + 1} of ${hits.length}${subagent === undefined ? '' : ` in ${subagent}`}`;
}

/** Returns the rows that contain a text, ignoring case. */
export function rowsWith(lines: readonly string[], search: string): readonly number[] {
  const wanted = search.toLowerCase();
  if (wanted === '') return [];
  return lines.flatMap((line, row) => (stripStyles(line).toLowerCase().includes(wanted) ? [row] : []));
}

/** Highlights all matches in the line, without its own colors. */
export function markFound(line: string, search: string, style: Style): string {
  const text = stripStyles(line);
  const [lower, wanted] = [text.toLowerCase(), search.toLowerCase()];
  if (wanted === '' || lower.length !== text.length) return line;
  const offsets: number[] = [];
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length))
    for (let place = at; place < at + wanted.length; place++) offsets.push(place);
  return offsets.length === 0 ? line : paintMarked(text, offsets, style);
}
