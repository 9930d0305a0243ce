import type {KeyPress} from '../input/keys.ts';
import {change, redo} from '../editor/change.ts';
import type {Draft} from '../editor/draft.ts';
import {editDraft, type EditOptions} from '../editor/edit.ts';
import {clusters, lineEnd, onCharacter} from '../editor/graphemes.ts';
import {insertText} from '../editor/insert.ts';
import {enterInsert, leaveInsert, beginInsert, changeSimply, repeat} from './normal.ts';
import {operate, spanOf} from './operators.ts';
import {parse, type VimCommand, type MotionKey} from './parse.ts';
import type {VimState} from './vim-state.ts';
import {applyInVisual, motionTarget} from './visual.ts';

/** Named keys and their vim equivalents. */
const namedKeys: Readonly<Record<string, string>> = {
  left: 'h',
  right: 'l',
  backspace: 'h',
  delete: 'x',
  home: '0',
  end: '$',
};

/** Named keys and their vim equivalents while a command waits for a motion, or for a character. */
const motionKeys: typeof namedKeys = {...namedKeys, up: 'k', down: 'j'};
const characterKeys: typeof namedKeys = {enter: '\n', tab: '\t', space: ' '};

function meantBy(name: string | undefined, {pending}: VimState): string | undefined {
  const awaited = pending.at(-1);
  const meanings = awaited === undefined ? namedKeys : /^[rfFtT]$/.test(awaited) ? characterKeys : motionKeys;
  return meanings[name ?? ''];
}

/** True for the key that searches the history, as in a shell's Vim mode. */
export function searchesHistory({vim}: Draft, key: KeyPress): boolean {
  return vim.mode === 'normal' && vim.pending.length === 0 && key.text === '/' && !key.ctrl && !key.alt;
}

/** Applies a key outside of insert mode; undefined for keys that work the same in every mode. Pure. */
export function pressVim(draft: Draft, key: KeyPress, options: EditOptions): Draft | undefined {
  if (draft.vim.mode === 'insert') return undefined;
  const isPlain = !key.ctrl && !key.alt;
  if (key.ctrl && !key.alt && key.name === 'r') return onLine(redo(withPending(draft, [])));
  const typed = (isPlain && meantBy(key.name, draft.vim)) || key.text;
  // A key that cannot continue a command only cancels it: Enter must not send there.
  if (
    isPlain &&
    typed === '' &&
    key.name !== undefined &&
    key.name !== 'escape' &&
    draft.vim.pending.length > 0
  )
    return withPending(draft, []);
  if (!isPlain || typed === '') return undefined;
  let result = draft;
  // Keys typed fast arrive together.
  for (const {segment} of clusters(typed)) {
    result = result.vim.mode === 'insert' ? insertText(result, segment) : pressOne(result, segment, options);
  }
  return result;
}

/** Esc: leaves one state at a time. Undefined if there is nothing to leave. */
export function leaveVimMode(draft: Draft): Draft | undefined {
  const {mode, pending} = draft.vim;
  if (mode === 'insert') return leaveInsert(draft);
  if (pending.length > 0) return withPending(draft, []);
  return mode === 'normal' ? undefined : withVim(draft, {mode: 'normal'});
}

/** Returns the draft in insert mode, for when vim mode is turned off. */
export function inInsertMode(draft: Draft): Draft {
  return draft.vim.mode === 'insert' ? draft : withVim(draft, {mode: 'insert', pending: []});
}

function pressOne(draft: Draft, character: string, options: EditOptions): Draft {
  const keys = [...draft.vim.pending, character === ' ' && draft.vim.pending.length === 0 ? 'l' : character];
  const isNormal = draft.vim.mode === 'normal';
  const command = parse(keys, isNormal ? 'normal' : 'visual');
  if (command === 'incomplete') return withPending(draft, keys);
  const ready = withPending(draft, []);
  if (command === 'unknown') return ready;
  const known = remembering(ready, command);
  const done = byRows(known, command, options) ?? run(known, command, keys);
  return done.vim.mode === 'insert' ? done : onLine(done);
}

