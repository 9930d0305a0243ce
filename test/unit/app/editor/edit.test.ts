import {describe, expect, it} from 'vitest';
import {draftAfterSending, emptyDraft} from '../../../../src/app/editor/draft.ts';
import {editDraft, type EditAction} from '../../../../src/app/editor/edit.ts';
import {pressEnter, clearDraft, insertText, prependToDraft} from '../../../../src/app/editor/insert.ts';
import {at, applyActions, textWithCaret} from './marked.ts';

describe('moving and deleting', () => {
  it.each<[EditAction, string, string]>([
    ['move_left', 'a👩‍👩‍👧|b', 'a|👩‍👩‍👧b'],
    ['move_right', '|🇩🇪🇫🇷', '🇩🇪|🇫🇷'],
    ['move_left', 'e\u0301|', '|e\u0301'],
    ['move_right', '|각', '각|'],
    ['move_left', '|a', '|a'],
    ['move_right', 'a|', 'a|'],
    ['move_word_left', 'src/app foo.bar|', 'src/app foo.|bar'],
    ['move_word_left', 'one  |', '|one  '],
    ['move_word_right', '|one two', 'one| two'],
    ['move_word_right', 'one|, zwei drei', 'one, zwei| drei'],
    ['move_word_left', '漢字を書く|', '漢字を|書く'],
    ['move_line_start', 'ab\ncd|', 'ab\n|cd'],
    ['move_line_start', '|\nab', '|\nab'],
    ['move_line_end', 'a|b\ncd', 'ab|\ncd'],
    ['move_start', 'ab\nc|d', '|ab\ncd'],
    ['move_end', 'a|b\ncd', 'ab\ncd|'],
    ['delete_backward', 'a👩‍👩‍👧|b', 'a|b'],
    ['delete_backward', 'ab\n|c', 'ab|c'],
    ['delete_forward', '|e\u0301x', '|x'],
    ['delete_forward', 'a|', 'a|'],
    ['kill_word_backward', 'git commit -m|', 'git commit -|'],
    ['kill_blank_word_backward', 'git src/app/x.ts |', 'git |'],
    ['kill_word_forward', 'a| big word', 'a| word'],
    ['kill_to_line_start', 'ab\ncd|e', 'ab\n|e'],
    ['kill_to_line_end', 'a|b\ncd', 'a|\ncd'],
    ['kill_to_line_end', 'ab|\ncd', 'ab|cd'],
    ['new_line', 'a|b', 'a\n|b'],
  ])('%s turns %j into %j', (action, before, after) => {
    expect(textWithCaret(editDraft(at(before), action))).toBe(after);
  });

  it('moves up and down by screen rows, keeping the column', () => {
    const up: readonly EditAction[] = ['up_or_earlier'];
    expect(textWithCaret(applyActions(at('long line\nab\nlonger line|'), up))).toBe(
      'long line\nab|\nlonger line',
    );
    const twice = applyActions(at('long line\nab\nlonger l|ine'), ['up_or_earlier', 'up_or_earlier']);
    expect(textWithCaret(twice)).toBe('long lin|e\nab\nlonger line');
    expect(textWithCaret(applyActions(at('漢字\nab|c'), up))).toBe('漢|字\nabc');
    expect(textWithCaret(applyActions(at('one two thr|ee'), up, {columns: 9}))).toBe('one| two three');
  });
});

describe('killing and yanking', () => {
  it('joins consecutive kills in text order', () => {
    const cut = applyActions(at('one two| three'), [
      'kill_word_backward',
      'kill_word_backward',
      'kill_to_line_end',
    ]);
    expect(textWithCaret(cut)).toBe('|');
    expect(textWithCaret(editDraft(cut, 'yank'))).toBe('one two three|');
  });

  it('cycles through older kills right after a yank', () => {
    const cut = applyActions(at('one two|'), ['kill_word_backward', 'move_start', 'kill_to_line_end']);
    expect(textWithCaret(applyActions(cut, ['yank']))).toBe('one |');
    expect(textWithCaret(applyActions(cut, ['yank', 'yank_earlier']))).toBe('two|');
    expect(textWithCaret(applyActions(cut, ['yank', 'yank_earlier', 'yank_earlier']))).toBe('one |');
    expect(textWithCaret(applyActions(cut, ['yank', 'move_start', 'yank_earlier']))).toBe('|one ');
  });

  it('keeps the kill ring for the next draft', () => {
    const next = draftAfterSending(applyActions(at('keep me|'), ['kill_to_line_start']));
    expect(textWithCaret(next)).toBe('|');
    expect(textWithCaret(editDraft(next, 'yank'))).toBe('keep me|');
  });
});

describe('undo', () => {
  const type = (text: string) => Array.from(text).reduce((draft, key) => insertText(draft, key), emptyDraft);

  it('reverts typing word by word', () => {
    const typed = type('one two');
    expect(textWithCaret(applyActions(typed, ['undo']))).toBe('one |');
    expect(textWithCaret(applyActions(typed, ['undo', 'undo']))).toBe('|');
    expect(textWithCaret(applyActions(typed, ['undo', 'undo', 'redo', 'redo']))).toBe('one two|');
  });

  it('reverts consecutive deletions at once', () => {
    const erased = applyActions(type('one'), ['delete_backward', 'delete_backward']);
    expect(textWithCaret(editDraft(erased, 'undo'))).toBe('one|');
  });

  it('restores a cleared draft', () => {
    expect(textWithCaret(editDraft(clearDraft(at('wor|k')), 'undo'))).toBe('wor|k');
  });

  it('drops the redo history once something else is typed', () => {
    const draft = insertText(editDraft(type('one'), 'undo'), 'x');
    expect(editDraft(draft, 'redo')).toBe(draft);
  });
});

describe('Enter', () => {
  it('sends the text and clears the draft', () => {
    expect(pressEnter(at('do| it'))).toEqual({kind: 'send', text: 'do it', draft: emptyDraft});
  });

  it('replaces a backslash before the caret with a new line', () => {
    const entered = pressEnter(at('one\\|two'));
    expect(entered.kind === 'new_line' && textWithCaret(entered.draft)).toBe('one\n|two');
  });

  it('does nothing for whitespace only', () => {
    expect(pressEnter(at(' \n|'))).toEqual({kind: 'nothing'});
  });
});

it('puts an unqueued prompt before the draft', () => {
  expect(textWithCaret(prependToDraft(emptyDraft, 'first'))).toBe('first|');
  expect(textWithCaret(prependToDraft(at('sec|ond'), 'first'))).toBe('first|\nsecond');
  expect(textWithCaret(prependToDraft(at('sec|ond'), 'a\x1b]0;title\x07b\r\nc'))).toBe('ab\nc|\nsecond');
});

it('removes control characters from typed text', () => {
  expect(insertText(emptyDraft, 'a\x1b[31mb\x00c\x9bd').text).toBe('abc');
  expect(insertText(emptyDraft, 'a\r\nb\rc\td').text).toBe('a\nb\nc\td');
});
