import {windowAround} from '../../src/app/pages/scroll.ts';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Menu} from '../../src/app/completion/menu.ts';
import type {HelpSection} from '../../src/app/pages/help-page.ts';
import {diffCounts} from '../../src/session/labels/labels.ts';
import type {Changes, ReportedDiff} from '../../src/session/transcript/diffs.ts';
import {counted, shownPath} from '../../src/text/format.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {
  type Draw,
  drawHeading,
  drawnOnce,
  drawRule,
  drawSelected,
  type ChoiceLines,
  type ScrolledLines,
} from '../draw/draw.ts';
import {indent, inside} from '../draw/lines.ts';
import {comparedDiff, drawDiff} from '../tool-call/diff.ts';
import type {MenuItem} from '../../src/app/completion/menu-items.ts';

interface PageView {
  readonly title: string;
  /** All of them, wrapped. */
  readonly lines: readonly string[];
  /** The first visible row; clamped to the page. */
  readonly firstRow: number;
  /** Maximum rows of the page. */
  readonly rows: number;
  /** The hint for keys of this page only. */
  readonly keys?: string | undefined;
}

/** Draws a scrollable text. */
export function drawPage({title, lines, firstRow, rows, keys}: PageView, draw: Draw): ScrolledLines {
  const {paint} = draw;
  const room = Math.max(1, rows - 2);
  const first = Math.max(0, Math.min(firstRow, lines.length - room));
  const shown = lines.slice(first, first + room);
  const isWhole = shown.length === lines.length;
  const aside = isWhole ? '' : `${first + 1} to ${first + shown.length} of ${lines.length}`;
  const hint =
    (isWhole ? '' : `${draw.keyOf('scroll_page_up')} ${draw.keyOf('scroll_page_down')} scroll · `) +
    (keys === undefined ? '' : `${keys} · `) +
    `${draw.keyOf('cancel_or_back')} close`;
  return {
    lines: [
      drawHeading({words: title, aside}, paint.accent, draw),
      ...shown,
      drawRule(hint, paint.dim, draw),
    ],
    drawn: {firstRow: first, visibleRows: shown.length, totalRows: lines.length},
  };
}

/** On narrower terminals, the description of a key is below it. */
const COLUMNS_SIDE_BY_SIDE = 50;

/** Draws the keys after the leader key, in a box. */
export function drawLeaderKeys({title, rows}: HelpSection, draw: Draw): string[] {
  const keys = Math.max(...rows.map((row) => width(row.keys)));
  const hasTwo = draw.columns >= COLUMNS_FOR_TWO && !draw.isLinear;
  const column = Math.floor(draw.columns / 2);
  const half = hasTwo ? Math.ceil(rows.length / 2) : rows.length;
  const drawAll = (some: typeof rows, columns: number) =>
    some.flatMap((row) => drawHelpRow(row, keys, {...draw, columns}));
  const left = drawAll(rows.slice(0, half), hasTwo ? column - 1 : draw.columns);
  const right = drawAll(rows.slice(half), draw.columns - column);
  const lines = Array.from({length: Math.max(left.length, right.length)}, (_, index) => {
    const [first = '', second = ''] = [left[index], right[index]];
    return second === '' ? first : first + ' '.repeat(Math.max(1, column - width(first))) + second;
  });
  return [
    drawRule(title, draw.paint.accent, draw),
    ...lines,
    drawRule('Any other key closes', draw.paint.dim, draw),
  ];
}

/** Minimum width for two keys in a row. */
const COLUMNS_FOR_TWO = 100;

/** Draws a key and its effect, in columns if there is space. */
function drawHelpRow(row: HelpSection['rows'][number], keys: number, draw: Draw): string[] {
  const {paint, columns} = draw;
  if (columns < COLUMNS_SIDE_BY_SIDE || width(row.keys) > keys)
    return [
      ...indent(wrap(row.keys, columns - 2)).map((line) => paint.accent(line)),
      ...indent(wrap(row.does, columns - 4), 4),
    ];
  const [first = '', ...rest] = wrap(row.does, columns - keys - 4);
  const padding = ' '.repeat(keys - width(row.keys));
  return [`  ${paint.accent(row.keys)}${padding}  ${first}`, ...indent(rest, keys + 4)];
}

/** Longer changes are only counted. */
const MAX_LINES_OF_A_FILE = 2000;

/** Draws the changed files with counts and diffs; it can be long, and is redrawn on each scroll. */
export const drawChanges = drawnOnce((changes: Changes, _: undefined, draw: Draw): readonly string[] => [
  ...drawGroup(changes.isRunning ? 'This turn' : 'The last turn', changes.turn, draw),
  ...(changes.session ? ['', ...drawGroup('All turns', changes.session, draw)] : []),
]);

