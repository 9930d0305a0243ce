import {change} from '../editor/change.ts';
import type {Draft} from '../editor/draft.ts';
import {nextEdge} from '../editor/graphemes.ts';
import {enterInsert, changeSimply, switchCase} from './normal.ts';
import {move} from './motions.ts';
import {objectAt, operate, wholeLines, type OperatorRange} from './operators.ts';
import type {VimCommand, Operator} from './parse.ts';

/** Returns the visual selection, including the character at the caret; undefined outside of visual modes. */
export function selectedSpan({text, caret, vim}: Draft): OperatorRange | undefined {
  if (vim.mode !== 'visual' && vim.mode !== 'visual_line') return undefined;
  const anchor = Math.min(vim.anchor, text.length);
  const [first, last] = [Math.min(anchor, caret), Math.max(anchor, caret)];
  if (vim.mode === 'visual_line') return wholeLines(text, first, last);
  return {from: first, to: nextEdge(text, last), isLines: false};
}

/** Returns where a motion leads; undefined if it is not possible. */
export function motionTarget(
  {text, caret, vim}: Draft,
  {count, motion}: Extract<VimCommand, {kind: 'motion'}>,
): ReturnType<typeof move> {
  return move({text, caret, count, findCharacter: vim.characterSearch}, motion);
}

/** Applies a command to the selection, or changes the selection. */
export function applyInVisual(draft: Draft, command: VimCommand, keys: readonly string[]): Draft {
  switch (command.kind) {
    case 'motion': {
      const moved = motionTarget(draft, command);
      return moved ? {...draft, caret: moved.to} : draft;
    }
    case 'select': {
      const range = objectAt(draft.text, draft.caret, command.object);
      if (!range) return draft;
      const last = Math.max(range.from, range.to - 1);
      return {...draft, caret: last, vim: {...draft.vim, mode: 'visual', anchor: range.from}};
    }
    case 'simple':
      return simply(draft, command, keys);
    case 'operate':
      return draft;
  }
}

const operators: Readonly<Record<string, Operator>> = {d: 'd', x: 'd', c: 'c', s: 'c', y: 'y'};

/** Commands that apply to whole lines. */
const lineOperators: Readonly<Record<string, Operator>> = {D: 'd', X: 'd', C: 'c', S: 'c', Y: 'y'};

function simply(
  draft: Draft,
  command: Extract<VimCommand, {kind: 'simple'}>,
  keys: readonly string[],
): Draft {
  const span = selectedSpan(draft);
  const {key} = command;
  const {vim} = draft;
  if (!span) return draft;
  if (key === 'o') return {...draft, caret: vim.anchor, vim: {...vim, anchor: draft.caret}};
  if (key === 'v' || key === 'V') {
    const mode = key === 'v' ? 'visual' : 'visual_line';
    return {...draft, vim: {...vim, mode: vim.mode === mode ? 'normal' : mode}};
  }
  const operator = operators[key] ?? lineOperators[key];
  const target =
    key in lineOperators ? wholeLines(draft.text, span.from, Math.max(span.from, span.to - 1)) : span;
  const done = operator ? operate(draft, operator, target) : rewritten(draft, span, command);
  if (operator === 'c') return enterInsert(done, draft, keys);
  return {...done, vim: {...done.vim, mode: 'normal'}};
}

/** Replaces the selection by the register, joins its lines, or changes its characters. */
function rewritten(
  draft: Draft,
  {from, to}: OperatorRange,
  command: Extract<VimCommand, {kind: 'simple'}>,
): Draft {
  const selected = draft.text.slice(from, to);
  const {key, character = ''} = command;
  if (key === 'p' || key === 'P') {
    const {register} = draft.vim;
    const insert = register.isLines ? register.text.slice(0, -1) : register.text;
    const replaced = change(draft, {from, to, insert, caret: from});
    return {...replaced, vim: {...replaced.vim, register: {text: selected, isLines: false}}};
  }
  const start = {...draft, caret: from};
  if (key === 'J') return changeSimply(start, {...command, count: selected.split('\n').length}) ?? draft;
  const write: Readonly<Record<string, () => string>> = {
    r: () => selected.replace(/[^\n]/gu, () => character),
    u: () => selected.toLowerCase(),
    U: () => selected.toUpperCase(),
    '~': () => switchCase(selected),
  };
  const insert = write[key]?.();
  return insert === undefined ? draft : change(start, {from, to, insert, caret: from});
}
