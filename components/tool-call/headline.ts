import type {ToolCallEntry} from '../../src/session/entries.ts';
import {diffCounts} from '../../src/session/labels/labels.ts';
import {
  stateLabel,
  toolEnding,
  toolOutcome,
  toolPlaces,
  toolTitle,
  splitTitle,
  resultText,
  withoutFence,
} from '../../src/session/labels/tool-labels.ts';
import {memoize} from '../../src/session/memoize.ts';
import {visibleText} from '../../src/session/transcript/content.ts';
import {fileChangeOf} from '../../src/session/transcript/diffs.ts';
import {isLookup} from '../../src/session/transcript/tool-kinds.ts';
import {pluralize, shownPath} from '../../src/text/format.ts';
import {onOneLine} from '../../src/text/hidden.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {type DrawContext, markEscapes} from '../draw/draw.ts';
import {drawEnd} from '../draw/symbols.ts';
import {comparedDiff} from './diff.ts';

/** Draws state, verb and subject on one row, with figures at its right edge: counts, outcome, duration. */
export function drawHeadline(entry: ToolCallEntry, draw: DrawContext): string[] {
  const {paint, symbols, columns} = draw;
  const title = shortTitle(entry, draw.cwd);
  const [verb, rest] = splitTitle(entry, title);
  const places = toolPlaces(entry, title, draw.cwd).map((place) => ` ${symbols.dot} ${place}`);
  const left =
    paint.bold(markEscapes(verb, draw)) +
    markEscapes(rest, draw) +
    paint.dim(markEscapes(places.join(''), draw));
  const figures = drawFigures(entry, draw);
  if (draw.isLinear) return [spokenHeadline(entry, left, figures)];
  const mark = drawState(entry, draw);
  const room = Math.max(1, columns - 2);
  if (figures === '') return [`${mark} ${truncate(left, room)}`];
  const free = room - width(figures) - 2;
  // The subject is most important: it keeps at least half of the row.
  if (width(left) > free && free < room / 2)
    return [`${mark} ${truncate(left, room)}`, `  ${truncate(figures, room)}`];
  const shown = truncate(left, free);
  return [`${mark} ${shown}${' '.repeat(room - width(shown) - width(figures))}${figures}`];
}

/** Draws a run of reads and searches in one row: how many, and of what. */
export function drawLookups(entries: readonly ToolCallEntry[], draw: DrawContext): string {
  const {paint, symbols, columns, cwd} = draw;
  const reads = entries.filter(({kind}) => kind === 'read');
  const places = new Set(reads.flatMap(({locations}) => locations.map(({path}) => shownPath(path, cwd))));
  const searches = entries.length - reads.length;
  const words = [
    ...(reads.length > 0 ? [`Read ${filesLabel(places.size || reads.length)}`] : []),
    ...(searches > 0 ? [`${reads.length > 0 ? 'searched' : 'Searched'} ${times(searches)}`] : []),
  ].join(', ');
  const names = [...places].map((place) => markEscapes(onOneLine(place), draw)).join(', ');
  const rest = names === '' ? '' : paint.dim(` ${symbols.folded} ${names}`);
  return `${drawEnd('done', draw)} ${truncate(paint.bold(words) + rest, Math.max(1, columns - 2))}`;
}

function filesLabel(count: number): string {
  return count === 1 ? 'a file' : `${count} files`;
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}

/** "Tool, done: Read src/a.ts, 40 lines" */
function spokenHeadline(entry: ToolCallEntry, left: string, figures: string): string {
  return `Tool, ${stateLabel(entry)}: ${left}${figures === '' ? '' : `, ${figures}`}`;
}

/** Returns the title with paths relative to the working folder. */
function shortTitle(entry: ToolCallEntry, cwd: string): string {
  const title = toolTitle(entry);
  return cwd === '' || cwd === '/' ? title : title.replaceAll(`${cwd.replace(/\/$/, '')}/`, '');
}

function drawFigures(entry: ToolCallEntry, draw: DrawContext): string {
  const {paint, symbols} = draw;
  const lines = hiddenLines(entry, draw);
  const parts = [
    ...drawCounts(entry, draw),
    ...(lines > 0 ? [paint.dim(pluralize(lines, 'line'))] : []),
    ...toolOutcome(entry).map((part) => (part === 'failed' ? paint.error(part) : paint.dim(part))),
  ];
  return parts.join(paint.dim(` ${symbols.dot} `));
}

/** Returns the size of the change, if the call is about a single file. */
function drawCounts(entry: ToolCallEntry, {paint, symbols, cwd}: DrawContext): string[] {
  if (!isFileInTitle(entry, cwd)) return [];
  return entry.content.flatMap((part) => {
    if (part.type !== 'diff') return [];
    const counts = diffCounts(part, comparedDiff(part), {minus: symbols.minus, kind: entry.kind});
    const [added, removed, ...others] = counts.split(' ');
    const isChange = counts.startsWith('+') && removed !== undefined && others.length === 0;
    return isChange ? [`${paint.success(added ?? '')} ${paint.error(removed)}`] : [paint.dim(counts)];
  });
}

/** True for a call that changes one file, which stays where it is, named in its title: the diff needs no heading. */
export function isFileInTitle({title, content, kind}: ToolCallEntry, cwd: string): boolean {
  if (content.some((part) => fileChangeOf(part, kind)?.oldPath !== undefined)) return false;
  const paths = content.flatMap((part) => (part.type === 'diff' ? [part.path] : []));
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0) return false;
  return title.includes(path) || title.split(/[\s`'"]+/).includes(shownPath(path, cwd));
}

/** Returns the number of lines of a read's result, which is folded. */
export function hiddenLines(entry: ToolCallEntry, {extent}: Pick<DrawContext, 'extent'>): number {
  return extent === 'folded' ? lookLines(entry) : 0;
}

const lookLines = memoize((entry: ToolCallEntry): number => {
  if (!isLookup(entry.kind) || toolEnding(entry) !== 'completed') return 0;
  const texts = entry.content.flatMap((part) => (part.type === 'content' ? [part.content] : []));
  const text = withoutFence((texts.length === 0 ? resultText(entry) : visibleText(texts)).trim());
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count > 1 ? count : 0;
});

/** Returns the colored mark of a tool call's state. */
function drawState(entry: ToolCallEntry, {paint, symbols}: DrawContext): string {
  switch (toolEnding(entry)) {
    case 'pending':
      return paint.dim(symbols.pending);
    case 'in_progress':
      return paint.accent(symbols.running);
    case 'completed':
      return drawEnd('done', {paint, symbols});
    case 'failed':
      return drawEnd('failed', {paint, symbols});
    case 'cancelled':
    case 'rejected':
      return paint.warning(symbols.cancelled);
  }
}
