import {descriptions} from '../keymap/action-descriptions.ts';
import {agentCommandText} from '../commands/parse-command.ts';
import {commands} from '../commands/index.ts';
import {contextTitle, keyList} from '../pages/help-page.ts';
import {keyName} from '../keymap/key-names.ts';
import {keysFor, type Action, type Context, type Keymap} from '../keymap/keymap.ts';
import {pickerOf} from './picker.ts';
import {isEmpty} from '../editor/draft.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, OpenSession, Picker, PickerItem} from '../state.ts';

/** The kind of a palette item; its id consists of kind and name. */
type PaletteKind = 'command' | 'agent' | 'action';

/** Contexts whose actions can be selected by name; those of others need what the palette has closed. */
const RUNNABLE: readonly Context[] = ['everywhere', 'more', 'prompt'];
const SHOWN_ONLY: readonly Context[] = [
  'queue',
  'request',
  'form',
  'link',
  'picker',
  'history',
  'sessions',
  'mcp',
  'overlay',
  'replay',
  'transcript',
  'review',
];

/** With a non-empty draft these do something else, or type their key. */
const WHEN_EMPTY: ReadonlySet<Action> = new Set(['help_when_empty', 'leave_when_empty']);

/** Returns every command and action by name, each with its key. */
export function palettePicker(state: AppState): Picker {
  const open = activeSession(state);
  const items = [
    ...commands.map(({name, description, unavailable}) =>
      paletteItem('command', name, {
        label: `/${name}`,
        group: 'Commands',
        description,
        disabled: unavailable?.(open),
      }),
    ),
    ...open.session.commands.map(({name, description}) =>
      paletteItem('agent', name, {
        label: agentCommandText(name),
        group: 'Agent commands',
        description,
      }),
    ),
    ...RUNNABLE.flatMap((context) => actionItems(context, state.keymap, (action) => whyNot(action, open))),
    ...SHOWN_ONLY.flatMap((context) => actionItems(context, state.keymap, () => 'Only available there.')),
  ];
  return pickerOf({purpose: {kind: 'palette'}, title: 'Commands and actions', items});
}

function paletteItem(kind: PaletteKind, name: string, item: Omit<PickerItem, 'id'>): PickerItem {
  return {id: `${kind} ${name}`, ...item};
}

function actionItems(
  context: Context,
  keymap: Keymap,
  disabled: (action: Action) => string | undefined,
): readonly PickerItem[] {
  const bound = Object.entries(keymap[context]) as [Action, readonly string[]][];
  return (
    bound
      // Not runnable by name: its keys are numbers.
      .filter(([action]) => action !== 'open_palette' && action !== 'show_session')
      .map(([action, keys]) =>
        paletteItem('action', action, {
          label: descriptions[action],
          group: contextTitle(context, keymap),
          description:
            context === 'more' ? keys.map((key) => leaderKeyOf(key, keymap)).join(', ') : keyList(keys),
          disabled: disabled(action),
        }),
      )
  );
}

function leaderKeyOf(key: string, keymap: Keymap): string {
  const [first] = keysFor('more_keys', keymap);
  return first === undefined ? keyName(key) : `${keyName(first)} ${keyName(key)}`;
}

function whyNot(action: Action, {draft}: OpenSession): string | undefined {
  return WHEN_EMPTY.has(action) && !isEmpty(draft) ? 'Only on an empty prompt.' : undefined;
}
