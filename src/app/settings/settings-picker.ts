import {sanitizeLine} from '../../text/sanitize.ts';
import {truncate} from '../../text/truncate.ts';
import {width} from '../../text/width.ts';
import {perform, type EffectOf, type Reaction} from '../effects.ts';
import type {Picker} from '../state.ts';
import type {SettingPlace, SettingRow, SettingsReturn} from './setting-row.ts';
import {openPicker, pickerOf, type ListItem, type PickerSelection} from '../pickers/picker.ts';

/** Columns of a value in its row; the rest of it is shown below the list. */
const VALUE_COLUMNS = 20;

/** Returns every setting by topic, with its value and source. */
export function settingsPicker(rows: readonly SettingRow[], {filter, selected}: SettingsReturn): Picker {
  const items = rows.map(settingItem);
  const picker = {...pickerOf({purpose: {kind: 'settings'}, title: 'Settings', items}), filter};
  const found = items.findIndex(({id}) => id === selected);
  return {...picker, selected: filter === '' ? Math.max(0, found) : 0};
}

function settingItem(row: SettingRow): ListItem {
  const {id, earlierName, topic, value, source, description} = row;
  const shown = sanitizeLine(value ?? 'not set');
  return {
    id,
    label: id,
    aliases: earlierName,
    value: shown,
    columns: [truncate(shown, VALUE_COLUMNS), source ?? ''],
    isBright: value !== undefined && value !== row.defaultValue,
    group: topic,
    description: [...(source === undefined ? [] : [source]), description].join(' · '),
    preview: [...(width(shown) > VALUE_COLUMNS ? [shown] : []), ...explanation(row)].join('\n'),
    choose: (selection) => chooseSetting(row, selection),
  };
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

/** Shows the values of a setting, or a field to type one; rules have their own list. */
function chooseSetting(row: SettingRow, {state: {theme, active}, picker}: PickerSelection): Reaction {
  const {id} = row;
  if (id === 'permissions') return perform({kind: 'show_permissions', key: active});
  return openPicker(
    valuePicker(row, {filter: picker.filter, selected: id}, id === 'theme' ? theme : undefined),
  );
}

const PLACE_NAMES: Readonly<Record<SettingPlace, string>> = {
  user: 'In your settings',
  folder: 'In .acp-tui.json of this folder',
};

function valuePicker(row: SettingRow, back: SettingsReturn, before: string | undefined): Picker {
  const {id, choices, typed, places} = row;
  const values = places.flatMap((place) => itemsOf({row, place, back}));
  const picker = pickerOf({
    purpose: {
      kind: choices ? 'setting_value' : 'setting_text',
      back,
      ...(before !== undefined && {before}),
    },
    title: id,
    note: explanation(row).join(' '),
    items: values,
  });
  return {...picker, filter: choices ? '' : typed};
}

type Place = Pick<EffectOf<'change_setting'>, 'row' | 'place' | 'back'>;

function itemsOf(at: Place): readonly ListItem[] {
  const {row, place} = at;
  const {choices, places, setIn, value, defaultValue, isSet} = row;
  const group = places.length > 1 ? PLACE_NAMES[place] : undefined;
  const isHere = setIn === undefined ? place === 'user' : setIn === place;
  const changedTo =
    (value: (typed: string) => string | undefined) =>
    ({picker}: PickerSelection) =>
      perform({kind: 'change_setting', ...at, value: value(picker.filter)});
  // Until the change is done.
  const keepsOpen = true;
  const own = choices?.map((choice): ListItem => ({
    id: `${place} set ${choice}`,
    label: choice,
    group,
    current: isHere && choice === value,
    keepsOpen,
    choose: changedTo(() => choice),
  }));
  const label = `Save ${PLACE_NAMES[place].toLowerCase()}`;
  const items = own ?? [{id: `${place} type`, label, keepsOpen, choose: changedTo((typed) => typed)}];
  if (!isSet[place]) return items;
  const description =
    place === 'user' ? `the default applies: ${defaultValue ?? 'none'}` : 'your settings apply';
  const choose = changedTo(() => undefined);
  return [...items, {id: `${place} unset`, label: 'Remove', description, group, keepsOpen, choose}];
}
