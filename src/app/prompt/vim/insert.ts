import {change, undo} from '../change.ts';
import type {Change, Draft} from '../draft.ts';
import {previousEdge} from '../graphemes.ts';
import {lineStart} from '../lines.ts';

/** Typing begins after the keys of a command. `before` is the draft before it: its own change belongs to the same step for undo. */
export function enterInsert(draft: Draft, before: Draft, keys: readonly string[]): Draft {
  const {caret, text} = draft;
  const inserting = {keys, mark: before.undo.at(-1), from: caret, behind: text.length - caret};
  return {...draft, last: 'other', vim: {...draft.vim, mode: 'insert', pending: [], inserting}};
}

/** Back to normal mode, the caret on what was typed last. */
export function leaveInsert(draft: Draft): Draft {
  const {inserting} = draft.vim;
  const {text, caret} = draft;
  const back = caret > lineStart(text, caret) ? previousEdge(text, caret) : caret;
  const left: Draft = {
    ...draft,
    last: 'other',
    goalColumn: undefined,
    vim: {...draft.vim, mode: 'normal', pending: [], inserting: undefined},
  };
  if (!inserting) return {...left, caret: back};
  const isOnePiece = text.length - caret === inserting.behind && caret >= inserting.from;
  const repeatable = {keys: inserting.keys, inserted: isOnePiece ? text.slice(inserting.from, caret) : ''};
  return {...asOneStep(left, inserting.mark), caret: back, vim: {...left.vim, repeatable}};
}

/** Makes all changes after one of them a single step for undo. */
function asOneStep(draft: Draft, mark: Change | undefined): Draft {
  const since = mark === undefined ? 0 : draft.undo.lastIndexOf(mark) + 1;
  if ((mark !== undefined && since === 0) || draft.undo.length - since < 2) return draft;
  let before = draft;
  while (before.undo.length > since) before = undo(before);
  if (before.text === draft.text) return {...draft, undo: before.undo};
  const {from, to, insert} = difference(before.text, draft.text);
  const made = change({...before, redo: []}, {from, to, insert, caret: draft.caret});
  return {...draft, undo: made.undo};
}

/** What of one text another one has in its place. */
function difference(one: string, other: string): {from: number; to: number; insert: string} {
  const shorter = Math.min(one.length, other.length);
  let from = 0;
  while (from < shorter && one[from] === other[from]) from++;
  let behind = 0;
  while (behind < shorter - from && one[one.length - 1 - behind] === other[other.length - 1 - behind])
    behind++;
  return {from, to: one.length - behind, insert: other.slice(from, other.length - behind)};
}
