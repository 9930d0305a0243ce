import type * as acp from '@agentclientprotocol/sdk/unstable';
import {diffCounts} from '../../src/session/labels/labels.ts';
import {type Changes, comparedDiff, type ReportedDiff} from '../../src/session/transcript/diffs.ts';
import {pluralize, shownPath} from '../../src/text/format.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Theme} from '../theme/theme.tsx';
import {cacheRows} from '../layout/cached-rows.ts';
import {indent, narrow} from '../layout/lines.ts';
import {rowsOfDiff} from '../tool-call/diff.ts';

/** Longer changes are only counted. */
const MAX_LINES_OF_A_FILE = 2000;

/** Returns the changed files with counts and diffs: it can be long, and is needed again on each scroll. */
export const rowsOfChanges = cacheRows((changes: Changes, theme: Theme): readonly string[] => [
  ...rowsOfGroup(changes.isRunning ? 'This turn' : 'The last turn', changes.turn, theme),
  ...(changes.session ? ['', ...rowsOfGroup('All turns', changes.session, theme)] : []),
]);

function rowsOfGroup(title: string, files: readonly ReportedDiff[], theme: Theme): string[] {
  const {paint, columns} = theme;
  const what =
    files.length === 0 ? `${title}: no tool call reported a change.` : `${title}: ${summary(files, theme)}`;
  return [...wrap(what, columns).map((line) => paint.bold(line)), ...rowsOfFiles(files, theme)];
}

function summary(files: readonly ReportedDiff[], {symbols}: Theme): string {
  const stats = files.map(({diff}) => comparedDiff(diff).stats);
  const added = stats.reduce((sum, each) => sum + each.added, 0);
  const removed = stats.reduce((sum, each) => sum + each.removed, 0);
  const paths = new Set(files.map(({diff}) => diff.path));
  return `${pluralize(paths.size, 'file')}, +${added} ${symbols.minus}${removed}`;
}

/** Returns the rows of the names first if there are several files, then the changes in each. */
function rowsOfFiles(files: readonly ReportedDiff[], theme: Theme): string[] {
  const inner = narrow(theme);
  const diffs = files.map((file) => rowsOfFile(file, inner));
  if (files.length <= 1) return indent(diffs.flat());
  const names = files.flatMap((file) => wrap(nameOf(file, theme), inner.columns));
  return indent([...names, ...diffs.flatMap((lines) => [''].concat(lines))]);
}

function nameOf({diff, kind}: ReportedDiff, {cwd, symbols}: Theme): string {
  const counts = diffCounts(diff, {minus: symbols.minus, kind});
  return `${sanitizeLine(shownPath(diff.path, cwd))} (${counts})`;
}

function rowsOfFile({diff, kind}: ReportedDiff, theme: Theme): string[] {
  if (!isTooLong(diff)) return rowsOfDiff(diff, {kind}, {...theme, extent: 'whole'});
  const why = `${sanitizeLine(shownPath(diff.path, theme.cwd))}: too many lines to show`;
  return wrap(why, theme.columns).map((line) => theme.paint.dim(line));
}

function isTooLong(diff: acp.Diff): boolean {
  const {added, removed} = comparedDiff(diff).stats;
  return added + removed > MAX_LINES_OF_A_FILE;
}
