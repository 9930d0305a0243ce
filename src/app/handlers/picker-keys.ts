import {emitEvent, moveFocus, nothing, perform, combine, type Reaction} from '../effects.ts';
import {toast} from '../status/toasts.ts';
import {sessionListKey} from '../pickers/session-picker.ts';
import type {KeyEvent} from '../input/keys.ts';
import {actionFor, type Action} from '../keymap/keymap.ts';
import {mcpKey} from '../pickers/mcp-picker.ts';
import {taskKey} from '../pickers/task-picker.ts';
import {
  chooseItem,
  hasFilter,
  isNumbered,
  openedByItself,
  openPicker,
  pickerContext,
  selectedItem,
  takesKeys,
  visibleItems,
} from '../pickers/picker.ts';
import {scrollDistance} from '../pages/scroll.ts';
import {clusters} from '../editor/graphemes.ts';
import {oneLine} from '../editor/one-line.ts';
import {otherScope} from '../pickers/history-search.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Picker} from '../state.ts';
import {globalKey} from './global-keys.ts';
import {TOO_SOON} from '../requests/request-guard.ts';
import {typeIntoPrompt, performInPrompt} from './prompt-keys.ts';
import {submitPrompt} from '../queue/queue.ts';
import {agentCommandText, customCommandText} from '../commands/parse-command.ts';
import {findOwnCommand} from '../commands/index.ts';
import {change} from '../editor/change.ts';
import type {Draft} from '../editor/draft.ts';
import {runLeaderAction} from './leader-keys.ts';

/** Number of items per page. */
const PAGE = 10;

/** Keys of a list: typing filters it. In a list that opened by itself, typing goes to the prompt. */
export function pickerKey(state: AppState, key: KeyEvent, picker: Picker): Reaction {
  const action = key.kind === 'key' ? actionFor(pickerContext(picker), key, state.keymap) : undefined;
  const selected = moved(action, picker);
  if (selected !== undefined) return select(selected);
  if (action === 'confirm') return confirm(state, picker, key.at);
  const numbered = numberedItem(state, picker, key);
  if (numbered) return numbered;
  if (!hasFilter(picker)) {
    return action === undefined
      ? typeIntoPrompt(state, behindDigits(key, picker))
      : globalKey(state, action, key.at);
  }
  const tab = activeSession(state);
  const own =
    sessionListKey({action, picker, state, at: key.at}) ??
    mcpKey(tab, action, picker) ??
    taskKey(state, {action, picker, at: key.at});
  if (own) return own;
  if (action === 'cancel_or_back' && 'back' in picker.purpose)
    return combine(
      emitEvent({type: 'overlay_closed', at: key.at}),
      perform({kind: 'show_settings', ...picker.purpose.back}),
    );
  if (action === 'filter_erase') return filtered(eraseLast(picker.filter));
  if (action === 'filter_clear') return filtered('');
  if (action === 'switch_scope') return openPicker(otherScope(state.history, picker));
  if (action === undefined && key.text !== '') return filtered(picker.filter + oneLine(key.text));
  return globalKey(state, action, key.at);
}

/**
 * Selects the item with the pressed number; in a list that opened by itself it is only highlighted, since a prompt may start with a digit. A digit pressed
 * before the list was drawn is text.
 */
function numberedItem(state: AppState, picker: Picker, key: KeyEvent): Reaction | undefined {
  if (key.kind !== 'key' || !isNumbered(picker) || !takesKeys(picker)) return undefined;
  if (actionFor('sign_in', key, state.keymap) !== 'choose_by_number') return undefined;
  const selected = Number(key.name) - 1;
  const isThere = selected < picker.items.length;
  const none = isThere ? nothing : toast('No item has this number.', key.at);
  if (!openedByItself(picker)) return isThere ? confirm(state, {...picker, selected}, key.at) : none;
  const digits = (picker.digits ?? '') + key.text;
  return combine(none, emitEvent({type: 'picker_changed', change: {...(isThere && {selected}), digits}}));
}

/** Returns the text with the digits that were typed before it. */
function behindDigits(key: KeyEvent, {digits = ''}: Picker): KeyEvent {
  if (digits === '' || key.text === '') return key;
  const text = digits + key.text;
  // Under another name, so that it matches no key binding of the prompt.
  return key.kind === 'key' ? {...key, name: text, text} : {...key, text};
}

