import {change, moveTo} from '../change.ts';
import type {Draft} from '../draft.ts';
import {nextEdge} from '../graphemes.ts';
import {firstInLine, lineEnd, lineStart} from '../lines.ts';
import {lineBelow, move, type Moved} from './motions.ts';
import {objectAt} from './objects.ts';
import type {Command, MotionKey, Operator, Target} from './parse.ts';
import type {Register} from './state.ts';
import {isBlank} from './words.ts';

/** What an operator works on. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly isLines: boolean;
}

export type Operation = Extract<Command, {kind: 'operate'}>;

/** What the command takes; undefined where its target is not there. */
export function spanOf(draft: Draft, {operator, target, count}: Operation): Span | undefined {
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
  const moved = move({text, caret, count, sought: draft.vim.sought}, motion);
  return moved && spanTo(draft, moved, target);
}

/** Changing a word leaves the blanks behind it. */
function withinWord({text, caret}: Draft, motion: MotionKey): MotionKey {
  const ends: Readonly<Record<string, string>> = {w: 'e', W: 'E'};
  const end = ends[motion.key];
  if (end === undefined || caret >= text.length || isBlank(text, caret)) return motion;
  return {key: end};
}

function spanTo({text, caret}: Draft, {to, takes}: Moved, target: Target): Span | undefined {
  if (takes === 'lines') return wholeLines(text, Math.min(caret, to), Math.max(caret, to));
  const from = Math.min(caret, to);
  const end = takes === 'with' ? nextEdge(text, Math.max(caret, to)) : Math.max(caret, to);
  const isWord = target.kind === 'motion' && /^w$/i.test(target.motion.key);
  const reached = isWord ? withinLine(text, from, end) : end;
  return reached === from ? undefined : {from, to: reached, isLines: false};
}

/** Words that end a line are taken without what leads to the next one. */
function withinLine(text: string, from: number, to: number): number {
  const taken = text.slice(from, to);
  const line = /^(?:.*\S)?(?=[^\S\n]*\n\s*$)/s.exec(taken)?.[0];
  return line === undefined || line === '' ? to : from + line.length;
}

export function wholeLines(text: string, first: number, last: number): Span {
  return {from: lineStart(text, first), to: lineEnd(text, last), isLines: true};
}

/** Deletes, changes or yanks; a change goes on with typing, which is for the caller to begin. */
export function operate(draft: Draft, operator: Operator, span: Span): Draft {
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

function registerOf({text}: Draft, {from, to, isLines}: Span): Register {
  const taken = text.slice(from, to);
  return {text: isLines ? `${taken}\n` : taken, isLines};
}

/** With the line break behind them, or before the last ones. */
function deleteLines(draft: Draft, {from, to}: Span): Draft {
  const isLast = to === draft.text.length;
  const [start, end] = isLast ? [Math.max(0, from - 1), to] : [from, to + 1];
  const deleted = change(draft, {from: start, to: end, insert: ''});
  return {...deleted, caret: firstInLine(deleted.text, Math.min(from, deleted.text.length))};
}
