import type {ToolCallEntry} from '../../src/session/entries.ts';
import {diffCounts} from '../../src/session/labels/labels.ts';
import {
  isFileInTitle,
  lookupLines,
  runningFacts,
  shortTitle,
  splitTitle,
  stateLabel,
  toolEnding,
  toolOutcome,
  toolPlaces,
} from '../../src/session/labels/tool-labels.ts';
import {pluralize} from '../../src/text/format.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrapHanging} from '../layout/lines.ts';
import {markEscapes} from '../theme/exact-text.ts';
import type {Theme} from '../theme/theme.tsx';
import {stateMark} from '../theme/symbols.ts';

/** Returns the rows of state, verb and subject on one row, with figures at its right edge: counts, outcome, duration. */
export function rowsOfHeadline(entry: ToolCallEntry, theme: Theme): string[] {
  const {paint, columns} = theme;
  const title = shortTitle(entry, theme.cwd);
  const [verb, rest] = splitTitle(entry, title);
  const places = toolPlaces(entry, title, theme.cwd).map((place) => ` · ${place}`);
  const left =
    paint.bold(markEscapes(verb, theme)) +
    markEscapes(rest, theme) +
    paint.dim(markEscapes(places.join(''), theme));
  const figures = figuresOf(entry, theme);
  if (theme.isLinear) return [spokenHeadline(entry, left, figures)];
  const mark = stateMark(toolEnding(entry), theme);
  const room = Math.max(1, columns - 2);
  const free = figures === '' ? room : room - width(figures) - 2;
  if (theme.extent === 'whole' && width(left) > free)
    return [...wrapHanging(mark, left, theme), ...(figures === '' ? [] : [`  ${truncate(figures, room)}`])];
  if (figures === '') return [`${mark} ${truncate(left, room)}`];
  // The subject is most important: it keeps at least half of the row.
  if (width(left) > free && free < room / 2)
    return [`${mark} ${truncate(left, room)}`, `  ${truncate(figures, room)}`];
  const shown = truncate(left, free);
  return [`${mark} ${shown}${' '.repeat(room - width(shown) - width(figures))}${figures}`];
}

/** "Tool, done: Read src/a.ts, 40 lines" */
function spokenHeadline(entry: ToolCallEntry, left: string, figures: string): string {
  return `Tool, ${stateLabel(entry)}: ${left}${figures === '' ? '' : `, ${figures}`}`;
}

function figuresOf(entry: ToolCallEntry, theme: Theme): string {
  const {paint} = theme;
  const lines = hiddenLines(entry, theme);
  const running = theme.clock === undefined ? [] : runningFacts(entry, theme.terminals, theme.clock);
  const parts = [
    ...countsOf(entry, theme),
    ...running.map((part) => paint.dim(part)),
    ...(lines > 0 ? [paint.dim(pluralize(lines, 'line'))] : []),
    ...toolOutcome(entry).map((part) => (part === 'failed' ? paint.error(part) : paint.dim(part))),
  ];
  return parts.join(paint.dim(' · '));
}

/** Returns the size of the change, if the call is about a single file. */
function countsOf(entry: ToolCallEntry, {paint, symbols, cwd}: Theme): string[] {
  if (!isFileInTitle(entry, cwd)) return [];
  return entry.content.flatMap((part) => {
    if (part.type !== 'diff') return [];
    const counts = diffCounts(part, {minus: symbols.minus, kind: entry.kind});
    const [added, removed, ...others] = counts.split(' ');
    const isChange = counts.startsWith('+') && removed !== undefined && others.length === 0;
    return isChange ? [`${paint.success(added ?? '')} ${paint.error(removed)}`] : [paint.dim(counts)];
  });
}

/** Returns the number of lines of a read's result, which is folded. */
export function hiddenLines(entry: ToolCallEntry, {extent}: Pick<Theme, 'extent'>): number {
  return extent === 'folded' ? lookupLines(entry) : 0;
}
