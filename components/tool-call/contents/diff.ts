import type * as acp from '@agentclientprotocol/sdk/unstable';
import {diffLines, type Diff, type DiffLine} from '../../../src/text/diff/diff-lines.ts';
import {onOneLine} from '../../../src/text/hidden.ts';
import {truncate} from '../../../src/text/truncate.ts';
import {expandTabs, wrapWhole} from '../../../src/text/wrap.ts';
import type {Draw} from '../../draw/draw.ts';
import {drawExact, markEscapes} from '../../draw/exact.ts';
import {fold} from '../../draw/lines.ts';
import {shownPath} from '../../../src/text/shown-path.ts';
import {mostDiffLines, type Extent} from '../extent.ts';

const CONTEXT_LINES = 3;
/** On narrower screens the room is for the text. */
const COLUMNS_FOR_NUMBERS = 24;

/** A change of a file: which one, how much, and its lines with their numbers, the changed words marked. */
export function drawDiff(content: acp.Diff, {extent}: {readonly extent: Extent}, draw: Draw): string[] {
  const diff = comparedDiff(content);
  const most = mostDiffLines(extent);
  const digits = String(highestNumber(diff)).length;
  const shown: string[] = [];
  let rows = 0;
  for (const [index, hunk] of diff.hunks.entries()) {
    if (index > 0) shown.push(draw.paint.dim(draw.signs.ellipsis));
    for (const line of hunk.lines) {
      rows++;
      if (shown.length <= most) for (const row of drawLine(line, {digits, extent}, draw)) shown.push(row);
    }
  }
  const unseen = Math.max(0, rows - shown.length);
  return [
    ...drawHead(content, diff, {extent, draw}),
    ...fold(shown, {most, keep: 'head', hidden: unseen}, draw),
  ];
}

const known = new WeakMap<acp.Diff, Diff>();

/** The change, line by line. Comparing is dear, and a card is drawn many times while it runs. */
export function comparedDiff(content: acp.Diff): Diff {
  let diff = known.get(content);
  if (diff === undefined) {
    diff = diffLines(content.oldText, content.newText, {context: CONTEXT_LINES});
    known.set(content, diff);
  }
  return diff;
}

function highestNumber({hunks}: Diff): number {
  const last = hunks.at(-1)?.lines.at(-1);
  return Math.max(last?.oldNumber ?? 0, last?.newNumber ?? 0, 1);
}

interface HeadLook {
  readonly extent: Extent;
  readonly draw: Draw;
}

function drawHead(
  {path, newText}: acp.Diff,
  {stats, newFile, approximate}: Diff,
  {extent, draw}: HeadLook,
): string[] {
  const {paint, signs, columns} = draw;
  const counts = newFile
    ? `new file, ${stats.added} lines`
    : `+${stats.added} ${signs.minus}${stats.removed}`;
  const note = (approximate ? ', too different to compare' : '') + lineEnds(newText);
  const head = `${onOneLine(shownPath(path, draw.cwd))} (${counts}${note})`;
  const rows = extent === 'folded' ? [markEscapes(truncate(head, columns), draw)] : drawExact(head, draw);
  return rows.map((row) => paint.dim(row));
}

/** A carriage return is shown in a line only where it is what changes. */
function lineEnds(text: string): string {
  if (!text.includes('\r\n')) return '';
  return /(?:^|[^\r])\n/.test(text) ? ', CRLF on some lines' : ', CRLF';
}

/** What stands in one column takes no more UTF-16 units: more marks on a letter are escapes. */
const MOST_UNITS = 32;

interface LineLayout {
  readonly digits: number;
  readonly extent: Extent;
}

/** More than fits into a row, of parts that may be very long. */
function startOf(segments: DiffLine['segments'], columns: number): DiffLine['segments'] {
  const longest = columns * MOST_UNITS;
  return segments.map(({text, changed}) => ({text: text.slice(0, longest), changed}));
}

function drawLine(line: DiffLine, {digits, extent}: LineLayout, draw: Draw): string[] {
  const {paint, signs, columns} = draw;
  const number = String(line.newNumber ?? line.oldNumber ?? '').padStart(digits);
  const looks = {
    added: {sign: '+', plain: paint.added, marked: paint.addedWord},
    removed: {sign: '-', plain: paint.removed, marked: paint.removedWord},
    context: {sign: ' ', plain: paint.output, marked: paint.output},
  };
  const {sign, plain, marked} = looks[line.kind];
  const text = (extent === 'folded' ? startOf(line.segments, columns) : line.segments)
    .map(({text, changed}) => (changed ? marked : plain)(markEscapes(text, draw)))
    .join('');
  const gutter = columns < COLUMNS_FOR_NUMBERS ? '' : `${paint.dim(number)} `;
  const margin = gutter === '' ? 2 : digits + 3;
  const room = Math.max(1, columns - margin);
  const rows =
    extent === 'folded' ? [truncate(text.replaceAll('\t', '    '), room)] : wrapWhole(expandTabs(text), room);
  const end = line.noNewlineAtEnd
    ? [paint.dim(truncate(`${signs.ellipsis} no line feed at the end`, room))]
    : [];
  const continued = `${' '.repeat(margin - 2)}${paint.dim(signs.continued)}`;
  return [...rows, ...end].map((row, index) =>
    index === 0 ? `${gutter}${plain(sign)} ${row}` : `${continued} ${row}`,
  );
}
