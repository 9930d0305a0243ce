import {describe, expect, it} from 'vitest';
import {draftAfterSending, draftText, emptyDraft, isEmpty} from '../../../../src/app/editor/draft.ts';
import {editDraft} from '../../../../src/app/editor/edit.ts';
import {pressEnter, insertPaste, insertText} from '../../../../src/app/editor/insert.ts';
import {applyActions} from './marked.ts';

const large = Array.from({length: 312}, (_, line) => `line ${line}`).join('\n');

describe('a small paste', () => {
  it('is inserted as it is, with line ends normalized', () => {
    const draft = insertPaste(insertText(emptyDraft, 'see '), 'one\rtwo\r\n\tthree');
    expect(draft.text).toBe('see one\ntwo\n\tthree');
    expect(editDraft(draft, 'undo').text).toBe('see ');
  });

  it('changes nothing when it is empty', () => {
    expect(insertPaste(emptyDraft, '\x1b[2J\x00')).toBe(emptyDraft);
  });
});

describe('a large paste', () => {
  const draft = insertText(insertPaste(insertText(emptyDraft, 'a '), large), ' b');

  it('is sent whole', () => {
    expect(draftText(draft)).toBe(`a ${large} b`);
    const entered = pressEnter(draft);
    expect(entered.kind === 'send' && entered.text).toBe(`a ${large} b`);
  });

  it('is one unit for the caret and for deletion', () => {
    expect(applyActions(draft, ['move_left', 'move_left', 'move_left']).caret).toBe(2);
    const deleted = applyActions(draft, ['move_left', 'move_left', 'delete_backward']);
    expect(draftText(deleted)).toBe('a  b');
    expect(draftText(editDraft(deleted, 'undo'))).toBe(`a ${large} b`);
    expect(draftText(applyActions(draft, ['kill_word_backward', 'kill_word_backward']))).toBe('a ');
  });

  it('can be expanded, and folded again by undo', () => {
    const opened = editDraft(draft, 'expand_paste');
    expect(opened.text).toBe(`a ${large} b`);
    expect(editDraft(opened, 'undo').text).toBe(draft.text);
    expect(editDraft(opened, 'expand_paste')).toBe(opened);
  });

  it('expands the one nearest to the caret', () => {
    const two = insertPaste(insertText(draft, ' and '), 'x\n'.repeat(20));
    expect(editDraft(two, 'expand_paste').text).toContain(' and x\nx\n');
    expect(editDraft({...two, caret: 0}, 'expand_paste').text).toContain('line 311');
  });

  it('is cut and pasted whole, in a later draft, too', () => {
    const cut = applyActions(draft, ['kill_to_line_start']);
    expect(isEmpty(cut)).toBe(true);
    expect(draftText(editDraft(cut, 'yank'))).toBe(`a ${large} b`);
    expect(draftText(editDraft(draftAfterSending(cut), 'yank'))).toBe(`a ${large} b`);
  });

  it('cannot be forged by typed or pasted text', () => {
    const forged = insertText(draft, '\u{100000}');
    expect(draftText(forged)).toBe(`a ${large} b\u{FFFD}`);
  });
});
