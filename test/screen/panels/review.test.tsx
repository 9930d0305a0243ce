import {emptyDraft} from '../../../src/app/editor/draft.ts';
import {insertText} from '../../../src/app/editor/insert.ts';
import {describe, expect, test} from 'vitest';
import {spokenText} from '../../../components/layout/spoken.ts';
import {spokenReview} from '../../../components/linear/spoken-review.ts';
import {ReviewFoot} from '../../../components/review/review-foot.tsx';
import {Files} from '../../../components/review/files.tsx';
import {Review, reviewRows} from '../../../components/review/review.tsx';
import {initialReviewView, type ReviewView} from '../../../src/app/review/review-view.ts';
import {width} from '../../../src/text/width.ts';
import {aFile, aHunk, aReview, SESSION_FILE} from '../../support/session/a-review.ts';
import {frameOf} from '../../support/screen/frame-of.tsx';
import {plainTheme} from '../../support/screen/theme.ts';

const [first, second] = SESSION_FILE.hunks;
const COMMENT = {
  path: 'src/session.ts',
  side: 'new',
  line: 41,
  lastLine: 41,
  quote: ['+  pending = start();'],
  text: 'a rejected start should not be shared: retry once',
} as const;
const REVIEW = {
  ...aReview(
    {...SESSION_FILE, hunks: [{...first!, isAccepted: true}, second!]},
    {...aFile('logo.png'), status: 'added' as const, notes: ['binary']},
    aFile('z.txt', aHunk('new', 1, '+new')),
  ),
  uncovered: [{path: 'large.iso', reason: 'too large'}],
  comments: [COMMENT],
};

interface Screen {
  readonly rows?: number;
  readonly news?: string;
}

function shown(columns: number, changes: Partial<ReviewView> = {}, {rows = 24, news}: Screen = {}): string {
  const view = {...initialReviewView('main', REVIEW), ...changes};
  const theme = plainTheme({columns, extent: 'whole'});
  return frameOf(<Review view={view} agentName="Claude" {...reviewRows(rows, news)} />, theme);
}

describe.each([40, 80, 120, 200])('a review on %i columns', (columns) => {
  const all: readonly Partial<ReviewView>[] = [
    {},
    {file: 'logo.png', line: 0},
    {search: 'pending'},
    {selectedFrom: 0},
    {isSideBySide: true},
    {typing: {what: 'comment', draft: insertText(emptyDraft, 'x'.repeat(300))}},
    {typing: {what: 'comment', draft: {...insertText(emptyDraft, 'x'.repeat(300)), caret: 7}}},
    {typing: {what: 'search', draft: emptyDraft}},
    {review: aReview(), file: undefined},
  ];

  test('fits, and takes all rows but one', () => {
    for (const changes of all) {
      const lines = shown(columns, changes).split('\n');
      expect(lines).toHaveLength(23);
      expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(columns);
    }
  });

  test('shows the file, its hunks with their state, and the comment below its line', () => {
    const text = shown(columns);
    expect(text).toContain('src/session.ts');
    expect(text).toMatch(/hunk 1 of 2 +accepted/);
    const rows = text.split('\n');
    const line = rows.findIndex((row) => row.includes('pending = start();'));
    expect(rows[line + 1]).toContain('▌ a rejected start should');
    expect(text).toContain('1 comment');
    expect(text).toContain('a accept · x revert · c comment');
  });
});

test('the keys that do not fit are shown after another key', () => {
  const view = initialReviewView('main', REVIEW);
  const foot = frameOf(<ReviewFoot view={view} />, plainTheme({columns: 80, hints: 2}));
  expect(foot).toMatch(/· v select lines .*· \? more$/);
});

test('shows files with their state, and what is not covered, beside the changes', () => {
  const text = shown(120);
  expect(text).toMatch(/❯ M src\/session.ts/);
  expect(text).toContain('1 of 2 accepted · 1 comment');
  expect(text).toContain('large.iso (too large)');
  expect(text).toContain('Ctrl+S sends it to Claude');
});

