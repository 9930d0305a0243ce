import {describe, expect, it} from 'vitest';
import {undo} from '../../../../src/app/editor/change.ts';
import {draftOf, draftText, emptyDraft} from '../../../../src/app/editor/draft.ts';
import {insertPaste, insertText, replaceText} from '../../../../src/app/editor/insert.ts';

const pasted = Array.from({length: 20}, (_, line) => `pasted $& ${line}`).join('\n');
const draft = insertText(insertPaste(insertText(emptyDraft, 'look: '), pasted), ' please');

describe('a text edited in an external editor', () => {
  it('replaces the draft, and one undo restores it', () => {
    const replaced = replaceText(draftOf('before'), {before: 'before', after: 'after\r\nall'});
    expect(replaced.text).toBe('after\nall');
    expect(replaced.caret).toBe(9);
    expect(undo(replaced).text).toBe('before');
  });

  it('keeps the placeholder of an unchanged paste', () => {
    const before = draftText(draft);
    const replaced = replaceText(draft, {before, after: `${before} now`});
    expect(replaced.text).toBe(`${draft.text} now`);
    expect(draftText(replaced)).toBe(`${before} now`);
  });

  it('contains the text of a paste that was changed', () => {
    const before = draftText(draft);
    const after = before.replace('pasted $& 7', 'changed');
    expect(replaceText(draft, {before, after}).text).toBe(after);
  });

  it('is the same draft when nothing was changed', () => {
    const before = draftText(draft);
    expect(replaceText(draft, {before, after: before})).toBe(draft);
  });

  it('goes before a draft that has changed meanwhile', () => {
    const replaced = replaceText(draftOf('meanwhile'), {before: 'given', after: 'edited'});
    expect(replaced.text).toBe('edited\nmeanwhile');
  });
});