function confirm(state: AppState, picker: Picker, at: number): Reaction {
  const item = selectedItem(picker);
  if (!item) return nothing;
  if (!takesKeys(picker)) return toast(TOO_SOON, at);
  if (item.disabled !== undefined) return toast(item.disabled, at);
  const closed = item.keepsOpen ? nothing : emitEvent({type: 'overlay_closed', at});
  const chosen =
    picker.purpose.kind === 'palette'
      ? runPaletteItem(state, item.id, at)
      : chooseItem(item, {state, tab: activeSession(state), picker, at});
  return combine(closed, chosen);
}

function filtered(filter: string): Reaction {
  return emitEvent({type: 'picker_changed', change: {filter, selected: 0}});
}

/** Removes the last character. */
export function eraseLast(filter: string): string {
  return [...clusters(filter)]
    .slice(0, -1)
    .map(({segment}) => segment)
    .join('');
}

/** Moves the selection with the wheel, which stops at the ends. */
export function turnInPicker(picker: Picker, by: 1 | -1): Reaction {
  return select(Math.max(0, Math.min(lastIndex(picker), picker.selected + by)));
}

function select(selected: number): Reaction {
  return emitEvent({type: 'picker_changed', change: {selected, digits: ''}});
}

function lastIndex(picker: Picker): number {
  return Math.max(0, visibleItems(picker).length - 1);
}

/** Returns the index that a key moves to; single steps wrap around, pages stop at the ends. */
function moved(action: Action | undefined, picker: Picker): number | undefined {
  const last = lastIndex(picker);
  const {selected} = picker;
  if (action === 'choose_previous') return selected === 0 ? last : selected - 1;
  if (action === 'choose_next') return selected >= last ? 0 : selected + 1;
  const by = scrollDistance(action, PAGE + 1);
  return by === undefined ? undefined : Math.max(0, Math.min(last, selected + by));
}

/** Performs an item of the palette, see palette.ts. The palette is already closed; the draft is unchanged. */
function runPaletteItem(before: AppState, id: string, at: number): Reaction {
  const state: AppState = {...before, overlay: {kind: 'none'}};
  const [kind, name] = [id.slice(0, id.indexOf(' ')), id.slice(id.indexOf(' ') + 1)];
  switch (kind) {
    case 'client':
      return runOwnCommand(state, name, at);
    case 'custom':
      return runCustomCommand(state, name, at);
    case 'agent':
      return runAgentCommand(state, name, at);
    case 'shown':
      return nothing;
    default: {
      const action = name as Action;
      return runLeaderAction(state, action, at) ?? performInPrompt(state, action, {text: '', at});
    }
  }
}

function runOwnCommand(state: AppState, name: string, at: number): Reaction {
  const tab = activeSession(state);
  const command = findOwnCommand(name);
  if (!command) return nothing;
  if (command.argument?.startsWith('<')) return typed(state, `/${name} `, at);
  return command.run({state, tab, argument: '', at}) ?? nothing;
}

/** Like an agent's: a command with an argument is put into the draft. */
function runCustomCommand(state: AppState, name: string, at: number): Reaction {
  const {key, session} = activeSession(state);
  const command = session.customCommands.find((candidate) => candidate.name === name);
  if (!command) return nothing;
  if (command.argumentHint) return typed(state, `${customCommandText(command)} `, at);
  return submitPrompt(key, {text: `/${name}`});
}

/** A command with input is put into the draft; any other is sent at once. */
function runAgentCommand(state: AppState, name: string, at: number): Reaction {
  const tab = activeSession(state);
  const {key, session} = tab;
  const command = session.commands.find((candidate) => candidate.name === name);
  if (!command) return nothing;
  if (command.input) return typed(state, `${agentCommandText(name, tab)} `, at);
  return submitPrompt(key, {text: `/${name}`, isAgents: true});
}

/** Puts a command into the draft in front of the typed text, for the user to complete. */
function typed(state: AppState, command: string, at: number): Reaction {
  const {key, draft} = activeSession(state);
  return combine(
    moveFocus({kind: 'prompt'}, at),
    emitEvent({type: 'draft_changed', key, draft: inFront(draft, command), at}),
  );
}

function inFront(draft: Draft, insert: string): Draft {
  return change(draft, {
    from: 0,
    to: 0,
    insert,
    caret: insert.length + draft.text.length,
    browsing: undefined,
  });
}
