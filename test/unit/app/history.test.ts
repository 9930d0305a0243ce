import {describe, expect, it} from 'vitest';
import {addToHistory, emptyHistory, HISTORY_KEPT, historyEntries} from '../../../src/app/editor/history.ts';
import {emptyDraft} from '../../../src/app/editor/draft.ts';
import {editDraft} from '../../../src/app/editor/edit.ts';
import {insertText} from '../../../src/app/editor/insert.ts';
import {at, applyActions, textWithCaret} from './editor/marked.ts';

describe('the history', () => {
  it('keeps each prompt once, at its last use', () => {
    const history = ['a', 'b', 'a', 'a', ' '].reduce(addToHistory, emptyHistory);
    expect(history.project).toEqual(['b', 'a']);
  });

  it('drops the oldest of very many', () => {
    const full = {project: Array.from({length: HISTORY_KEPT}, (_, index) => `${index}`), everywhere: []};
    const {project} = addToHistory(full, 'new');
    expect([project.length, project[0], project.at(-1)]).toEqual([HISTORY_KEPT, '1', 'new']);
  });

  it('continues with prompts of other projects after the project’s own', () => {
    expect(historyEntries({project: ['b'], everywhere: ['a', 'b', 'c']})).toEqual(['a', 'c', 'b']);
  });
});

describe('browsing the history', () => {
  const history = {project: ['first', 'two\nlines', 'last'], everywhere: []};
  const options = {history};

  it('goes back to the oldest and no further, and forward to the draft', () => {
    const typed = at('un|sent');
    const oldest = applyActions(
      typed,
      ['up_or_earlier', 'up_or_earlier', 'up_or_earlier', 'up_or_earlier'],
      options,
    );
    expect(textWithCaret(oldest)).toBe('first|');
    const back = applyActions(oldest, ['down_or_later'], options);
    expect(textWithCaret(back)).toBe('two\nlines|');
    expect(
      textWithCaret(applyActions(back, ['down_or_later', 'down_or_later', 'down_or_later'], options)),
    ).toBe('un|sent');
  });

  it('moves inside a multi-line entry before it leaves it', () => {
    const entry = applyActions(emptyDraft, ['up_or_earlier', 'up_or_earlier'], options);
    expect(textWithCaret(entry)).toBe('two|\nlines');
    expect(textWithCaret(editDraft(entry, 'down_or_later', options))).toBe('two\nlin|es');
    expect(textWithCaret(editDraft(entry, 'up_or_earlier', options))).toBe('first|');
  });

  it('keeps edits of an entry until the draft is sent', () => {
    const changed = insertText(editDraft(emptyDraft, 'up_or_earlier', options), '!');
    const away = applyActions(changed, ['up_or_earlier', 'down_or_later', 'down_or_later'], options);
    expect(textWithCaret(away)).toBe('last!|');
    expect(history.project.at(-1)).toBe('last');
  });

  it('is undone step by step', () => {
    const draft = applyActions(at('un|sent'), ['up_or_earlier', 'undo'], options);
    expect(textWithCaret(draft)).toBe('un|sent');
    expect(textWithCaret(editDraft(draft, 'up_or_earlier', options))).toBe('last|');
  });

  it('does nothing when it is empty', () => {
    const draft = at('un|sent');
    expect(editDraft(draft, 'up_or_earlier')).toBe(draft);
    expect(editDraft(draft, 'down_or_later')).toBe(draft);
  });
});
