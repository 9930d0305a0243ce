import {descriptions} from '../keymap/action-descriptions.ts';
import {listedCommands} from '../completion/menu.ts';
import {COMMANDS, contextTitle, helpContexts, helpSections, keyList} from '../pages/help-page.ts';
import {keyName} from '../keymap/key-names.ts';
import {keysFor, type Action, type Context, type Keymap} from '../keymap/keymap.ts';
import {pickerOf, type ListItem} from './picker.ts';
import {isEmpty} from '../editor/draft.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Tab, Picker} from '../state.ts';

/** The kind of a palette item; its id consists of kind and name. `shown` items do nothing. */
type PaletteKind = keyof typeof GROUPS | 'action' | 'shown';

/** Contexts whose actions can be selected by name; those of others need what the palette has closed. */
const RUNNABLE: readonly Context[] = ['everywhere', 'more', 'prompt'];
const SHOWN_ONLY = helpContexts.filter((context) => !RUNNABLE.includes(context) && context !== 'sign_in');

/** With a non-empty draft these do something else, or type their key. */
const WHEN_EMPTY: ReadonlySet<Action> = new Set(['help_when_empty', 'leave_when_empty']);

/** Returns every command and action by name, each with its key. */
export function palettePicker(state: AppState): Picker {
  const actions = boundActions(state)
    .filter(({action}) => action !== 'open_palette' && action !== 'show_session')
    .map(({action, keys, group, disabled}) =>
      paletteItem('action', action, {label: descriptions[action], group, description: keys, disabled}),
    );
  const items = [...commandItems(state), ...actions];
  return pickerOf({purpose: {kind: 'palette'}, title: 'Commands and actions', items});
}

/** Returns the help: keys first, each with its effect, then commands. */
export function helpPicker(state: AppState): Picker {
  const sections = helpSections(state.keymap, state.keyProblems).filter(({title}) => title !== COMMANDS);
  const keys = sections.flatMap(({title: group, context, rows}) =>
    rows.map(({keys, does, action}, index) => {
      const isRunnable = context !== undefined && RUNNABLE.includes(context) && action !== 'show_session';
      const item = keys === '' ? {label: does, group} : {label: keys, group, description: does};
      return action !== undefined && isRunnable
        ? paletteItem('action', action, item)
        : paletteItem('shown', `${group} ${index}`, item);
    }),
  );
  return pickerOf({purpose: {kind: 'palette'}, title: 'Help', items: [...keys, ...commandItems(state)]});
}

const GROUPS = {client: 'Commands', custom: 'Custom commands', agent: 'Agent commands'} as const;

function commandItems(state: AppState): readonly ListItem[] {
  const listed = listedCommands(activeSession(state), state.keymap);
  return listed.map(({text, argument, description, source, unavailable}) =>
    paletteItem(source, text.replace(/^\/+/, ''), {
      label: [text, source === 'agent' ? undefined : argument].filter(Boolean).join(' '),
      group: GROUPS[source],
      description,
      disabled: unavailable,
    }),
  );
}

function paletteItem(kind: PaletteKind, name: string, item: Omit<ListItem, 'id'>): ListItem {
  return {id: `${kind} ${name}`, ...item};
}

interface BoundAction {
  readonly action: Action;
  /** Empty if it has none. */
  readonly keys: string;
  readonly group: string;
  /** Why it cannot be run by name. */
  readonly disabled: string | undefined;
}

function boundActions(state: AppState): readonly BoundAction[] {
  const tab = activeSession(state);
  return [
    ...RUNNABLE.flatMap((context) => actionsIn(context, state.keymap, (action) => whyNot(action, tab))),
    ...SHOWN_ONLY.flatMap((context) => actionsIn(context, state.keymap, () => 'Only available there.')),
  ];
}

function actionsIn(
  context: Context,
  keymap: Keymap,
  disabled: (action: Action) => string | undefined,
): readonly BoundAction[] {
  const bound = Object.entries(keymap[context]) as [Action, readonly string[]][];
  return bound.map(([action, keys]) => ({
    action,
    keys: context === 'more' ? leaderKeysOf(keys, keymap) : keyList(keys),
    group: contextTitle(context, keymap),
    disabled: disabled(action),
  }));
}

function leaderKeysOf(keys: readonly string[], keymap: Keymap): string {
  const [first] = keysFor('more_keys', keymap);
  return first === undefined || keys.length === 0 ? keyList(keys) : `${keyName(first)} ${keyList(keys)}`;
}

function whyNot(action: Action, {draft}: Tab): string | undefined {
  return WHEN_EMPTY.has(action) && !isEmpty(draft) ? 'Only on an empty prompt.' : undefined;
}
