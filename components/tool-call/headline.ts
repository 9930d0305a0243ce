import type {Entry, ToolCallEntry} from '../../src/session/entries.ts';
import type {TerminalState} from '../../src/session/state.ts';
import {diffCounts} from '../../src/session/labels/labels.ts';
import {resultText, withoutFence} from '../../src/session/labels/result-text.ts';
import {
  stateLabel,
  toolEnding,
  toolOutcome,
  toolPlaces,
  toolTitle,
  splitTitle,
} from '../../src/session/labels/tool-labels.ts';
import {memoize} from '../../src/session/memoize.ts';
import {visibleText} from '../../src/session/transcript/content.ts';
import {fileChangeOf} from '../../src/session/transcript/diffs.ts';
import {isLookup} from '../../src/session/transcript/tool-kinds.ts';
import {pluralize, shownPath, wholeSeconds} from '../../src/text/format.ts';
import {beginsName, mentions} from '../../src/session/labels/mentions.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
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
  if (figures === '') return [`${mark} ${truncate(left, room)}`];
  const free = room - width(figures) - 2;
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

/** Returns the title with paths relative to the working folder. */
function shortTitle(entry: ToolCallEntry, cwd: string): string {
  const title = toolTitle(entry);
  if (cwd === '' || cwd === '/') return title;
  const folder = `${cwd.replace(/\/$/, '')}/`;
  return title.replaceAll(folder, (_, at: number) => (beginsName(title.charAt(at - 1)) ? '' : folder));
}

function figuresOf(entry: ToolCallEntry, theme: Theme): string {
  const {paint} = theme;
  const lines = hiddenLines(entry, theme);
  const parts = [
    ...countsOf(entry, theme),
    ...runningFigures(entry, theme).map((part) => paint.dim(part)),
    ...(lines > 0 ? [paint.dim(pluralize(lines, 'line'))] : []),
    ...toolOutcome(entry).map((part) => (part === 'failed' ? paint.error(part) : paint.dim(part))),
  ];
  return parts.join(paint.dim(' · '));
}

/** True for a call that is running, as far as it says. */
export function isRunningCall(entry: Entry): entry is ToolCallEntry {
  return entry.type === 'tool_call' && entry.status === 'in_progress';
}

/** Returns how long a running call takes by now, and how many lines its command has printed. */
function runningFigures(entry: ToolCallEntry, {clock, terminals}: Theme): string[] {
  if (clock === undefined || !isRunningCall(entry)) return [];
  const took = clock - entry.at - (entry.waitedMs ?? 0);
  const lines = entry.content.map((part) => {
    const terminal = part.type === 'terminal' ? terminals.get(part.terminalId) : undefined;
    return terminal === undefined ? 0 : printedLines(terminal);
  });
  const printed = lines.reduce((sum, count) => sum + count, 0);
  return [
    ...(took >= 1000 ? [wholeSeconds(took)] : []),
    ...(printed > 0 ? [pluralize(printed, 'line')] : []),
  ];
}

const printedLines = memoize(({screen, output}: TerminalState): number =>
  screen === undefined
    ? output.trim().split('\n').filter(Boolean).length
    : screen.dropped + screen.rows.filter((row) => row.length > 0).length,
);

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

/** True for a call that changes one file, which stays where it is, named in its title: the diff needs no heading. */
export function isFileInTitle({title, content, kind}: ToolCallEntry, cwd: string): boolean {
  if (content.some((part) => fileChangeOf(part, kind)?.oldPath !== undefined)) return false;
  const paths = content.flatMap((part) => (part.type === 'diff' ? [part.path] : []));
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0) return false;
  return mentions(title, path) || mentions(title, shownPath(path, cwd));
}

/** Returns the number of lines of a read's result, which is folded. */
export function hiddenLines(entry: ToolCallEntry, {extent}: Pick<Theme, 'extent'>): number {
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
