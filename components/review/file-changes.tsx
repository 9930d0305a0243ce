import {Box} from 'ink';
import {windowAround} from '../../src/app/pages/scroll.ts';
import {
  isCommentOnLine,
  linesOf,
  outdatedComments,
  selection,
  type ReviewView,
} from '../../src/app/review/review-view.ts';
import {memoize} from '../../src/session/memoize.ts';
import type {ReviewedFile} from '../../src/session/review.ts';
import {hunkOfPatch, pairLines, type Diff} from '../../src/text/diff/diff.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {narrow, spaceBetween} from '../layout/lines.ts';
import {Row, Rows} from '../layout/rows.tsx';
import {markEscapes} from '../theme/exact-text.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {createPieceSplitter} from '../tool-call/diff-syntax.ts';
import {
  COLUMNS_FOR_BOTH_SIDES,
  rowsOfLine,
  rowsOfPair,
  type DiffLineLayout,
  numberDigits,
} from '../tool-call/diff.ts';
import {highlightMatches} from '../viewer/viewer-lines.ts';
import {doingTo, noChangesText, noLinesText, uncoveredTexts} from '../../src/app/review/review-texts.ts';
import {hintsOf, hintText} from '../../src/app/keymap/hints.ts';
import {sizesLabel, statusLetter} from './review-labels.ts';

interface FileChangesProps {
  readonly view: ReviewView;
  readonly file: ReviewedFile;
  readonly rows: number;
  /** True if the list of files is not beside it. */
  readonly isAlone: boolean;
}

/** The name of the selected file, with its changes below. */
export function FileChanges({view, file, rows, isAlone}: FileChangesProps) {
  const theme = useTheme();
  const {paint, columns} = theme;
  const {files} = view.review;
  const place = isAlone && files.length > 1 ? `${files.indexOf(file) + 1}/${files.length} ` : '';
  const from = file.oldPath === undefined ? '' : `${file.oldPath} → `;
  const notes = [...file.notes, ...(file.isAccepted ? ['accepted'] : [])].join(', ');
  const sizes = `${notes === '' ? '' : `${notes}  `}${sizesLabel(file, theme)}`;
  const room = Math.max(8, columns - width(place) - width(sizes) - 3);
  const name = markEscapes(truncate(from + file.path, room, {position: 'start'}), theme);
  const left = `${paint.dim(place)}${statusLetter(file.status, theme)} ${paint.bold(name)}`;
  const changes = rowsOfFileChanges(view, file, rows - 1, theme);
  const noLines = () => wrap(noLinesText(file, theme), columns - 2).map((line) => `  ${line}`);
  return (
    <Box flexDirection="column">
      <Row text={spaceBetween(left, sizes, columns)} />
      <Rows of={changes.length > 0 ? changes : noLines()} />
    </Box>
  );
}

/** Says that there is nothing to review, and what is not covered. */
export function NoChanges({view: {review}}: Pick<FileChangesProps, 'view'>) {
  const {paint, keyOf, columns} = useTheme();
  const lines = [
    noChangesText(review),
    `${keyOf('next_range')} shows another range.`,
    ...uncoveredTexts(review),
  ];
  return <Rows of={lines.flatMap((line) => wrap(line, columns)).map((line) => paint.dim(line))} />;
}

const MARGIN = 2;

