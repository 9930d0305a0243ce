import {describe, expect, it} from 'vitest';
import {emptyDraft, type Draft} from '../../../../src/app/editor/draft.ts';
import {insertPaste, insertText} from '../../../../src/app/editor/insert.ts';
import {layoutDraft, rowPieces, promptHeight, viewportOf} from '../../../../src/app/editor/layout.ts';
import {at} from './marked.ts';

function rows(draft: Draft, columns: number): readonly string[] {
  return layoutDraft(draft, columns).rows.map((row) =>
    rowPieces(draft, row, columns)
      .map((piece) => piece.text)
      .join(''),
  );
}

describe('wrapping', () => {
  it.each([
    {text: 'one two three|', columns: 9, expected: ['one two ', 'three'], caret: {row: 1, column: 5}},
    {text: 'abcdefgh|', columns: 5, expected: ['abcd', 'efgh'], caret: {row: 1, column: 4}},
    {text: 'abcd|', columns: 5, expected: ['abcd'], caret: {row: 0, column: 4}},
    {text: 'abcd |', columns: 5, expected: ['abcd ', ''], caret: {row: 1, column: 0}},
    {text: 'abc漢|', columns: 5, expected: ['abc', '漢'], caret: {row: 1, column: 2}},
    {text: 'ab漢|字', columns: 5, expected: ['ab漢', '字'], caret: {row: 1, column: 0}},
    {text: '|', columns: 5, expected: [''], caret: {row: 0, column: 0}},
    {text: 'a\n|', columns: 5, expected: ['a', ''], caret: {row: 1, column: 0}},
    {text: '\t|x', columns: 9, expected: ['    x'], caret: {row: 0, column: 4}},
    {text: '👩‍👩‍👧👩‍👩‍👧|👩‍👩‍👧', columns: 13, expected: ['👩‍👩‍👧👩‍👩‍👧', '👩‍👩‍👧'], caret: {row: 1, column: 0}},
  ])('lays out $text in $columns columns', ({text, columns, expected, caret}) => {
    const draft = at(text);
    expect(rows(draft, columns)).toEqual(expected);
    expect(layoutDraft(draft, columns).caret).toEqual(caret);
  });

  it('runs once for a draft, and not again when only the caret moves', () => {
    const draft = at('some text|');
    expect(layoutDraft(draft, 20)).toBe(layoutDraft(draft, 20));
    expect(layoutDraft({...draft, caret: 0}, 20).rows).toBe(layoutDraft(draft, 20).rows);
    expect(layoutDraft(draft, 5).rows).not.toEqual(layoutDraft(draft, 20).rows);
  });

  it('keeps the labels of two drafts apart', () => {
    const twelve = insertPaste(emptyDraft, 'a\n'.repeat(11));
    const twenty = insertPaste(emptyDraft, 'a\n'.repeat(19));
    expect(rows(twelve, 40)).toEqual(['[Pasted text #1, 12 lines]']);
    expect(rows(twenty, 40)).toEqual(['[Pasted text #1, 20 lines]']);
  });
});

describe('the visible part', () => {
  const draft = insertText(emptyDraft, Array.from({length: 9}, (_, line) => `line ${line}`).join('\n'));

  it('grows to a third of the screen', () => {
    expect(promptHeight(at('a|'), {columns: 80, rows: 24})).toBe(2);
    expect(promptHeight(draft, {columns: 80, rows: 24})).toBe(9);
    expect(promptHeight(draft, {columns: 80, rows: 100})).toBe(10);
    expect(promptHeight(draft, {columns: 20, rows: 5})).toBe(1);
  });

  it('scrolls only as far as the caret requires', () => {
    const screen = {columns: 80, rows: 12};
    const top = (caret: number, before: number) =>
      viewportOf(layoutDraft({...draft, caret}, screen.columns), screen, before).top;
    expect(top(draft.text.length, 0)).toBe(5);
    expect(top(7 * 6, 5)).toBe(5);
    expect(top(7 * 2, 5)).toBe(2);
    expect(top(0, 5)).toBe(0);
  });
});