function drawGroup(title: string, files: readonly ReportedDiff[], draw: Draw): string[] {
  const {paint, columns} = draw;
  const what =
    files.length === 0 ? `${title}: no tool call reported a change.` : `${title}: ${summary(files, draw)}`;
  return [...wrap(what, columns).map((line) => paint.bold(line)), ...drawFiles(files, draw)];
}

function summary(files: readonly ReportedDiff[], {symbols}: Draw): string {
  const stats = files.map(({diff}) => comparedDiff(diff).stats);
  const added = stats.reduce((sum, each) => sum + each.added, 0);
  const removed = stats.reduce((sum, each) => sum + each.removed, 0);
  const paths = new Set(files.map(({diff}) => diff.path));
  return `${counted(paths.size, 'file')}, +${added} ${symbols.minus}${removed}`;
}

/** Draws the names first if there are several files, then the changes in each. */
function drawFiles(files: readonly ReportedDiff[], draw: Draw): string[] {
  const inner = inside(draw);
  const diffs = files.map((file) => drawFile(file, inner));
  if (files.length <= 1) return indent(diffs.flat());
  const names = files.flatMap((file) => wrap(nameOf(file, draw), inner.columns));
  return indent([...names, ...diffs.flatMap((lines) => [''].concat(lines))]);
}

function nameOf({diff, kind}: ReportedDiff, {cwd, symbols}: Draw): string {
  const counts = diffCounts(diff, comparedDiff(diff), {minus: symbols.minus, kind});
  return `${sanitizeLine(shownPath(diff.path, cwd))} (${counts})`;
}

function drawFile({diff, kind}: ReportedDiff, draw: Draw): string[] {
  if (!isTooLong(diff)) return drawDiff(diff, {extent: 'whole', kind}, draw);
  const why = `${sanitizeLine(shownPath(diff.path, draw.cwd))}: too many lines to show`;
  return wrap(why, draw.columns).map((line) => draw.paint.dim(line));
}

function isTooLong(diff: acp.Diff): boolean {
  const {added, removed} = comparedDiff(diff).stats;
  return added + removed > MAX_LINES_OF_A_FILE;
}

/** Maximum rows of files, which are found by typing, and of what is spoken. */
const FEW_ROWS = 7;
/** Fewer rows have no room for a title. */
const MIN_ROWS_WITH_TITLE = 3;

const HEADINGS: Readonly<Partial<Record<MenuItem['source'], string>>> = {
  files: 'Files',
  arguments: 'Arguments',
};

/** Draws the matching commands, files or arguments, around the selected one. */
export function drawMenu({items, selected}: Menu, rows: number, draw: Draw): ChoiceLines {
  const {paint, symbols} = draw;
  // What is spoken is complete.
  const columns = draw.isLinear ? Infinity : draw.columns;
  const hasTitle = rows >= MIN_ROWS_WITH_TITLE;
  const hasFiles = items.some(({file}) => file !== undefined);
  const few = draw.isLinear || hasFiles;
  const most = Math.min(rows - Number(hasTitle), few ? FEW_ROWS : Infinity);
  const {from, to} = windowAround(selected, items.length, most);
  const shown = items.slice(from, to);
  // A path gets more space than a command's name, and its end is more useful than its middle.
  const half = Math.floor(columns / 2);
  const widest = hasFiles ? Math.max(half, columns - 20) : half;
  const labels = Math.min(widest, Math.max(...shown.map((item) => width(labelOf(item)))));
  const lines = shown.map((item, index) => {
    const isSelected = from + index === selected;
    const label = truncate(labelOf(item), labels, {position: item.file ? 'middle' : 'end'});
    const padding = draw.isLinear ? '' : ' '.repeat(Math.max(0, labels - width(label)));
    const about = sanitizeLine([item.unavailable, item.description].filter(Boolean).join(' '));
    const described = isSelected || item.unavailable !== undefined || about === '' ? about : paint.dim(about);
    const line = truncate(
      `${isSelected ? symbols.selected : ' '} ${label}${padding}  ${described}`.trimEnd(),
      columns,
    );
    if (isSelected) return drawSelected(line, draw);
    return item.unavailable === undefined ? line : paint.dim(line);
  });
  const choices = lines.map((_, row) => ({
    index: from + row,
    row: row + Number(hasTitle),
    from: 0,
    to: columns,
  }));
  if (!hasTitle) return {lines, choices};
  const words = HEADINGS[shown[0]?.source ?? 'client'] ?? 'Commands';
  const aside = `${selected + 1} of ${items.length}`;
  return {lines: [drawHeading({words, aside}, paint.accent, draw), ...lines], choices};
}

function labelOf({text, argument}: MenuItem): string {
  return sanitizeLine(argument === undefined ? text : `${text} ${argument}`);
}
