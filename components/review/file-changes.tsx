import {Box} from 'ink';
import type {ReviewView} from '../../src/app/review/review-view.ts';
import type {ReviewedFile} from '../../src/session/review.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {spaceBetween} from '../layout/lines.ts';
import {Row, Rows} from '../layout/rows.tsx';
import {markEscapes} from '../theme/exact-text.ts';
import {useTheme} from '../theme/theme.tsx';
import {rowsOfFileChanges} from './review-diff.ts';
import {noLinesText, sizesLabel, statusLetter} from './review-labels.ts';

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
  const {paint, symbols, columns} = theme;
  const {files} = view.review;
  const place = isAlone && files.length > 1 ? `${files.indexOf(file) + 1}/${files.length} ` : '';
  const from = file.oldPath === undefined ? '' : `${file.oldPath} ${symbols.arrow} `;
  const notes = [...file.notes, ...(file.isAccepted ? ['accepted'] : [])].join(', ');
  const sizes = `${notes === '' ? '' : `${notes}  `}${sizesLabel(file, theme)}`;
  const room = Math.max(8, columns - width(place) - width(sizes) - 3);
  const name = markEscapes(truncate(from + file.path, room, {position: 'start'}), theme);
  const left = `${paint.dim(place)}${statusLetter(file.status, theme)} ${paint.bold(name)}`;
  const changes = rowsOfFileChanges(view, file, {rows: rows - 1, theme});
  const noLines = () => wrap(noLinesText(file, theme), columns - 2).map((line) => `  ${line}`);
  return (
    <Box flexDirection="column">
      <Row text={spaceBetween(left, sizes, columns)} />
      <Rows of={changes.length > 0 ? changes : noLines()} />
    </Box>
  );
}

const SINCE = {
  unreviewed: 'No changes since your last review.',
  session: 'No changes since the first prompt.',
  turn: 'No changes in this turn.',
} as const;

/** Says that there is nothing to review, and what is not covered. */
export function NoChanges({view: {review}}: Pick<FileChangesProps, 'view'>) {
  const {paint, keyOf, columns} = useTheme();
  const first =
    review.uncovered.length === 0 ? SINCE[review.range.kind] : 'No changes in what snapshots cover.';
  const uncovered = review.uncovered.map(({path, reason}) => `Not covered: ${path} (${reason})`);
  const lines = [first, `${keyOf('next_range')} shows another range.`, ...uncovered];
  return <Rows of={lines.flatMap((line) => wrap(line, columns)).map((line) => paint.dim(line))} />;
}