function run(draft: Draft, command: VimCommand, keys: readonly string[]): Draft {
  if (draft.vim.mode !== 'normal') return applyInVisual(draft, command, keys);
  switch (command.kind) {
    case 'motion': {
      const moved = motionTarget(draft, command);
      // The caret can't be after the last character of a line, but `$` sticks to line ends.
      const goalColumn = command.motion.key === '$' ? Infinity : undefined;
      return moved ? {...draft, caret: moved.to, last: 'other', goalColumn} : draft;
    }
    case 'operate': {
      const span = spanOf(draft, command);
      // Changing an empty range still enters insert mode.
      if (!span)
        return command.operator === 'c' && isLetterRight(command) ? enterInsert(draft, draft, keys) : draft;
      const done = operate(draft, command.operator, span);
      if (command.operator === 'c') return enterInsert(done, draft, keys);
      return command.operator === 'y' ? done : repeatable(done, keys);
    }
    case 'simple':
      return simply(draft, command, keys);
    case 'select':
      return draft;
  }
}

/** `cl` and `C` at the end of a line. */
function isLetterRight({target}: Extract<VimCommand, {kind: 'operate'}>): boolean {
  return target.kind === 'motion' && /^[l$]$/.test(target.motion.key);
}

function simply(
  draft: Draft,
  command: Extract<VimCommand, {kind: 'simple'}>,
  keys: readonly string[],
): Draft {
  const {key, count} = command;
  if (key === '.') return again(draft, count);
  if (key === 'v' || key === 'V')
    return withVim(draft, {mode: key === 'v' ? 'visual' : 'visual_line', anchor: draft.caret});
  const begun = beginInsert(draft, key);
  if (begun) return enterInsert(begun, draft, keys);
  const changed = changeSimply(draft, command) ?? draft;
  return key === 'u' || changed === draft ? changed : repeatable(changed, keys);
}

/** Repeats the last change; a count replaces the original one. */
function again(draft: Draft, count: number | undefined): Draft {
  const last = draft.vim.repeatable;
  if (!last) return draft;
  const keys =
    count === undefined ? last.keys : [...String(count).split(''), ...last.keys.slice(digitsOf(last.keys))];
  const command = parse(keys, 'normal');
  if (typeof command === 'string') return draft;
  const done = run(draft, command, keys);
  if (done.vim.mode !== 'insert') return done;
  const {caret} = done;
  const typed = last.inserted === '' ? done : change(done, {from: caret, to: caret, insert: last.inserted});
  return leaveInsert(typed);
}

function digitsOf(keys: readonly string[]): number {
  const first = keys.findIndex((key) => !/^\d$/.test(key));
  return keys[0] === '0' ? 0 : first;
}

/** Up and down move by displayed rows, and through the history at the edges. */
function byRows(draft: Draft, command: VimCommand, options: EditOptions): Draft | undefined {
  if (command.kind !== 'motion') return undefined;
  const action = {j: 'down_or_later', k: 'up_or_earlier'}[command.motion.key] as
    'down_or_later' | 'up_or_earlier' | undefined;
  return action && repeat(draft, command.count ?? 1, (draft) => editDraft(draft, action, options));
}

function remembering(draft: Draft, command: VimCommand): Draft {
  const motion = motionOf(command);
  if (motion?.character === undefined) return draft;
  const sought = {key: motion.key, character: motion.character} as NonNullable<VimState['characterSearch']>;
  return withVim(draft, {characterSearch: sought});
}

function motionOf(command: VimCommand): MotionKey | undefined {
  if (command.kind === 'motion') return command.motion;
  return command.kind === 'operate' && command.target.kind === 'motion' ? command.target.motion : undefined;
}

function repeatable(draft: Draft, keys: readonly string[]): Draft {
  return withVim(draft, {repeatable: {keys, inserted: ''}});
}

/** Outside insert mode the caret is on a character, if its line has any. */
function onLine(draft: Draft): Draft {
  const caret =
    draft.caret === lineEnd(draft.text, draft.caret) ? onCharacter(draft.text, draft.caret) : draft.caret;
  return caret === draft.caret ? draft : {...draft, caret};
}

function withPending(draft: Draft, pending: readonly string[]): Draft {
  return pending.length === 0 && draft.vim.pending.length === 0 ? draft : withVim(draft, {pending});
}

function withVim(draft: Draft, vim: Partial<VimState>): Draft {
  return {...draft, vim: {...draft.vim, ...vim}};
}
