import {readKeys} from '../app/keymap/key-settings.ts';
import type {Preferences} from '../app/preferences.ts';
import {ownThemes} from '../app/themes/own-themes.ts';
import {settingFields} from '../settings/schema/all-settings.ts';
import {type EffectiveSettings, type SettingName} from '../settings/schema/settings-schema.ts';

/** Settings that a running window applies in a way of their own. */
const OF_EFFECTS = ['screen', 'permissions', 'hooks', 'approve'] as const satisfies readonly SettingName[];
export type AppliedByEffect = (typeof OF_EFFECTS)[number];

/** The other settings that apply at once are preferences of the window. */
type PreferenceSetting = Exclude<
  {
    [Name in SettingName]: (typeof settingFields)[Name]['applies'] extends 'at once' ? Name : never;
  }[SettingName],
  AppliedByEffect
>;
type SameName = PreferenceSetting & keyof Preferences;

/** Those that are no preference of the same name: a new setting that applies at once fails the type check until it is one, or here. */
const OTHERS: {
  readonly [Name in Exclude<PreferenceSetting, SameName>]: (
    settings: EffectiveSettings,
  ) => Partial<Preferences>;
} = {
  accessibility: ({accessibility: {images, reducedMotion}}) => ({images, reducedMotion}),
  themes: ({themes}) => ({ownThemes: ownThemes(themes)}),
  keys({keys = {}}) {
    const {keymap, problems: keyProblems} = readKeys(keys);
    return {keymap, keyProblems};
  },
};

function isOther(name: string): name is keyof typeof OTHERS {
  return Object.hasOwn(OTHERS, name);
}

/** Returns what a setting that applies at once changes in a window. */
export function preferenceOf(name: string, settings: EffectiveSettings): Partial<Preferences> {
  const same: Partial<Pick<Preferences, SameName>> = settings;
  return isOther(name) ? OTHERS[name](settings) : {[name]: same[name as SameName]};
}

/** Returns the preferences of a window at its start. */
export function preferencesOf(settings: EffectiveSettings): Preferences {
  const names = Object.entries(settingFields).flatMap(([name, {applies}]) =>
    applies === 'at once' && !OF_EFFECTS.some((other) => other === name) ? [name] : [],
  );
  return Object.assign({}, ...names.map((name) => preferenceOf(name, settings))) as Preferences;
}
