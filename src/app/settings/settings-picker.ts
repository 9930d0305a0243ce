import {nothing, perform, type Step} from '../effects.ts';
import type {AppState, Picker, PickerItem} from '../state.ts';
import type {SettingPlace, SettingRow, SettingsReturn} from './setting-row.ts';
import {openPicker, pickerOf, selectedItem} from '../pickers/picker.ts';

/** Returns every setting by topic, with its value and source. */
export function settingsPicker(rows: readonly SettingRow[], {filter, selected}: SettingsReturn): Picker {
  const items = rows.map(settingItem);
  const picker = {...pickerOf({purpose: {kind: 'settings', rows}, title: 'Settings', items}), filter};
  const found = items.findIndex(({id}) => id === selected);
  return {...picker, selected: filter === '' ? Math.max(0, found) : 0};
}

function settingItem(row: SettingRow): PickerItem {
  const {id, topic, value, source, description} = row;
  return {
    id,
    label: id,
    value: value ?? '(not set)',
    group: topic,
    description: [...(source === undefined ? [] : [source]), withoutPage(description)].join(' · '),
    preview: explanation(row).join('\n'),
  };
}

/** The page of the documentation is shown below the list. */
function withoutPage(description: string): string {
  return description.replace(/ \(docs\/[^)]*\)$/, '');
}

/** Returns a sentence, the default, the values, and when a change applies. */
function explanation({
  description,
  defaultValue,
  allowed,
  choices,
  applies,
  notes,
}: SettingRow): readonly string[] {
  const sentence = `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  const range = choices ? [] : [`allowed: ${allowed}`];
  const facts = [`Default: ${defaultValue ?? 'none'}`, ...range, `applies ${applies}`];
  return [sentence, `${facts.join('; ')}.`, ...notes];
}

/** Shows the values of the selected setting, or a field to type one; rules have their own list. */
export function chooseSetting(state: AppState, rows: readonly SettingRow[], id: string): Step {
  const row = rows.find((candidate) => candidate.id === id);
  const {overlay, theme, active} = state;
  if (!row || overlay.kind !== 'picker') return nothing;
  if (id === 'permissions') return perform({kind: 'show_permissions', key: active});
  const back = {filter: overlay.picker.filter, selected: id};
  return openPicker(valuePicker(row, back, id === 'theme' ? theme : undefined));
}

const PLACE_NAMES: Readonly<Record<SettingPlace, string>> = {
  user: 'In your settings',
  folder: 'In .acp-tui.json of this folder',
};

function valuePicker(row: SettingRow, back: SettingsReturn, before: string | undefined): Picker {
  const {id, choices, typed, places} = row;
  const values = places.flatMap((place) => itemsOf(row, place));
  const picker = pickerOf({
    purpose: {
      kind: choices ? 'setting_value' : 'setting_text',
      row,
      back,
      ...(before !== undefined && {before}),
    },
    title: id,
    note: explanation(row).join(' '),
    items: values,
  });
  return {...picker, filter: choices ? '' : typed};
}

function itemsOf(row: SettingRow, place: SettingPlace): readonly PickerItem[] {
  const {choices, places, setIn, value, defaultValue, isSet} = row;
  const group = places.length > 1 ? PLACE_NAMES[place] : undefined;
  const isHere = setIn === undefined ? place === 'user' : setIn === place;
  const own = choices?.map((choice) => ({
    id: `${place} set ${choice}`,
    label: choice,
    group,
    current: isHere && choice === value,
  }));
  const save = {id: `${place} type`, label: `Save ${PLACE_NAMES[place].toLowerCase()}`};
  const items: readonly PickerItem[] = own ?? [save];
  if (!isSet[place]) return items;
  const then = place === 'user' ? `the default applies: ${defaultValue ?? 'none'}` : 'your settings apply';
  return [...items, {id: `${place} unset`, label: 'Remove', description: then, group}];
}

/** Changes the setting to the selected value. The list stays open until that is done. */
export function takeSettingValue(row: SettingRow, back: SettingsReturn, picker: Picker): Step {
  const [, place, action, choice = ''] =
    /^(user|folder) (\w+)(?: ([^]*))?$/.exec(selectedItem(picker)?.id ?? '') ?? [];
  const value = action === 'type' ? picker.filter : action === 'set' ? choice : undefined;
  return perform({kind: 'change_setting', row, value, place: place as SettingPlace, back});
}
