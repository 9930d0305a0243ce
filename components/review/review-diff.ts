import {windowAround} from '../../src/app/pages/scroll.ts';
import {
  isCommentOnLine,
  linesOf,
  outdatedComments,
  selection,
  type ReviewLine,
  type ReviewView,
} from '../../src/app/review/review-view.ts';
import {memoize} from '../../src/session/memoize.ts';
import type {ReviewComment, ReviewedFile} from '../../src/session/review.ts';
import {hunkOfPatch, type Diff, type DiffLine} from '../../src/text/diff/diff.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Theme} from '../theme/theme.tsx';
import {narrow, spaceBetween} from '../layout/lines.ts';
import {createPieceSplitter} from '../tool-call/diff-syntax.ts';
import {
  COLUMNS_FOR_BOTH_SIDES,
  rowsOfLine,
  rowsOfPair,
  pairLines,
  type DiffLineLayout,
  numberDigits,
  type LinePair,
} from '../tool-call/diff.ts';
import {highlightMatches} from '../viewer/viewer-lines.ts';

const MARGIN = 2;

/** Lines that are drawn lazily when they become visible; `hasCursor` if they contain the cursor. */
interface Block {
  readonly hasCursor: boolean;
  readonly rows: () => readonly string[];
}

/** Returns the rows of the changes of a file around the line with the cursor, on at most `rows` rows. */
export function rowsOfFileChanges(
  view: ReviewView,
  file: ReviewedFile,
  {rows, theme}: {readonly rows: number; readonly theme: Theme},
): readonly string[] {
  const blocks = blocksOf(view, file, theme);
  const at = Math.max(
    0,
    blocks.findIndex(({hasCursor}) => hasCursor),
  );
  const from = Math.max(0, at - rows);
  const drawn = blocks.slice(from, at + rows + 1).map((block) => block.rows());
  const above = drawn.slice(0, at - from).reduce((sum, lines) => sum + lines.length, 0);
  const lines = drawn.flat();
  const shown = windowAround(above, lines.length, rows);
  return lines.slice(shown.from, shown.to);
}

function blocksOf(view: ReviewView, file: ReviewedFile, theme: Theme): readonly Block[] {
  const lines = linesOf(file);
  const diff = diffOf(file);
  const inner = narrow(theme, MARGIN);
  const layout: DiffLineLayout = {
    digits: numberDigits(diff),
    pieces: createPieceSplitter(file.path, diff, theme),
    side: 'new',
  };
  const isSideBySide = view.isSideBySide && inner.columns >= COLUMNS_FOR_BOTH_SIDES;
  const blocks: Block[] = [];
  let at = 0;
  for (const [index, hunk] of diff.hunks.entries()) {
    const own = lines.slice(at, at + hunk.lines.length);
    const numbers = new Map(hunk.lines.map((line, offset) => [line, at + offset]));
    blocks.push({hasCursor: false, rows: () => rowsOfHunkHead({view, file, index}, theme)});
    const parts: readonly LinePair[] = isSideBySide
      ? pairLines(hunk.lines)
      : hunk.lines.map((line) => (line.kind === 'removed' ? [line, undefined] : [undefined, line]));
    for (const pair of parts) {
      const places = pair.flatMap((line) => (line ? [numbers.get(line) ?? 0] : []));
      const drawn = () =>
        isSideBySide ? rowsOfPair(pair, layout, inner) : rowsOfSingle(pair, layout, inner);
      blocks.push({
        hasCursor: places.includes(view.line),
        rows: () => withMargin({lines: drawn(), places, view}, theme),
      });
      const about = places.map((place) => lines[place]).filter((line) => line !== undefined);
      for (const comment of commentsOn(view, file, about))
        blocks.push({hasCursor: false, rows: () => rowsOfComment(comment.text, layout.digits, theme)});
    }
    at += own.length;
  }
  for (const comment of outdatedComments(view.review, file))
    blocks.push({hasCursor: false, rows: () => rowsOfOutdated(comment, layout.digits, theme)});
  return blocks;
}

