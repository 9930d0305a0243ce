import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ChangeGroup, Changes, FileChange} from '../../src/session/changes.ts';
import {diffCounts} from '../../src/session/words/diff-counts.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {shownPath} from '../../src/text/format.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {indent, inside} from '../draw/lines.ts';
import {comparedDiff, drawDiff} from '../tool-call/contents/diff.ts';

/** Longer changes are counted, and not shown. */
const MOST_LINES_OF_A_FILE = 2000;

/**
 * The files that were changed, how much, and how. Drawn once for each width, since it can be long and is drawn again with
 * each scroll.
 */
export function drawChanges(changes: Changes, draw: Draw): readonly string[] {
  const known = drawn.get(changes);
  if (known?.columns === draw.columns && known.paint === draw.paint) return known.lines;
  const title = changes.isRunning ? 'This turn' : 'The last turn';
  const lines = [
    ...drawGroup(title, changes.turn, draw),
    ...(changes.session ? ['', ...drawGroup('All turns', changes.session, draw)] : []),
  ];
  drawn.set(changes, {columns: draw.columns, paint: draw.paint, lines});
  return lines;
}

interface Drawn {
  readonly columns: number;
  readonly paint: Draw['paint'];
  readonly lines: readonly string[];
}

const drawn = new WeakMap<Changes, Drawn>();

function drawGroup(title: string, {written, told}: ChangeGroup, draw: Draw): string[] {
  const {paint, columns} = draw;
  const heading = (text: string) => wrap(text, columns).map((line) => paint.bold(line));
  if (written.length + told.length === 0) return heading(`${title} changed no files.`);
  const own =
    told.length === 0
      ? []
      : [
          ...heading(`${title}: changed by the agent itself, as it tells; /undo does not reach it`),
          ...drawFiles(told, draw),
        ];
  if (written.length === 0) return own;
  const lines = [...heading(`${title}: ${summary(written, draw)}`), ...drawFiles(written, draw)];
  return own.length === 0 ? lines : [...lines, '', ...own];
}

function summary(files: readonly FileChange[], {signs}: Draw): string {
  const stats = files.flatMap(({diff}) => (diff ? [comparedDiff(diff).stats] : []));
  const added = stats.reduce((sum, each) => sum + each.added, 0);
  const removed = stats.reduce((sum, each) => sum + each.removed, 0);
  return `${files.length} ${files.length === 1 ? 'file' : 'files'}, +${added} ${signs.minus}${removed}`;
}

/** The names first where there are several, then what changed in each. */
function drawFiles(files: readonly FileChange[], draw: Draw): string[] {
  const inner = inside(draw);
  const diffs = files.map((file) => drawFile(file, inner));
  if (files.length === 1) return indent(diffs.flat());
  const names = files.flatMap((file) => wrap(nameOf(file, draw), inner.columns));
  return indent([...names, ...diffs.flatMap((lines) => [''].concat(lines))]);
}

function nameOf({path, diff, kind}: FileChange, {cwd, signs}: Draw): string {
  const name = sanitizeLine(shownPath(path, cwd));
  if (!diff) return name;
  return `${name} (${diffCounts(diff, comparedDiff(diff), {minus: signs.minus, kind})})`;
}

function drawFile({path, diff, note, kind}: FileChange, draw: Draw): string[] {
  const noted = (why: string) =>
    wrap(`${sanitizeLine(shownPath(path, draw.cwd))}: ${why}`, draw.columns).map((line) =>
      draw.paint.dim(line),
    );
  if (!diff) return noted(note ?? '');
  return isTooLong(diff)
    ? noted('too many lines to be shown')
    : drawDiff(diff, {extent: 'whole', kind}, draw);
}

function isTooLong(diff: acp.Diff): boolean {
  const {added, removed} = comparedDiff(diff).stats;
  return added + removed > MOST_LINES_OF_A_FILE;
}
