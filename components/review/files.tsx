import {Box} from 'ink';
import {windowAround} from '../../src/app/pages/scroll.ts';
import {rangeName, type ReviewView} from '../../src/app/review/review-view.ts';
import {STATUS_LETTERS, type Review, type ReviewedFile} from '../../src/session/review.ts';
import {memoize} from '../../src/session/memoize.ts';
import {pluralize} from '../../src/text/format.ts';
import {truncate} from '../../src/text/truncate.ts';
import {padded, widest} from '../../src/text/width.ts';
import {selectedRow} from '../layout/lines.ts';
import {Rows} from '../layout/rows.tsx';
import {markEscapes} from '../theme/exact-text.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {reviewProgress} from '../../src/app/review/review-texts.ts';
import {statusLetter} from './review-labels.ts';

/** The files of a review, and those not covered, around the selected one. */
export function Files({view, rows}: {readonly view: ReviewView; readonly rows: number}) {
  const theme = useTheme();
  const {review} = view;
  const title = [theme.paint.bold(theme.paint.dim(truncate(rangeName(review.range), theme.columns))), ''];
  const list = listOf(review);
  const selected = Math.max(
    0,
    list.findIndex(({file}) => file !== undefined && file === view.file),
  );
  const authors = rowsOfAuthors(review, theme);
  // The list of files comes first where rows are few.
  const below = rows - title.length - list.length >= authors.length ? authors : [];
  const {from, to} = windowAround(selected, list.length, Math.max(1, rows - title.length - below.length));
  const shown = list.slice(from, to).map(({draw}, index) => draw(theme, from + index === selected));
  return (
    <Box flexDirection="column">
      <Rows of={[...title, ...shown, ...below]} />
    </Box>
  );
}

/** A row of the list. */
interface FileRow {
  readonly file?: string;
  readonly draw: (theme: Theme, isSelected: boolean) => string;
}

/** The rows of the list, of which only those on the screen are drawn. */
const listOf = memoize((review: Review): readonly FileRow[] => {
  const list: FileRow[] = [];
  for (const file of review.files) {
    list.push({file: file.id, draw: (theme, isSelected) => fileRow(file, isSelected, theme)});
    const state = reviewProgress(review, file);
    if (state !== '')
      list.push({draw: ({paint, columns}) => paint.dim(`    ${truncate(state, columns - 4)}`)});
  }
  if (review.uncovered.length > 0)
    list.push({draw: () => ''}, {draw: ({paint}) => paint.bold(paint.dim('Not covered'))});
  for (const {path, reason} of review.uncovered)
    list.push({
      draw: ({paint, columns}) => paint.dim(truncate(`  ${path} (${reason})`, columns, {position: 'middle'})),
    });
  return list;
});

function fileRow(file: ReviewedFile, isSelected: boolean, theme: Theme): string {
  const {paint, symbols, columns} = theme;
  const name = truncate(file.path, columns - 4, {position: 'middle'});
  if (isSelected) return selectedRow(`${symbols.selected} ${STATUS_LETTERS[file.status]} ${name}`, theme);
  return `  ${statusLetter(file.status, theme)} ${file.isAccepted ? paint.dim(name) : markEscapes(name, theme)}`;
}

/** Returns who changed how many files. */
function rowsOfAuthors({by = []}: Review, {paint, columns}: Theme): readonly string[] {
  if (by.length === 0) return [];
  const longest = Math.min(widest(by.map(({name}) => name)), columns - 12);
  const rows = by.map(({name, kind, files}) => {
    const row = `  ${padded(truncate(name, longest), longest)}  ${pluralize(files, 'file')}`;
    return kind === 'agent' ? paint.accent(row) : paint.dim(row);
  });
  return ['', paint.bold(paint.dim('By')), ...rows];
}
