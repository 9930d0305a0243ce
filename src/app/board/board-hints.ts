import {fit, hintsOf, RULE_ENDS, type Hint} from '../keymap/hints.ts';
import {keyNames} from '../keymap/key-names.ts';
import type {Action} from '../keymap/keymap.ts';
import type {AppState} from '../state.ts';
import type {BoardView} from './board-view.ts';

/** What the next session gets. */
const NEXT: readonly (readonly [action: Action, does: string])[] = [
  ['choose_next_agent', 'agent'],
  ['choose_next_folder', 'folder'],
  ['choose_next_level', 'auto-approve'],
  ['switch_next_sandbox', 'sandbox'],
  ['switch_next_worktree', 'worktree'],
];

/** Returns the keys of the board, the most important first. */
export function boardHints({request, keymap}: AppState, {typing}: BoardView): readonly Hint[] {
  const key = hintsOf(keyNames(keymap));
  const back = key('cancel_or_back', 'back');
  if (typing === 'reply') return [key('confirm', 'send'), back];
  return [
    ...(request ? [key('focus_request', 'answer')] : []),
    key('confirm', 'open'),
    ...(typing === 'new' ? [key('reply', 'reply'), key('filter_sessions', 'filter')] : []),
    back,
    key('group_sessions', 'group'),
    ...(typing === 'new' ? NEXT.map((next) => key(...next)) : []),
  ];
}

/** True if not all of them are on the screen at once. */
export function hasMoreHints(state: AppState, board: BoardView): boolean {
  return !fit(boardHints(state, board), (state.screenColumns ?? Infinity) - RULE_ENDS);
}
