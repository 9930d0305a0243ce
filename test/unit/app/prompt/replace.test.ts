import {describe, expect, it} from 'vitest';
import {undo} from '../../../../src/app/editor/change.ts';
import {draftOf, draftText, emptyDraft} from '../../../../src/app/editor/draft.ts';
import {insertPaste, insertText, replaceText} from '../../../../src/app/editor/insert.ts';

const pasted = Array.from({length: 20}, (_, line) => `pasted $& ${line}`).join('\n');
const draft = insertText(insertPaste(insertText(emptyDraft, 'look: '), pasted), ' please');

describe('a text that was edited elsewhere', () => {
  it('takes the place of the draft, and one undo brings that back', () => {
    const replaced = replaceText(draftOf('before'), {before: 'before', after: 'after\r\nall'});
    expect(replaced.text).toBe('after\nall');
    expect(replaced.caret).toBe(9);
    expect(undo(replaced).text).toBe('before');
  });

  it('keeps the placeholder of a paste that is in it as it was', () => {
    const before = draftText(draft);
    const replaced = replaceText(draft, {before, after: `${before} now`});
    expect(replaced.text).toBe(`${draft.text} now`);
    expect(draftText(replaced)).toBe(`${before} now`);
  });

  it('holds the text of a paste that was changed', () => {
    const before = draftText(draft);
    const after = before.replace('pasted $& 7', 'changed');
    expect(replaceText(draft, {before, after}).text).toBe(after);
  });

  it('is the same draft when nothing was changed', () => {
    const before = draftText(draft);
    expect(replaceText(draft, {before, after: before})).toBe(draft);
  });

  it('goes in front of a draft that has changed meanwhile', () => {
    const replaced = replaceText(draftOf('meanwhile'), {before: 'given', after: 'edited'});
    expect(replaced.text).toBe('edited\nmeanwhile');
  });
});
