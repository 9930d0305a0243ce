import {Box} from 'ink';
import {windowAround} from '../../src/app/pages/scroll.ts';
import {rangeName, type ReviewView} from '../../src/app/review/review-view.ts';
import {STATUS_LETTERS, type Review, type ReviewedFile} from '../../src/session/review.ts';
import {memoize} from '../../src/session/memoize.ts';
import {pluralize} from '../../src/text/format.ts';
import {truncate} from '../../src/text/truncate.ts';
import {padded, widest} from '../../src/text/width.ts';
import {choiceRow} from '../layout/lines.ts';
import {Rows} from '../layout/rows.tsx';
import {markEscapes} from '../theme/exact-text.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {reviewProgress} from '../../src/app/review/review-texts.ts';
import {statusLetter} from './review-labels.ts';

/** The files of a review, and those not covered, around the selected one. */
export function Files({view, rows}: {readonly view: ReviewView; readonly rows: number}) {
  const theme = useTheme();
  const {review} = view;
  const title = [titleRow(truncate(rangeName(review.range), theme.columns), theme), ''];
  const list = listOf(review);
  const at = list.findIndex((row) => 'file' in row && row.file.id === view.file);
  const selected = Math.max(0, at);
  const authors = rowsOfAuthors(review, theme);
  // The list of files comes first where rows are few.
  const below = rows - title.length - list.length >= authors.length ? authors : [];
  const {from, to} = windowAround(selected, list.length, Math.max(1, rows - title.length - below.length));
  const shown = list.slice(from, to).map((row, index) => {
    if ('file' in row) return fileRow(row.file, from + index === selected, theme);
    if ('title' in row) return titleRow(row.title, theme);
    return theme.paint.dim(truncate(row.text, theme.columns, {position: row.isPath ? 'middle' : 'end'}));
  });
  return (
    <Box flexDirection="column">
      <Rows of={[...title, ...shown, ...below]} />
    </Box>
  );
}

type ListedRow =
  | {readonly file: ReviewedFile}
  | {readonly title: string}
  | {readonly text: string; readonly isPath?: boolean};

/** The rows of the list, of which only those on the screen are drawn. */
const listOf = memoize((review: Review): readonly ListedRow[] => {
  const files = review.files.flatMap((file): ListedRow[] => {
    const state = reviewProgress(review, file);
    return state === '' ? [{file}] : [{file}, {text: `    ${state}`}];
  });
  const uncovered = review.uncovered.map(({path, reason}) => ({text: `  ${path} (${reason})`, isPath: true}));
  return uncovered.length === 0 ? files : [...files, {text: ''}, {title: 'Not covered'}, ...uncovered];
});

function titleRow(words: string, {paint}: Theme): string {
  return paint.bold(paint.dim(words));
}

function fileRow(file: ReviewedFile, isSelected: boolean, theme: Theme): string {
  const {paint, columns} = theme;
  const name = truncate(file.path, columns - 4, {position: 'middle'});
  if (isSelected) return choiceRow(`${STATUS_LETTERS[file.status]} ${name}`, true, theme);
  return `  ${statusLetter(file.status, theme)} ${file.isAccepted ? paint.dim(name) : markEscapes(name, theme)}`;
}

/** Returns who changed how many files. */
function rowsOfAuthors({by = []}: Review, theme: Theme): readonly string[] {
  const {paint, columns} = theme;
  if (by.length === 0) return [];
  const longest = Math.min(widest(by.map(({name}) => name)), columns - 12);
  const rows = by.map(({name, kind, files}) => {
    const row = `  ${padded(truncate(name, longest), longest)}  ${pluralize(files, 'file')}`;
    return kind === 'agent' ? paint.accent(row) : paint.dim(row);
  });
  return ['', titleRow('By', theme), ...rows];
}