/** Returns the rows of the changes of a file around the line with the cursor, on at most `rows` rows. */
function rowsOfFileChanges(view: ReviewView, file: ReviewedFile, rows: number, theme: Theme): string[] {
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

/** Returns the rows of lines that are drawn lazily when they become visible, and whether the cursor is on one of them. */
function blocksOf(view: ReviewView, file: ReviewedFile, theme: Theme) {
  const lines = linesOf(file);
  const diff = diffOf(file);
  const inner = narrow(theme, MARGIN);
  const layout: DiffLineLayout = {
    digits: numberDigits(diff),
    pieces: createPieceSplitter(file.path, diff, theme),
    side: 'new',
  };
  const isSideBySide = view.isSideBySide && inner.columns >= COLUMNS_FOR_BOTH_SIDES;
  const blocks: {readonly hasCursor?: boolean; readonly rows: () => readonly string[]}[] = [];
  let at = 0;
  for (const [index, hunk] of diff.hunks.entries()) {
    const own = lines.slice(at, at + hunk.lines.length);
    const numbers = new Map(hunk.lines.map((line, offset) => [line, at + offset]));
    blocks.push({rows: () => rowsOfHunkHead(view, file, index, theme)});
    const parts = isSideBySide
      ? pairLines(hunk.lines).map((pair) => ({
          shown: pair.filter((line) => line !== undefined),
          rowsOf: () => rowsOfPair(pair, layout, inner),
        }))
      : hunk.lines.map((line) => ({shown: [line], rowsOf: () => rowsOfLine(line, layout, inner)}));
    for (const {shown, rowsOf} of parts) {
      const places = shown.map((line) => numbers.get(line) ?? 0);
      blocks.push({
        hasCursor: places.includes(view.line),
        rows: () => withMargin(rowsOf(), places, view, theme),
      });
      const about = places.map((place) => lines[place]).filter((line) => line !== undefined);
      const comments = view.review.comments.filter((comment) =>
        about.some((line) => isCommentOnLine(comment, file.path, line)),
      );
      for (const comment of comments)
        blocks.push({rows: () => rowsOfComment(comment.text, layout.digits, theme)});
    }
    at += own.length;
  }
  for (const {line, text} of outdatedComments(view.review, file)) {
    const words = `Line ${line} (changed since): ${text}`;
    blocks.push({rows: () => ['', ...rowsOfComment(words, layout.digits, theme)]});
  }
  return blocks;
}

const diffOf = memoize(({hunks: parts, added, removed}: ReviewedFile): Diff => {
  const hunks = parts.map(({lines, oldStart, newStart}) =>
    hunkOfPatch(lines, {oldNumber: Math.max(1, oldStart), newNumber: Math.max(1, newStart)}),
  );
  return {hunks, stats: {added, removed}, newFile: false, approximate: false};
});

/** Marks the cursor and the selected lines in the margin. */
function withMargin(rows: readonly string[], places: readonly number[], view: ReviewView, theme: Theme) {
  const {paint, symbols} = theme;
  const [from, to] = selection(view);
  const isCursor = places.includes(view.line);
  const isSelected = view.selectedFrom !== undefined && places.some((place) => place >= from && place <= to);
  const mark = isCursor ? symbols.selected : isSelected ? symbols.user : ' ';
  return rows.map((line, row) => {
    const shown = view.search === '' ? line : highlightMatches(line, view.search, theme.paint.hit);
    return `${row === 0 || isSelected ? paint.accent(mark) : ' '} ${shown}`;
  });
}

function rowsOfHunkHead(view: ReviewView, file: ReviewedFile, index: number, theme: Theme): string[] {
  const {paint, symbols, columns} = theme;
  const key = hintsOf(theme);
  const hunk = file.hunks[index];
  const isCurrent = linesOf(file)[view.line]?.hunkIndex === index;
  const name = `hunk ${index + 1} of ${file.hunks.length}`;
  const keys = [key('accept_hunk', 'accept'), key('revert_hunk', 'revert'), key('comment', 'comment')];
  const doing = hunk && doingTo(view, file, hunk.id);
  const idle = isCurrent ? paint.dim(hintText(keys)) : '';
  const right = hunk?.isAccepted ? paint.success('accepted') : doing ? paint.warning(doing) : idle;
  const left = `${isCurrent ? paint.accent(symbols.selected) : ' '} ${isCurrent ? paint.bold(name) : paint.dim(name)}`;
  return [...(index === 0 ? [] : ['']), spaceBetween(left, right, columns)];
}

function rowsOfComment(text: string, digits: number, {paint, symbols, columns}: Theme): readonly string[] {
  const margin = ' '.repeat(MARGIN + digits + 1);
  const rows = wrap(text, Math.max(1, columns - margin.length - 2));
  return rows.map((row) => `${margin}${paint.warning(symbols.user)} ${paint.warning(row)}`);
}
