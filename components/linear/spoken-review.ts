import {
  linesOf,
  rangeName,
  selectedFile,
  type ReviewLine,
  type ReviewView,
} from '../../src/app/review/review-view.ts';
import type {ReviewedFile} from '../../src/session/review.ts';
import type {Theme} from '../theme/theme.tsx';
import {hintText} from '../../src/app/keymap/hints.ts';
import {
  noLinesText,
  reviewHints,
  reviewProgress,
  selectedLinesName,
  uncoveredTexts,
  waitingText,
} from '../../src/app/review/review-texts.ts';
import {pluralize} from '../../src/text/format.ts';
import {type SpokenLine, spokenOf} from '../layout/spoken.ts';

/** Returns a review for linear output, where changes of the lines are printed. */
export function spokenReview(view: ReviewView, theme: Theme): readonly SpokenLine[] {
  const {review} = view;
  const count = pluralize(review.files.length, 'file');
  const title = `Review: ${count}. ${rangeName(review.range)}.`;
  const file = selectedFile(view);
  const by = (review.by ?? []).map(({name, files}) => `${name} ${files}`).join(', ');
  return [
    title,
    ...(by === '' ? [] : [`Files by: ${by}.`]),
    ...uncoveredTexts(review),
    ...(file
      ? fileLines(view, file, theme)
      : [review.uncovered.length === 0 ? 'No changes.' : 'No changes in what snapshots cover.']),
    hintText(reviewHints(view, theme)),
  ];
}

function fileLines(view: ReviewView, file: ReviewedFile, theme: Theme): readonly SpokenLine[] {
  const {files, comments} = view.review;
  const lines = linesOf(file);
  const here = lines[view.line];
  const parts = [
    file.path,
    file.status,
    ...file.notes,
    `${file.added} added`,
    `${file.removed} removed`,
    reviewProgress(view.review, file),
  ];
  const name = `File ${files.indexOf(file) + 1} of ${files.length}: ${parts.filter((part) => part !== '').join(', ')}`;
  if (!here) return [name, noLinesText(file, theme)];
  const {hunk, hunkIndex} = here;
  const state = hunk.isAccepted ? 'accepted' : 'not accepted';
  const own = lines.filter((line) => line.hunkIndex === hunkIndex);
  const commentText = comments
    .filter(({path}) => path === file.path)
    .map(({line, text}) => `Comment on line ${line}: ${text}`);
  const selected =
    view.selectedFrom === undefined ? `At ${lineText(here)}` : `Selected: ${selectedLinesName(view)}`;
  return [
    name,
    `Hunk ${hunkIndex + 1} of ${file.hunks.length} of ${file.path}, ${state}:`,
    ...spokenOf(`${file.path} ${hunkIndex}`, own.map(lineText)),
    ...commentText,
    selected,
    ...(view.waiting.length > 0 ? [waitingText(theme)] : []),
    ...typingTexts(view, theme),
  ];
}

function typingTexts(view: ReviewView, {keyOf}: Theme): readonly string[] {
  if (view.typing === undefined) return [];
  const [typed, does] = {
    comment: [`a comment on ${selectedLinesName(view)}`, 'save'],
    commit: ['the commit message', 'continue (empty: the agent writes it)'],
    search: ['what to search for', 'search'],
  }[view.typing.what];
  return [`Type ${typed}, ${keyOf('confirm')} ${does}:`];
}

function lineText({kind, text, newNumber, oldNumber}: ReviewLine): string {
  const word = kind === 'context' ? 'unchanged' : kind;
  return `line ${newNumber ?? oldNumber}, ${word}: ${text}`;
}
