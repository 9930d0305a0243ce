import {change, moveTo, undo} from '../editor/change.ts';
import type {Draft} from '../editor/draft.ts';
import {edgeAtOrAfter, nextEdge, firstInLine, lineEnd, lineStart, previousEdge} from '../editor/graphemes.ts';
import type {VimCommand} from './parse.ts';
import type {DraftChange} from '../editor/undo-step.ts';

type Simple = Extract<VimCommand, {kind: 'simple'}>;

/** Runs commands that change the text and stay in normal mode; undefined for any other. */
export function changeSimply(draft: Draft, {key, count = 1, character}: Simple): Draft | undefined {
  switch (key) {
    case 'p':
    case 'P':
      return put(draft, key, count);
    case 'u':
      return repeat(draft, count, undo);
    case 'J':
      return repeat(draft, Math.max(1, count - 1), join);
    case '~':
      return rewrite(draft, count, (text) => switchCase(text)) ?? draft;
    case 'r':
      return replace(draft, count, character ?? '');
    default:
      return undefined;
  }
}

/** Replaces `count` characters by one each, all of them or none; a line break replaces them all at once. */
function replace(draft: Draft, count: number, written: string): Draft {
  const splits = written === '\n';
  const replaced = rewrite(draft, count, (text) =>
    clustersOf(text) === count ? written.repeat(splits ? 1 : count) : '',
  );
  if (!replaced || splits) return replaced ?? draft;
  return {...replaced, caret: Math.max(draft.caret, replaced.caret - written.length)};
}

/** Repeats a step `count` times, or until it has no effect. */
export function repeat(draft: Draft, count: number, step: (draft: Draft) => Draft): Draft {
  let result = draft;
  for (let done = 0; done < count; done++) {
    const next = step(result);
    if (next === result) break;
    result = next;
  }
  return result;
}

/** Returns the draft at the position where a key starts insert mode; `o` and `O` open a line. Undefined for other keys. */
export function beginInsert(draft: Draft, key: string): Draft | undefined {
  const {text, caret} = draft;
  switch (key) {
    case 'i':
      return moveTo(draft, caret);
    case 'a':
      return moveTo(draft, Math.min(lineEnd(text, caret), nextEdge(text, caret)));
    case 'I':
      return moveTo(draft, firstInLine(text, caret));
    case 'A':
      return moveTo(draft, lineEnd(text, caret));
    case 'o': {
      const end = lineEnd(text, caret);
      return change(draft, {from: end, to: end, insert: '\n'});
    }
    case 'O': {
      const start = lineStart(text, caret);
      return change(draft, {from: start, to: start, insert: '\n', caret: start});
    }
    default:
      return undefined;
  }
}

/** Length of what a count repeats, in UTF-16 units; any text is put once. */
const MAX_PUT = 1_000_000;

function put(draft: Draft, key: 'p' | 'P', count: number): Draft {
  const {text, caret, vim} = draft;
  const {text: register} = vim.register;
  const insert = register.repeat(Math.min(count, Math.ceil(MAX_PUT / Math.max(1, register.length))));
  if (insert === '') return draft;
  if (!vim.register.isLines) {
    const at = key === 'P' ? caret : Math.min(lineEnd(text, caret), nextEdge(text, caret));
    const put = change(draft, {from: at, to: at, insert});
    return {...put, caret: Math.max(at, edgeAtOrAfter(put.text, put.caret - 1))};
  }
  if (key === 'P')
    return atLine(change(draft, {from: lineStart(text, caret), to: lineStart(text, caret), insert}), caret);
  const end = lineEnd(text, caret);
  const below = change(draft, {from: end, to: end, insert: `\n${insert.slice(0, -1)}`});
  return {...below, caret: firstInLine(below.text, end + 1)};
}

function atLine(draft: Draft, offset: number): Draft {
  return {...draft, caret: firstInLine(draft.text, offset)};
}

/** Joins this line and the next with a blank. */
function join(draft: Draft): Draft {
  const {text, caret} = draft;
  const end = lineEnd(text, caret);
  if (end === text.length) return draft;
  const blanks = /^[^\S\n]*/.exec(text.slice(end + 1))?.[0].length ?? 0;
  const next = end + 1 + blanks;
  const insert = /\s/.test(text.charAt(end - 1)) || next === lineEnd(text, next) ? '' : ' ';
  return change(draft, {from: end, to: next, insert, caret: end});
}

/** Replaces characters from the caret on; undefined if the line is too short. */
function rewrite(draft: Draft, count: number, write: (text: string) => string): Draft | undefined {
  const {text, caret} = draft;
  const end = lineEnd(text, caret);
  let to = caret;
  for (let done = 0; done < count && to < end; done++) to = nextEdge(text, to);
  const insert = write(text.slice(caret, to));
  if (to === caret || insert === '') return undefined;
  return change(draft, {from: caret, to, insert});
}

function clustersOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = nextEdge(text, at)) count++;
  return count;
}

/** Swaps upper and lower case. */
export function switchCase(text: string): string {
  return text.replace(/\p{L}/gu, (letter) => {
    const upper = letter.toUpperCase();
    return letter === upper ? letter.toLowerCase() : upper;
  });
}

/** Enters insert mode after a command. `before` is the draft before it: the command and the typing are one undo step. */
export function enterInsert(draft: Draft, before: Draft, keys: readonly string[]): Draft {
  const {caret, text} = draft;
  const inserting = {keys, mark: before.undo.at(-1), from: caret, behind: text.length - caret};
  return {...draft, last: 'other', vim: {...draft.vim, mode: 'insert', pending: [], inserting}};
}

/** Returns to normal mode, with the caret on the last typed character. */
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
function asOneStep(draft: Draft, mark: DraftChange | undefined): Draft {
  const since = mark === undefined ? 0 : draft.undo.lastIndexOf(mark) + 1;
  if ((mark !== undefined && since === 0) || draft.undo.length - since < 2) return draft;
  let before = draft;
  while (before.undo.length > since) before = undo(before);
  if (before.text === draft.text) return {...draft, undo: before.undo};
  const {from, to, insert} = difference(before.text, draft.text);
  const made = change({...before, redo: []}, {from, to, insert, caret: draft.caret});
  return {...draft, undo: made.undo};
}

/** Returns the differing range of two texts. */
function difference(one: string, other: string): {from: number; to: number; insert: string} {
  const shorter = Math.min(one.length, other.length);
  let from = 0;
  while (from < shorter && one[from] === other[from]) from++;
  let behind = 0;
  while (behind < shorter - from && one[one.length - 1 - behind] === other[other.length - 1 - behind])
    behind++;
  return {from, to: one.length - behind, insert: other.slice(from, other.length - behind)};
}
