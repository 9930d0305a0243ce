import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {draftText, emptyDraft, type Draft} from '../../../../src/app/editor/draft.ts';
import {editDraft, isEditAction} from '../../../../src/app/editor/edit.ts';
import {clearDraft, insertPaste, insertText} from '../../../../src/app/editor/insert.ts';
import {layoutDraft, rowPieces} from '../../../../src/app/editor/layout.ts';
import {typeVim} from '../vim/typing.ts';
import {graphemes, width} from '../../../../src/text/width.ts';
import {descriptions} from '../../../../src/app/keymap/action-descriptions.ts';

const editActions = Object.keys(descriptions).filter(isEditAction);
const history = {project: ['one', 'two\nlines', '字 wide'], everywhere: ['elsewhere']};
const columns = 12;

const fragment = fc.oneof(
  fc.string({unit: 'grapheme', maxLength: 5}),
  fc.constantFrom(
    'word ',
    '\n',
    '\t',
    '漢字',
    '👩‍👩‍👧',
    '🇩🇪',
    'e',
    '\u0301',
    '\u200d',
    '각',
    'ᄀ',
    '\u{100000}',
    '  ',
  ),
);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...editActions)
      .map((action) => (draft: Draft) => editDraft(draft, action, {history, columns})),
  },
  {weight: 3, arbitrary: fragment.map((text) => (draft: Draft) => insertText(draft, text))},
  {
    weight: 1,
    arbitrary: fragment.map((text) => (draft: Draft) => insertPaste(draft, `${text}\r`.repeat(12))),
  },
  {weight: 1, arbitrary: fc.constant(clearDraft)},
  {
    weight: 2,
    arbitrary: fc
      .string({
        unit: fc.constantFrom(...graphemes('⎋⎋hjklwbe0$gGftddccyyviwaoOAIxpPuJ~r.;,%{}"(V23\n漢')),
        maxLength: 12,
      })
      .map((keys) => (draft: Draft) => typeVim(draft, `⎋${keys}⎋i`, {history, columns})),
  },
);
const drafts = fc
  .array(step, {maxLength: 30})
  .map((steps) => steps.reduce((draft, edit) => edit(draft), emptyDraft));

const edges = (text: string) => {
  const segments = new Intl.Segmenter(undefined, {granularity: 'grapheme'}).segment(text);
  return [...Array.from(segments, ({index}) => index), text.length];
};

describe('any sequence of actions', () => {
  it('leaves the caret at the edge of a grapheme cluster', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        expect(edges(draft.text)).toContain(draft.caret);
      }),
    );
  });

  it('can be undone step by step to nothing, and redone to the same text', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        let back = draft;
        for (let steps = draft.undo.length; steps > 0; steps--) back = editDraft(back, 'undo');
        expect(back.text).toBe('');
        let forth = back;
        while (forth.redo.length > 0) forth = editDraft(forth, 'redo');
        expect(draftText(forth)).toBe(redoneText(draft));
        expect(edges(forth.text)).toContain(forth.caret);
      }),
    );
  });

  it('is undone by one undo if it changed the text', () => {
    fc.assert(
      fc.property(drafts, fc.constantFrom(...editActions), (draft, action) => {
        // Typing and deleting join the previous step; a moved caret starts a new one.
        const settled = {...draft, last: 'other'} as const;
        const edited = editDraft(settled, action, {history, columns});
        fc.pre(edited.text !== draft.text && action !== 'undo' && action !== 'redo');
        const back = editDraft(edited, 'undo');
        expect(back.text).toBe(draft.text);
        expect(back.caret).toBe(draft.caret);
      }),
    );
  });

  it('restores the text when a typed character is deleted again', () => {
    fc.assert(
      fc.property(drafts, fc.constantFrom('x', ' ', '\n', '漢', '😀'), (draft, text) => {
        const typed = insertText(draft, text);
        fc.pre(typed.caret === draft.caret + text.length);
        // After a joiner an emoji merges with the text before it, and is deleted with it.
        fc.pre(graphemes(typed.text.slice(0, typed.caret)).at(-1) === text);
        expect(editDraft(typed, 'delete_backward').text).toBe(draft.text);
      }),
    );
  });

  it('gives the same layout as the same text at once', () => {
    fc.assert(
      fc.property(fc.array(step, {maxLength: 30}), fc.integer({min: 2, max: 20}), (steps, columns) => {
        let draft = emptyDraft;
        for (const edit of steps) {
          draft = edit(draft);
          const {rows} = layoutDraft(draft, columns);
          // Another width makes it drop its cached rows.
          layoutDraft({...draft}, columns + 1);
          expect(layoutDraft({...draft}, columns).rows).toEqual(rows);
        }
      }),
    );
  });

  it('gives rows that fit, with the caret inside, and no text left out', () => {
    fc.assert(
      fc.property(drafts, fc.integer({min: 8, max: 20}), (draft, columns) => {
        const {rows, caret} = layoutDraft(draft, columns);
        expect(caret.row).toBeLessThan(rows.length);
        expect(caret.column).toBeLessThan(columns);
        expect(
          rows.map((row) => draft.text.slice(row.from, row.to) + (row.continues ? '' : '\n')).join(''),
        ).toBe(`${draft.text}\n`);
        for (const row of rows) {
          const shown = rowPieces(draft, row, columns).map((piece) => piece.text);
          expect(width(shown.join(''))).toBeLessThanOrEqual(columns);
        }
      }),
    );
  });
});

/** The result of redoing everything that was undone. */
function redoneText(draft: Draft): string {
  let forth = draft;
  while (forth.redo.length > 0) forth = editDraft(forth, 'redo');
  return draftText(forth);
}