test('draws the files around the selected one only', () => {
  const files = Array.from({length: 5000}, (_, index) => aFile(`src/${index}.ts`, aHunk('one', 1, '+new')));
  const view = {...initialReviewView('main', aReview(...files)), file: files[2500]?.id};
  const plain = plainTheme({columns: 40, extent: 'whole'});
  let drawn = 0;
  const warning = (text: string) => (drawn++, text);
  const text = frameOf(<Files view={view} rows={20} />, {...plain, paint: {...plain.paint, warning}});
  expect(text).toContain('❯ M src/2500.ts');
  expect(text).toContain('M src/2495.ts');
  expect(drawn).toBeLessThan(20);
});

test('shows who changed how many files if there is space', () => {
  const by = [
    {name: 'Claude', kind: 'agent', files: 2},
    {name: 'reviewer', kind: 'subagent', files: 1},
  ] as const;
  const review = {...REVIEW, by};
  expect(shown(120, {review})).toMatch(/By[^]*Claude {4}2 files[^]*reviewer {2}1 file/);
  expect(shown(120, {review}, {rows: 10})).not.toContain('Claude    2 files');
  const view = initialReviewView('main', review);
  expect(spokenReview(view, plainTheme())).toContain('Files by: Claude 2, reviewer 1.');
});

test('explains files without lines, and what can be done', () => {
  expect(shown(80, {file: 'logo.png', line: 0})).toContain('Binary. Shift+A accepts and Shift+X reverts');
});

test('says when there are no changes, and which keys do something then', () => {
  const text = shown(80, {review: aReview(), file: undefined});
  expect(text).toContain('No changes since your last review.');
  expect(text.split('\n').at(-1)).toMatch(/^Esc back · u undo · Shift\+C commit/);
});

test('shows what an action has done above the keys, which stay', () => {
  for (const changes of [{}, {review: aReview(), file: undefined}]) {
    const before = shown(80, changes).split('\n');
    const rows = shown(80, changes, {news: 'Reverted z.txt.'}).split('\n');
    expect(rows).toHaveLength(before.length);
    expect(rows.slice(-2)).toEqual(['Reverted z.txt.', before.at(-1)]);
  }
});

test('says what is being done to a hunk', () => {
  const doing = {kind: 'accept', file: 'src/session.ts', hunk: 'two'} as const;
  expect(shown(80, {doing})).toMatch(/hunk 2 of 2 +accepting…/);
  expect(shown(80, {doing: {...doing, kind: 'revert', hunk: undefined}})).toMatch(/hunk 2 of 2 +reverting…/);
});

test('shows the old and the new line in one row side by side', () => {
  expect(shown(200, {isSideBySide: true})).toMatch(/if \(busy\) return; .*pending = start\(\);/);
});

test('draws the rows around the cursor of a long file', () => {
  const lines = Array.from({length: 9000}, (_, index) => `+line ${index}`);
  const long = aReview(aFile('long.txt', aHunk('long', 1, ...lines)));
  const rows = shown(80, {review: long, file: 'long.txt', line: 5000}).split('\n');
  const numbers = rows.flatMap((row) => /line (\d+)/.exec(row)?.[1] ?? []).map(Number);
  expect(numbers).toContain(5000);
  expect(numbers.length).toBeGreaterThan(15);
});

test('keeps a comment whose line has changed below the changes', () => {
  const review = {...REVIEW, comments: [{...COMMENT, quote: ['+  something else']}]};
  expect(shown(120, {review}, {rows: 40})).toContain('Line 41 (changed since): a rejected start');
});

test('is text for a screen reader: the file, the hunk, its lines, and the line of the cursor', () => {
  const view = initialReviewView('main', REVIEW);
  const lines = spokenReview(view, plainTheme()).map(spokenText);
  expect(lines).toEqual(
    expect.arrayContaining([
      'Review: 3 files. Since your last review.',
      'Not covered: large.iso (too large)',
      'File 1 of 3: src/session.ts, modified, 3 added, 3 removed, 1 of 2 accepted · 1 comment',
      'Hunk 2 of 2 of src/session.ts, not accepted:',
      'line 41, removed:   if (busy) return;',
      'line 41, added:   pending = start();',
      'At line 41, removed:   if (busy) return;',
    ]),
  );
});