const diffOf = memoize(({hunks: parts, added, removed}: ReviewedFile): Diff => {
  const hunks = parts.map(({lines, oldStart, newStart}) =>
    hunkOfPatch(lines, {oldNumber: Math.max(1, oldStart), newNumber: Math.max(1, newStart)}),
  );
  return {hunks, stats: {added, removed}, newFile: false, approximate: false};
});

function rowsOfSingle([left, right]: LinePair, layout: DiffLineLayout, theme: Theme): readonly string[] {
  const line: DiffLine | undefined = left ?? right;
  return line ? rowsOfLine(line, layout, theme) : [];
}

interface Marked {
  readonly lines: readonly string[];
  readonly places: readonly number[];
  readonly view: ReviewView;
}

/** Marks the cursor and the selected lines in the margin. */
function withMargin({lines, places, view}: Marked, theme: Theme): readonly string[] {
  const {paint, symbols} = theme;
  const [from, to] = selection(view);
  const isCursor = places.includes(view.line);
  const isSelected = view.selectedFrom !== undefined && places.some((place) => place >= from && place <= to);
  const mark = isCursor ? symbols.selected : isSelected ? symbols.user : ' ';
  return lines.map((line, row) => {
    const shown = view.search === '' ? line : highlightMatches(line, view.search, theme.paint.hit);
    return `${row === 0 || isSelected ? paint.accent(mark) : ' '} ${shown}`;
  });
}

function rowsOfHunkHead(
  {view, file, index}: {readonly view: ReviewView; readonly file: ReviewedFile; readonly index: number},
  theme: Theme,
): readonly string[] {
  const {paint, symbols, keyOf, columns} = theme;
  const hunk = file.hunks[index];
  const isCurrent = linesOf(file)[view.line]?.hunkIndex === index;
  const name = `hunk ${index + 1} of ${file.hunks.length}`;
  const keys = [
    `${keyOf('accept_hunk')} accept`,
    `${keyOf('revert_hunk')} revert`,
    `${keyOf('comment')} comment`,
  ].join(` ${symbols.dot} `);
  const doing = hunk && doingTo(view, file, hunk.id);
  const idle = isCurrent ? paint.dim(keys) : '';
  const right = hunk?.isAccepted ? paint.success('accepted') : doing ? paint.warning(doing) : idle;
  const left = `${isCurrent ? paint.accent(symbols.selected) : ' '} ${isCurrent ? paint.bold(name) : paint.dim(name)}`;
  return [...(index === 0 ? [] : ['']), spaceBetween(left, right, columns)];
}

/** Returns what is being done to a hunk. */
function doingTo({doing}: ReviewView, file: ReviewedFile, hunk: string): string | undefined {
  if (!doing || !('file' in doing) || doing.file !== file.id) return undefined;
  const isMeant = doing.hunk === undefined || doing.hunk === hunk;
  return isMeant ? {accept: 'accepting…', revert: 'reverting…'}[doing.kind] : undefined;
}

function commentsOn(
  {review}: ReviewView,
  file: ReviewedFile,
  lines: readonly ReviewLine[],
): readonly ReviewComment[] {
  return review.comments.filter((comment) => lines.some((line) => isCommentOnLine(comment, file.path, line)));
}

function rowsOfComment(text: string, digits: number, {paint, symbols, columns}: Theme): readonly string[] {
  const margin = ' '.repeat(MARGIN + digits + 1);
  const rows = wrap(text, Math.max(1, columns - margin.length - 2));
  return rows.map((row) => `${margin}${paint.warning(symbols.user)} ${paint.warning(row)}`);
}

function rowsOfOutdated({line, text}: ReviewComment, digits: number, theme: Theme): readonly string[] {
  return ['', ...rowsOfComment(`Line ${line} (changed since): ${text}`, digits, theme)];
}
