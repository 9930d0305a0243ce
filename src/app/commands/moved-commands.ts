import {hintsOf, hintText} from '../keymap/hints.ts';
import {keyFor, keyNames, leaderKeyFor} from '../keymap/key-names.ts';
import type {Action, Keymap} from '../keymap/keymap.ts';
import type {Command} from './command.ts';
import {resume} from './session-commands.ts';
import {settings} from './setting-commands.ts';
import {permissions, review, status} from './view-commands.ts';

/** What was a command of its own before it became part of another one, or is one in other clients. */
interface PartOfCommand {
  /** The name that it had, without the slash. */
  readonly name: string;
  readonly now: Command;
  /** The argument that it is now; what follows the name follows it. */
  readonly argument?: string;
  /** What a key does there. */
  readonly where?: readonly [action: Action, does: string];
  /** True for the word of other clients. */
  readonly isOthers?: true;
}

/** What was a command, and is a key now. */
interface OnlyKey {
  readonly name: string;
  readonly action: Action;
  /** What else does it. */
  readonly or?: string;
}

export type MovedCommand = PartOfCommand | OnlyKey;

const inList = {now: resume, where: ['session_actions', 'lists what can be done with a session']} as const;

/** Each of these names runs what it is now, and says so. */
export const movedCommands: readonly MovedCommand[] = [
  {name: 'find', now: resume},
  {name: 'archive', ...inList},
  {name: 'unarchive', ...inList},
  {name: 'undelete', ...inList},
  {name: 'changes', now: review, argument: 'turn'},
  {name: 'diff', now: review, argument: 'turn'},
  {name: 'vim', now: settings, argument: 'editing'},
  {name: 'statusline', now: settings, argument: 'statusLine', isOthers: true},
  {name: 'keybindings', now: settings, argument: 'keys', isOthers: true},
  {name: 'keymap', now: settings, argument: 'keys', isOthers: true},
  {name: 'hooks', now: settings, argument: 'hooks', isOthers: true},
  {name: 'theme', now: settings, argument: 'theme'},
  {name: 'fullscreen', action: 'toggle_full_screen', or: '/settings screen'},
  {name: 'log', now: status, argument: 'log'},
  {name: 'approve', now: permissions},
  {name: 'retry', action: 'resend'},
  {name: 'history', action: 'search_history'},
];

/** Returns where it is now: `/review turn`, `Ctrl+R`. */
export function placeOf(moved: MovedCommand, keymap: Keymap): string {
  if ('action' in moved) {
    const {action, or} = moved;
    const key = action in keymap.more ? leaderKeyFor(action, keymap) : keyFor(action, keymap);
    return or === undefined ? key : `${key}, or ${or}`;
  }
  const {now, argument = '', where} = moved;
  const typed = `/${now.name} ${argument}`.trimEnd();
  const there = where ? hintText([hintsOf(keyNames(keymap))(...where)]) : '';
  return there === '' ? typed : `${typed}, where ${there}`;
}

/** Says where what was typed is now. */
export function movedText(moved: MovedCommand, keymap: Keymap): string {
  const is = 'isOthers' in moved ? 'is here' : 'is now';
  return `/${moved.name} ${is} ${placeOf(moved, keymap)}.`;
}
