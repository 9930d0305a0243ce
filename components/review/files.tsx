import {Box} from 'ink';
import {windowAround} from '../../src/app/pages/scroll.ts';
import {rangeName, type ReviewView} from '../../src/app/review/review-view.ts';
import {STATUS_LETTERS, type Review, type ReviewedFile} from '../../src/session/review.ts';
import {pluralize} from '../../src/text/format.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {selectedRow} from '../layout/lines.ts';
import {Rows} from '../layout/rows.tsx';
import {markEscapes} from '../theme/exact-text.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {reviewProgress, statusLetter} from './review-labels.ts';
import {maxOf} from '../../src/text/lists.ts';

/** The files of a review, and those not covered, around the selected one. */
export function Files({view, rows}: {readonly view: ReviewView; readonly rows: number}) {
  const theme = useTheme();
  const {review} = view;
  const title = [theme.paint.bold(theme.paint.dim(truncate(rangeName(review.range), theme.columns))), ''];
  const {list, selected} = rowsOfFiles(view, theme);
  const authors = rowsOfAuthors(review, theme);
  // The list of files comes first where rows are few.
  const below = rows - title.length - list.length >= authors.length ? authors : [];
  const {from, to} = windowAround(selected, list.length, Math.max(1, rows - title.length - below.length));
  return (
    <Box flexDirection="column">
      <Rows of={[...title, ...list.slice(from, to), ...below]} />
    </Box>
  );
}

function rowsOfFiles(view: ReviewView, theme: Theme) {
  const {paint, columns} = theme;
  const {files, uncovered} = view.review;
  const list: string[] = [];
  let selected = 0;
  for (const file of files) {
    const isSelected = file.id === view.file;
    if (isSelected) selected = list.length;
    list.push(fileRow(file, isSelected, theme));
    const state = reviewProgress(view, file);
    if (state !== '') list.push(paint.dim(`    ${truncate(state, columns - 4)}`));
  }
  if (uncovered.length > 0) list.push('', paint.bold(paint.dim('Not covered')));
  for (const {path, reason} of uncovered)
    list.push(paint.dim(truncate(`  ${path} (${reason})`, columns, {position: 'middle'})));
  return {list, selected};
}

function fileRow(file: ReviewedFile, isSelected: boolean, theme: Theme): string {
  const {paint, symbols, columns} = theme;
  const name = truncate(file.path, columns - 4, {position: 'middle'});
  if (isSelected) return selectedRow(`${symbols.selected} ${STATUS_LETTERS[file.status]} ${name}`, theme);
  return `  ${statusLetter(file.status, theme)} ${file.isAccepted ? paint.dim(name) : markEscapes(name, theme)}`;
}

/** Returns who changed how many files. */
function rowsOfAuthors({by = []}: Review, {paint, columns}: Theme): readonly string[] {
  if (by.length === 0) return [];
  const longest = Math.min(maxOf(by.map(({name}) => width(name))), columns - 12);
  const rows = by.map(({name, kind, files}) => {
    const shown = truncate(name, longest);
    const row = `  ${shown}${' '.repeat(longest - width(shown))}  ${pluralize(files, 'file')}`;
    return kind === 'agent' ? paint.accent(row) : paint.dim(row);
  });
  return ['', paint.bold(paint.dim('By')), ...rows];
}
