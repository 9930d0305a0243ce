import {change, moveTo} from '../editor/change.ts';
import type {Draft} from '../editor/draft.ts';
import {nextEdge, firstInLine, lineEnd, lineStart} from '../editor/graphemes.ts';
import {
  lineBelow,
  move,
  type MotionTarget,
  isBlank,
  enclosingPair,
  runEnd,
  runStart,
  type WordSize,
} from './motions.ts';
import type {VimCommand, MotionKey, Operator, OperatorTarget, ObjectKey} from './parse.ts';
import type {Register} from './vim-state.ts';

/** The range that an operator applies to. */
export interface OperatorRange {
  readonly from: number;
  readonly to: number;
  readonly isLines: boolean;
}

type Operation = Extract<VimCommand, {kind: 'operate'}>;

/** Returns the range of a command; undefined if its target does not exist. */
export function spanOf(draft: Draft, {operator, target, count}: Operation): OperatorRange | undefined {
  const {text, caret} = draft;
  if (target.kind === 'object') {
    const range = objectAt(text, caret, target.object);
    return range && {...range, isLines: false};
  }
  if (target.kind === 'lines') {
    const last = lineBelow(text, caret, (count ?? 1) - 1) ?? text.length;
    return wholeLines(text, caret, last);
  }
  const motion = operator === 'c' ? withinWord(draft, target.motion) : target.motion;
  const moved = move({text, caret, count, findCharacter: draft.vim.characterSearch}, motion);
  return moved && spanTo(draft, moved, target);
}

/** `cw` leaves the blanks after the word. */
function withinWord({text, caret}: Draft, motion: MotionKey): MotionKey {
  const ends: Readonly<Record<string, string>> = {w: 'e', W: 'E'};
  const end = ends[motion.key];
  if (end === undefined || caret >= text.length || isBlank(text, caret)) return motion;
  return {key: end};
}

function spanTo(
  {text, caret}: Draft,
  {to, takes}: MotionTarget,
  target: OperatorTarget,
): OperatorRange | undefined {
  if (takes === 'lines') return wholeLines(text, Math.min(caret, to), Math.max(caret, to));
  const from = Math.min(caret, to);
  const end = takes === 'with' ? nextEdge(text, Math.max(caret, to)) : Math.max(caret, to);
  const isWord = target.kind === 'motion' && /^w$/i.test(target.motion.key);
  const reached = isWord ? withinLine(text, from, end) : end;
  return reached === from ? undefined : {from, to: reached, isLines: false};
}

/** An operator on the last word of a line excludes the line break. */
function withinLine(text: string, from: number, to: number): number {
  const taken = text.slice(from, to);
  const line = /^(?:.*\S)?(?=[^\S\n]*\n\s*$)/s.exec(taken)?.[0];
  return line === undefined || line === '' ? to : from + line.length;
}

export function wholeLines(text: string, first: number, last: number): OperatorRange {
  return {from: lineStart(text, first), to: lineEnd(text, last), isLines: true};
}

/** Deletes, changes or yanks; after a change the caller enters insert mode. */
export function operate(draft: Draft, operator: Operator, span: OperatorRange): Draft {
  const register = registerOf(draft, span);
  const kept = {
    ...draft,
    vim: {...draft.vim, register},
    killRing: [...draft.killRing, register.text].slice(-30),
  };
  const {from, to, isLines} = span;
  if (operator === 'y') return moveTo(kept, isLines && draft.vim.mode === 'normal' ? draft.caret : from);
  if (operator === 'c' || !isLines) return change(kept, {from, to, insert: ''});
  return deleteLines(kept, span);
}

function registerOf({text}: Draft, {from, to, isLines}: OperatorRange): Register {
  const taken = text.slice(from, to);
  return {text: isLines ? `${taken}\n` : taken, isLines};
}

/** Includes the line break after the lines, or the one before the last line. */
function deleteLines(draft: Draft, {from, to}: OperatorRange): Draft {
  const isLast = to === draft.text.length;
  const [start, end] = isLast ? [Math.max(0, from - 1), to] : [from, to + 1];
  const deleted = change(draft, {from: start, to: end, insert: ''});
  return {...deleted, caret: firstInLine(deleted.text, Math.min(from, deleted.text.length))};
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const brackets: Readonly<Record<string, string>> = {
  '(': '(',
  ')': '(',
  b: '(',
  '[': '[',
  ']': '[',
  '{': '{',
  '}': '{',
  B: '{',
  '<': '<',
  '>': '<',
};

/** Returns the range of a text object around an offset; undefined for none. */
export function objectAt(text: string, at: number, {key, extent}: ObjectKey): Range | undefined {
  if (key === 'w' || key === 'W') return word(text, at, {size: key === 'w' ? 'small' : 'big', extent});
  const opening = brackets[key];
  if (opening === undefined) return quoted(text, at, {quote: key, extent});
  const found = enclosingPair(text, at, opening);
  if (!found) return undefined;
  return extent === 'inner'
    ? {from: found.open + 1, to: found.close}
    : {from: found.open, to: found.close + 1};
}

function word(
  text: string,
  at: number,
  {size, extent}: {readonly size: WordSize; readonly extent: ObjectKey['extent']},
): Range | undefined {
  if (at >= lineEnd(text, at)) return undefined;
  const inner = {from: runStart(text, at, size), to: runEnd(text, at, size).end};
  if (extent === 'inner') return inner;
  const end = lineEnd(text, at);
  // Includes the blanks after it, or else those before it; for blanks, the word after them.
  if (inner.to < end && isBlank(text, inner.to) !== isBlank(text, at))
    return {from: inner.from, to: runEnd(text, inner.to, size).end};
  const start = lineStart(text, at);
  const hasBlanksBefore = inner.from > start && isBlank(text, inner.from - 1);
  return hasBlanksBefore ? {from: runStart(text, inner.from - 1, size), to: inner.to} : inner;
}

function quoted(
  text: string,
  at: number,
  {quote, extent}: {readonly quote: string; readonly extent: ObjectKey['extent']},
): Range | undefined {
  const start = lineStart(text, at);
  const line = text.slice(start, lineEnd(text, at));
  const places = [...line.matchAll(/\\.|./gsu)].filter(([character]) => character === quote);
  for (let index = 0; index + 1 < places.length; index += 2) {
    const open = start + (places[index]?.index ?? 0);
    const close = start + (places[index + 1]?.index ?? 0);
    if (at > close) continue;
    if (extent === 'inner') return {from: open + 1, to: close};
    const blanks = /^[ \t]*/.exec(text.slice(close + 1))?.[0].length ?? 0;
    return {from: open, to: close + 1 + blanks};
  }
  return undefined;
}
