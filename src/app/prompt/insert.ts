import {change} from './change.ts';
import type {Draft} from './draft.ts';
import {cleanInput, measurePaste, placeholderAt, placeholderIndex} from './pastes.ts';

/** Inserts typed text at the caret. */
export function insertText(draft: Draft, text: string): Draft {
  const insert = cleanInput(text);
  if (insert === '') return draft;
  return change(draft, {
    from: draft.caret,
    to: draft.caret,
    insert,
    as: insert.includes('\n') ? 'other' : 'typing',
  });
}

/** Inserts a paste at the caret, as one step for undo; a large one as a placeholder. */
export function insertPaste(draft: Draft, pasted: string): Draft {
  const text = cleanInput(pasted);
  if (text === '') return draft;
  const {lines, isLarge} = measurePaste(text);
  const {caret} = draft;
  if (!isLarge) return change(draft, {from: caret, to: caret, insert: text});
  const insert = placeholderAt(draft.pastes.length);
  return {
    ...change(draft, {from: caret, to: caret, insert}),
    pastes: [...draft.pastes, {text, lines}],
  };
}

/** Puts the pasted text in the place of the placeholder that is nearest to the caret. */
export function expandPaste(draft: Draft): Draft {
  let nearest: {readonly from: number; readonly to: number; readonly insert: string} | undefined;
  let distance = Infinity;
  let offset = 0;
  for (const character of draft.text) {
    const from = offset;
    offset += character.length;
    const insert = draft.pastes[placeholderIndex(character, draft.pastes) ?? -1]?.text;
    const away = draft.caret <= from ? from - draft.caret : draft.caret - offset;
    if (insert === undefined || away >= distance) continue;
    distance = away;
    nearest = {from, to: offset, insert};
  }
  return nearest ? change(draft, nearest) : draft;
}

/** Deletes everything; undo brings it back. */
export function clearDraft(draft: Draft): Draft {
  if (draft.text === '') return draft;
  return change(draft, {from: 0, to: draft.text.length, insert: '', browsing: undefined});
}

/** Puts a text in front of what is being typed, as a queued prompt that is taken back; the caret stands at its end. */
export function takeBack(draft: Draft, text: string): Draft {
  const insert = draft.text === '' ? text : `${text}\n${draft.text}`;
  return change(draft, {from: 0, to: draft.text.length, insert, caret: text.length, browsing: undefined});
}
