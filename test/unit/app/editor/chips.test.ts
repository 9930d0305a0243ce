import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Attachment} from '../../../../src/session/content/attachment.ts';
import {draftFiles, draftParts, draftText, emptyDraft} from '../../../../src/app/editor/draft.ts';
import {editDraft} from '../../../../src/app/editor/edit.ts';
import {
  insertFiles,
  insertPaste,
  insertText,
  prependToDraft,
  updateFiles,
} from '../../../../src/app/editor/insert.ts';
import {layoutDraft, rowPieces} from '../../../../src/app/editor/layout.ts';
import {at, applyActions} from './marked.ts';

const file = (name: string, more: Partial<Attachment> = {}): Attachment => ({
  path: `/project/${name}`,
  name,
  kind: 'file',
  ...more,
});

/** A draft with files at its caret. */
function attached(marked: string, ...files: readonly Attachment[]) {
  const draft = at(marked);
  return insertFiles(draft, files, {from: draft.caret, to: draft.caret});
}

/** What the user sees of a draft. */
function shown(draft: typeof emptyDraft, columns = 80): string {
  return layoutDraft(draft, columns)
    .rows.flatMap((row) => rowPieces(draft, row, columns))
    .map(({text}) => text)
    .join('');
}

describe('an attached file', () => {
  test('is one unit for the caret and for deletion', () => {
    const draft = attached('see |now', file('src/a.ts'));
    expect(draftText(draft)).toBe('see @src/a.ts now');
    const back = applyActions(draft, ['move_left', 'move_left']);
    expect(back.caret).toBe(4);
    expect(draftText(applyActions(draft, ['move_left', 'delete_backward']))).toBe('see  now');
    expect(draftText(editDraft(back, 'delete_forward'))).toBe('see  now');
    expect(draftText(applyActions(draft, ['move_left', 'delete_backward', 'undo']))).toBe(
      'see @src/a.ts now',
    );
  });

  test('is sent with the draft while it is in it, once', () => {
    const draft = attached('|', file('a'), file('b'), file('a'));
    expect(draftFiles(draft).map(({name}) => name)).toEqual(['a', 'b']);
    const less = applyActions(draft, ['move_start', 'move_right', 'move_right', 'delete_forward']);
    expect(draftFiles(less).map(({name}) => name)).toEqual(['a']);
    expect(draftFiles(editDraft(less, 'undo'))).toHaveLength(2);
  });

  test.each([
    ['its name and size', file('src/a.ts', {size: 1536}), '[src/a.ts, 1.5 KiB] '],
    ['only its name before its size is known', file('src/a.ts'), '[src/a.ts] '],
    ['its lines', file('a.ts', {size: 9, lines: {first: 3, last: 8}}), '[a.ts, lines 3-8] '],
    ['its kind', file('a.png', {kind: 'image', size: 10}), '[a.png, image, 10 B] '],
    ['its kind', file('src/', {kind: 'folder'}), '[src/, folder] '],
    ['no control characters', file('a\x1b[31mb\u202e'), '[ab\ufffd] '],
  ])('shows %s', (_what, attachment, label) => {
    expect(shown(attached('|', attachment))).toBe(label);
  });

  test('is cut in a narrow prompt, also with wide characters', () => {
    const narrow = attached('|', file('漢字漢字漢字漢字漢字.md', {size: 1}));
    expect(layoutDraft(narrow, 12).rows.map((row) => rowPieces(narrow, row, 12)[0]?.text)[0]).toMatch(
      /^\[漢字漢字….*$/,
    );
  });

  test('does not change the numbers of pastes', () => {
    const draft = insertPaste(attached('|', file('a')), 'x\n'.repeat(20));
    expect(shown(draft)).toContain('[Pasted text #1, 21 lines]');
  });

  test('gets its size later', () => {
    const draft = updateFiles(attached('|', file('a')), [file('a', {size: 10, kind: 'image'})]);
    expect(shown(draft)).toBe('[a, image, 10 B] ');
    expect(updateFiles(draft, [file('other')])).toBe(draft);
  });

  test('can be expanded into text', () => {
    const draft = editDraft(attached('|', file('a b.ts')), 'expand_paste');
    expect(draft.text).toBe('@"a b.ts" ');
    expect(draftFiles(draft)).toEqual([]);
  });
});

test('an attached file is restored from the queue with its text', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom('see ', 'x', '\n', ' and ').map((text) => ({text})),
      fc.constantFrom('a', 'src/b.ts', 'with blank.md').map((name) => ({name})),
    ),
    {maxLength: 8},
  );
  fc.assert(
    fc.property(pieces, (list) => {
      const draft = list.reduce(
        (made, piece) =>
          'text' in piece
            ? insertText(made, piece.text)
            : insertFiles(made, [file(piece.name)], {from: made.caret, to: made.caret}),
        emptyDraft,
      );
      const back = prependToDraft(emptyDraft, draftText(draft), draftParts(draft));
      expect(draftText(back)).toBe(draftText(draft));
      expect(draftFiles(back)).toEqual(draftFiles(draft));
    }),
  );
});
