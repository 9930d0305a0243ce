import type * as acp from '@agentclientprotocol/sdk/unstable';
import {diffCounts} from '../../src/session/labels/labels.ts';
import type {Changes, ReportedDiff} from '../../src/session/transcript/diffs.ts';
import {pluralize, shownPath} from '../../src/text/format.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {DrawContext} from '../draw/draw.ts';
import {cacheDrawing} from '../draw/late.ts';
import {indent, narrow} from '../draw/lines.ts';
import {comparedDiff, drawDiff} from '../tool-call/diff.ts';

/** Longer changes are only counted. */
const MAX_LINES_OF_A_FILE = 2000;

/** Returns the changed files with counts and diffs: it can be long, and is needed again on each scroll. */
export const rowsOfChanges = cacheDrawing(
  (changes: Changes, _: undefined, draw: DrawContext): readonly string[] => [
    ...drawGroup(changes.isRunning ? 'This turn' : 'The last turn', changes.turn, draw),
    ...(changes.session ? ['', ...drawGroup('All turns', changes.session, draw)] : []),
  ],
);

function drawGroup(title: string, files: readonly ReportedDiff[], draw: DrawContext): string[] {
  const {paint, columns} = draw;
  const what =
    files.length === 0 ? `${title}: no tool call reported a change.` : `${title}: ${summary(files, draw)}`;
  return [...wrap(what, columns).map((line) => paint.bold(line)), ...drawFiles(files, draw)];
}

function summary(files: readonly ReportedDiff[], {symbols}: DrawContext): string {
  const stats = files.map(({diff}) => comparedDiff(diff).stats);
  const added = stats.reduce((sum, each) => sum + each.added, 0);
  const removed = stats.reduce((sum, each) => sum + each.removed, 0);
  const paths = new Set(files.map(({diff}) => diff.path));
  return `${pluralize(paths.size, 'file')}, +${added} ${symbols.minus}${removed}`;
}

/** Draws the names first if there are several files, then the changes in each. */
function drawFiles(files: readonly ReportedDiff[], draw: DrawContext): string[] {
  const inner = narrow(draw);
  const diffs = files.map((file) => drawFile(file, inner));
  if (files.length <= 1) return indent(diffs.flat());
  const names = files.flatMap((file) => wrap(nameOf(file, draw), inner.columns));
  return indent([...names, ...diffs.flatMap((lines) => [''].concat(lines))]);
}

function nameOf({diff, kind}: ReportedDiff, {cwd, symbols}: DrawContext): string {
  const counts = diffCounts(diff, comparedDiff(diff), {minus: symbols.minus, kind});
  return `${sanitizeLine(shownPath(diff.path, cwd))} (${counts})`;
}

function drawFile({diff, kind}: ReportedDiff, draw: DrawContext): string[] {
  if (!isTooLong(diff)) return drawDiff(diff, {extent: 'whole', kind}, draw);
  const why = `${sanitizeLine(shownPath(diff.path, draw.cwd))}: too many lines to show`;
  return wrap(why, draw.columns).map((line) => draw.paint.dim(line));
}

function isTooLong(diff: acp.Diff): boolean {
  const {added, removed} = comparedDiff(diff).stats;
  return added + removed > MAX_LINES_OF_A_FILE;
}
