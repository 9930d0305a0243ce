import {type Hint, hintsOf, type KeyNames} from '../keymap/hints.ts';
import {KEYS_IGNORED} from '../requests/request-phase.ts';
import type {Picker} from '../state.ts';
import {hasFilter, isNumbered, isTyped, openedByItself, takesKeys} from './picker.ts';
import {NEXT_SCOPE} from './session-picker.ts';

/** Returns the keys of a list; `closes` is what the key does that closes it. */
export function pickerHints(picker: Picker, names: KeyNames, closes = 'close'): readonly Hint[] {
  if (!takesKeys(picker)) return [KEYS_IGNORED];
  const {purpose, filter} = picker;
  const key = hintsOf(names);
  const ends = key('cancel_or_back', closes);
  if (purpose.kind === 'agents' && purpose.isFirst)
    return [key('confirm', 'start or install'), 'type to filter', ends];
  const isUnfiltered = hasFilter(picker) && !isTyped(picker) && filter === '';
  return [
    isUnfiltered ? 'Type to filter' : '',
    ...choosingHints(picker, names),
    purpose.kind === 'tasks' ? key('cancel_task', 'cancel') : '',
    ends,
    ...scopeHints(picker, names),
  ];
}

function choosingHints(picker: Picker, names: KeyNames): readonly Hint[] {
  const key = hintsOf(names);
  if (picker.purpose.kind === 'mcp') return [key('switch_server', 'toggle')];
  if (!isNumbered(picker)) return [key('confirm', 'select')];
  if (openedByItself(picker)) return ['number highlight', key('confirm', 'select')];
  return [key('confirm', 'or number select')];
}

const SCOPE_NAMES = {
  folder: 'this folder',
  everywhere: 'all folders',
  archived: 'archived',
} as const;

/** Returns the keys of a list that has scopes. */
function scopeHints({purpose}: Picker, names: KeyNames): readonly Hint[] {
  const hint = hintsOf(names);
  switch (purpose.kind) {
    case 'sessions':
      return [
        hint('switch_scope', SCOPE_NAMES[NEXT_SCOPE[purpose.scope]]),
        hint('ask_agents', 'all agents'),
        hint('session_actions', 'actions'),
      ];
    case 'history':
      return [hint('switch_scope', purpose.scope === 'project' ? 'all projects' : 'this project')];
    default:
      return [];
  }
}
