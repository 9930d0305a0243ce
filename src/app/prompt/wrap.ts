import {truncate} from '../../text/truncate.ts';
import {width as cellsOf} from '../../text/width.ts';
import {clusters} from './graphemes.ts';
import {placeholderIndex, placeholderLabel, type Paste} from './pastes.ts';

/** A tab is shown as blanks; it stays a tab in what is sent. */
const TAB = '    ';
const MOST_WIDTHS_KEPT = 4096;
const widths = new Map<string, number>();

/** One grapheme cluster as it is shown, and how many cells that takes. */
export interface Shown {
  readonly text: string;
  readonly width: number;
  readonly isPlaceholder: boolean;
}

/** How a cluster is shown where at most `most` cells are free in a row. */
export function show(cluster: string, pastes: readonly Paste[], most: number): Shown {
  if (cluster === '\t')
    return {text: TAB.slice(0, most), width: Math.min(TAB.length, most), isPlaceholder: false};
  const index = pastes.length > 0 ? placeholderIndex(cluster, pastes) : undefined;
  const paste = pastes[index ?? -1];
  if (index === undefined || !paste) return {text: cluster, width: widthOf(cluster), isPlaceholder: false};
  const label = placeholderLabel(index, pastes);
  const text = truncate(label, most);
  return {text, width: cellsOf(text), isPlaceholder: true};
}

function widthOf(cluster: string): number {
  let width = widths.get(cluster);
  if (width === undefined) {
    if (widths.size >= MOST_WIDTHS_KEPT) widths.clear();
    width = cellsOf(cluster);
    widths.set(cluster, width);
  }
  return width;
}

/** Text in which every character takes one cell. */
export function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/**
 * Where the rows of one line begin behind the first, when it is wrapped at words; worked out as it is asked for. A row is at most
 * `width` cells wide, and one blank more where the line goes on: there is always a cell for the caret in `width + 1`.
 */
export function* wrapLine(line: string, width: number, pastes: readonly Paste[]): Generator<number> {
  if (!isPlain(line)) {
    yield* wrapClusters(line, width, pastes);
    return;
  }
  let start = 0;
  while (line.length - start > width) {
    start = plainBreak(line, start, width);
    yield start;
  }
}

function plainBreak(line: string, start: number, width: number): number {
  for (let at = start + width; at >= start; at--) if (line.charAt(at) === ' ') return at + 1;
  return start + width;
}

function* wrapClusters(line: string, width: number, pastes: readonly Paste[]): Generator<number> {
  let start = 0;
  let column = 0;
  let opening = {at: 0, column: 0};
  for (const {segment, index} of clusters(line)) {
    const cells = show(segment, pastes, width).width;
    // One blank may hang over the edge, where the caret's cell is.
    const limit = segment === ' ' ? width + 1 : width;
    while (column + cells > limit && index > start) {
      const cut = opening.at > start ? opening : {at: index, column};
      start = cut.at;
      column -= cut.column;
      opening = {at: 0, column: 0};
      yield start;
    }
    column += cells;
    if (segment === ' ' || cells > 1) opening = {at: index + segment.length, column};
  }
  if (column > width && start < line.length) yield line.length;
}
