import {windowAround} from '../../src/app/pages/scroll.ts';
import {
  linesOf,
  rangeName,
  selectedFile,
  selection,
  type ReviewView,
} from '../../src/app/review/review-view.ts';
import {emptyDraft} from '../../src/app/editor/draft.ts';
import type {Action} from '../../src/app/keymap/keymap.ts';
import {STATUS_LETTERS, type Review, type ReviewedFile, type ReviewStatus} from '../../src/session/review.ts';
import {joinFitting, truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {markEscapes} from '../theme/exact-text.ts';
import {selectedRow, spaceBetween} from '../layout/lines.ts';
import type {Theme} from '../theme/theme.tsx';
import type {CursorPosition} from '../prompt/use-caret.ts';
import {rowsOfFileChanges} from './review-diff.ts';
import {pluralize} from '../../src/text/format.ts';

interface ReviewScreen {
  readonly view: ReviewView;
  /** Rows of the screen. */
  readonly rows: number;
  /** The agent that gets the comments. */
  readonly agentName: string;
  /** A toast, shown above the key hints. */
  readonly news: string | undefined;
}

interface DrawnReview {
  readonly lines: readonly string[];
  /** While something is typed. */
  readonly caret?: CursorPosition;
  /** Rows of visible changes. */
  readonly pageRows: number;
}

const COLUMNS_FOR_FILES = 80;

/** Returns the rows of the review on all rows but one: files on the left if they fit, the changes of one on the right. */
export function drawReview(screen: ReviewScreen, theme: Theme): DrawnReview {
  const {view, rows} = screen;
  const news = drawNews(screen, theme);
  // One row stays free: a frame as tall as the screen would have to be cleared each time.
  const room = Math.max(1, rows - 3 - news.length);
  const isWide = theme.columns >= COLUMNS_FOR_FILES;
  const body = isWide ? drawColumns(view, room, theme) : drawFile(view, {rows: room, isAlone: true}, theme);
  const blank = Array.from({length: Math.max(0, room - body.length)}, () => '');
  return {
    lines: [drawHead(screen, theme), ...body, ...blank, ...news, drawFoot(view, theme)],
    pageRows: Math.max(1, room - 1),
    ...(view.typing && {caret: {x: typed(view, theme).column, y: rows - 2}}),
  };
}

function drawHead({view: {review}, agentName}: ReviewScreen, theme: Theme): string {
  const {paint, symbols, keyOf, columns} = theme;
  const {files, comments} = review;
  const left = ` ${paint.bold('Review')} ${pluralize(files.length, 'file')}  ${countsOf(totalOf(files), theme)}`;
  const count = pluralize(comments.length, 'comment');
  const keys = `${keyOf('send_comments')} sends ${comments.length === 1 ? 'it' : 'them'} to ${agentName}`;
  const long = `${count} ${symbols.dot} ${keys} `;
  const right = width(left) + width(long) < columns ? long : `${count} `;
  const line = spaceBetween(left, comments.length === 0 ? '' : paint.warning(right), columns);
  return paint.surface?.(line + ' '.repeat(Math.max(0, columns - width(line)))) ?? line;
}

function totalOf(files: readonly ReviewedFile[]): Pick<ReviewedFile, 'added' | 'removed'> {
  const sum = (side: 'added' | 'removed') => files.reduce((total, file) => total + file[side], 0);
  return {added: sum('added'), removed: sum('removed')};
}

function countsOf(
  {added, removed}: Pick<ReviewedFile, 'added' | 'removed'>,
  {paint, symbols}: Theme,
): string {
  return `${paint.success(`+${added}`)} ${paint.error(`${symbols.minus}${removed}`)}`;
}

const FILES = {share: 0.28, least: 26, most: 44} as const;

function drawColumns(view: ReviewView, rows: number, theme: Theme): readonly string[] {
  const {paint, symbols, columns} = theme;
  const left = Math.min(FILES.most, Math.max(FILES.least, Math.floor(columns * FILES.share)));
  const files = drawFiles(view, rows, {...theme, columns: left});
  const changes = drawFile(view, {rows, isAlone: false}, {...theme, columns: columns - left - 3});
  const bar = paint.line(symbols.bar);
  return Array.from({length: rows}, (_, row) => {
    const cell = files[row] ?? '';
    return `${cell}${' '.repeat(Math.max(0, left - width(cell)))} ${bar} ${changes[row] ?? ''}`.trimEnd();
  });
}

/** Returns the rows of the files, and those not covered, around the selected one. */
function drawFiles(view: ReviewView, rows: number, theme: Theme): readonly string[] {
  const {paint, columns} = theme;
  const {review} = view;
  const title = [paint.bold(paint.dim(truncate(rangeName(review.range), columns))), ''];
  const lines: string[] = [];
  let selected = 0;
  for (const file of review.files) {
    const isSelected = file.id === view.file;
    if (isSelected) selected = lines.length;
    lines.push(drawFileName(file, isSelected, theme));
    const state = reviewProgress(view, file);
    if (state !== '') lines.push(paint.dim(`    ${truncate(state, columns - 4)}`));
  }
  if (review.uncovered.length > 0) {
    lines.push('', paint.bold(paint.dim('Not covered')));
    for (const {path, reason} of review.uncovered)
      lines.push(paint.dim(truncate(`  ${path} (${reason})`, columns, {position: 'middle'})));
  }
  const authors = drawAuthors(review, theme);
  // The list of files comes first where rows are few.
  const below = rows - title.length - lines.length >= authors.length ? authors : [];
  const {from, to} = windowAround(selected, lines.length, Math.max(1, rows - title.length - below.length));
  return [...title, ...lines.slice(from, to), ...below];
}

/** Who changed how many files. */
function drawAuthors({by = []}: Review, {paint, columns}: Theme): readonly string[] {
  if (by.length === 0) return [];
  const longest = Math.min(Math.max(...by.map(({name}) => width(name))), columns - 12);
  const rows = by.map(({name, kind, files}) => {
    const shown = truncate(name, longest);
    const row = `  ${shown}${' '.repeat(longest - width(shown))}  ${pluralize(files, 'file')}`;
    return kind === 'agent' ? paint.accent(row) : paint.dim(row);
  });
  return ['', paint.bold(paint.dim('By')), ...rows];
}

function drawFileName(file: ReviewedFile, isSelected: boolean, theme: Theme): string {
  const {paint, symbols, columns} = theme;
  const name = truncate(file.path, columns - 4, {position: 'middle'});
  const line = `${isSelected ? symbols.selected : ' '} ${STATUS_LETTERS[file.status]} `;
  if (isSelected) return selectedRow(`${line}${name}`, theme);
  const shown = file.isAccepted ? paint.dim(name) : markEscapes(name, theme);
  return `  ${statusLetter(file.status, theme)} ${shown}`;
}

/** Returns the letter of a file's status, in its color. */
export function statusLetter(status: ReviewStatus, {paint}: Theme): string {
  const letter = STATUS_LETTERS[status];
  if (status === 'added') return paint.success(letter);
  return status === 'deleted' ? paint.error(letter) : paint.warning(letter);
}

/** Returns the progress of reviewing a file; empty before the first action. */
export function reviewProgress({review}: ReviewView, file: ReviewedFile): string {
  const accepted = file.hunks.filter(({isAccepted}) => isAccepted).length;
  const comments = review.comments.filter(({path}) => path === file.path).length;
  return [
    file.isAccepted ? 'accepted' : accepted > 0 ? `${accepted} of ${file.hunks.length} accepted` : '',
    comments === 0 ? '' : pluralize(comments, 'comment'),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

interface FilePlace {
  readonly rows: number;
  /** True if the list of files is not beside it. */
  readonly isAlone: boolean;
}

/** Returns the rows of the selected file's name with its changes below. */
function drawFile(view: ReviewView, {rows, isAlone}: FilePlace, theme: Theme): readonly string[] {
  const {columns} = theme;
  const file = selectedFile(view);
  if (!file) return nothingToShow(view, theme);
  const changes = rowsOfFileChanges(view, file, {rows: rows - 1, theme});
  const rest =
    changes.length > 0 ? changes : wrap(noLinesText(file, theme), columns - 2).map((line) => `  ${line}`);
  return [drawName(file, isAlone ? placeOf(view, file) : '', theme), ...rest];
}

function placeOf({review: {files}}: ReviewView, file: ReviewedFile): string {
  return files.length > 1 ? `${files.indexOf(file) + 1}/${files.length} ` : '';
}

function drawName(file: ReviewedFile, place: string, theme: Theme): string {
  const {paint, symbols, columns} = theme;
  const from = file.oldPath === undefined ? '' : `${file.oldPath} ${symbols.arrow} `;
  const notes = [...file.notes, ...(file.isAccepted ? ['accepted'] : [])].join(', ');
  const counts = `${notes === '' ? '' : `${notes}  `}${countsOf(file, theme)}`;
  const room = Math.max(8, columns - width(place) - width(counts) - 3);
  const name = markEscapes(truncate(from + file.path, room, {position: 'start'}), theme);
  const letter = statusLetter(file.status, theme);
  return spaceBetween(`${paint.dim(place)}${letter} ${paint.bold(name)}`, counts, columns);
}

/** Returns the possible actions on a file without lines. */
export function noLinesText(file: ReviewedFile, {keyOf}: Pick<Theme, 'keyOf'>): string {
  const what = file.notes.length === 0 ? 'No lines to show' : file.notes.join(', ');
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}. ${keyOf('accept_file')} accepts and ${keyOf('revert_file')} reverts the file.`;
}

function nothingToShow({review}: ReviewView, {paint, keyOf, columns}: Theme): readonly string[] {
  const since = {
    unreviewed: 'No changes since your last review.',
    session: 'No changes since the first prompt.',
    turn: 'No changes in this turn.',
  }[review.range.kind];
  const first = review.uncovered.length === 0 ? since : 'No changes in what snapshots cover.';
  const uncovered = review.uncovered.map(({path, reason}) => `Not covered: ${path} (${reason})`);
  return [first, `${keyOf('next_range')} shows another range.`, ...uncovered]
    .flatMap((line) => wrap(line, columns))
    .map((line) => paint.dim(line));
}

/** In order of importance: those that do not fit are left out. */
const KEYS: readonly (readonly [readonly Action[], string])[] = [
  [['accept_hunk'], 'accept'],
  [['revert_hunk'], 'revert'],
  [['comment'], 'comment'],
  [['previous_hunk', 'next_hunk'], 'hunk'],
  [['next_file'], 'file'],
  [['cancel_or_back'], 'back'],
  [['undo_review'], 'undo'],
  [['scroll_line_up', 'scroll_line_down'], 'line'],
  [['accept_file', 'revert_file'], 'whole file'],
  [['edit_at_line'], 'editor'],
  [['next_range'], 'range'],
  [['search'], 'search'],
  [['side_by_side'], 'side by side'],
];

/** Those that do something without any changes. */
const KEYS_WITHOUT_FILES: ReadonlySet<Action> = new Set(['undo_review', 'next_range', 'cancel_or_back']);

/** Returns the rows of the toast in a row of its own, if there are rows for it. */
function drawNews({news, rows}: ReviewScreen, {paint, columns}: Theme): readonly string[] {
  return news === undefined || rows < MIN_ROWS_WITH_NEWS ? [] : [paint.warning(truncate(news, columns))];
}

const MIN_ROWS_WITH_NEWS = 6;

/** Returns the rows of what is being typed, or the keys that fit. */
function drawFoot(view: ReviewView, theme: Theme): string {
  const {paint, symbols, columns, keyOf} = theme;
  if (view.typing) return drawTyping(view, theme);
  if (view.waiting.length > 0) return paint.warning(truncate(waitingText(theme), columns));
  const isEmpty = view.review.files.length === 0;
  const keys = KEYS.filter(([[action]]) => !isEmpty || (action && KEYS_WITHOUT_FILES.has(action)));
  const words = keys.map(([actions, does]) => `${actions.map(keyOf).join(' ')} ${does}`);
  return paint.dim(joinFitting(words, columns, ` ${symbols.dot} `));
}

/** What the keys do while a change waits for the end of the turn. */
export function waitingText({keyOf, symbols}: Pick<Theme, 'keyOf' | 'symbols'>): string {
  const words = [
    'Done when the turn ends',
    `${keyOf('clear_cancel_or_leave')} cancel the turn`,
    `${keyOf('cancel_or_back')} keep the file`,
  ];
  return words.join(` ${symbols.dot} `);
}

function drawTyping(view: ReviewView, theme: Theme): string {
  const {label, before, after} = typed(view, theme);
  return `${theme.paint.accent(label)}${before}${after}`;
}

/** Returns the typed text as far as it fits, and the column of the caret, which stays visible. */
function typed(view: ReviewView, {columns}: Theme) {
  const {what, draft} = view.typing ?? {what: 'search', draft: emptyDraft};
  const long = what === 'search' ? '/' : `Comment on ${selectedLinesName(view)}: `;
  const label = width(long) > columns / 2 ? 'Comment: ' : long;
  // The caret has a cell of its own at the end.
  const room = columns - width(label) - 1;
  const before = truncate(draft.text.slice(0, draft.caret), room, {position: 'start'});
  const after = truncate(draft.text.slice(draft.caret), room - width(before));
  return {label, before, after, column: width(label) + width(before)};
}

/** Returns the selected lines: `line 3` or `lines 3–5`. */
export function selectedLinesName(view: ReviewView): string {
  const lines = linesOf(selectedFile(view));
  const [first, last] = selection(view).map((at) => lines[at]?.newNumber ?? lines[at]?.oldNumber);
  return first === last ? `line ${first}` : `lines ${first}–${last}`;
}
