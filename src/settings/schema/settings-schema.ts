import type * as z from 'zod/mini';
import {agentFields, isAgentField, type AgentSettings} from './agent-settings.ts';
import {settingFields, type SettingSpec} from './all-settings.ts';
import {similar, type SettingField} from './setting-fields.ts';
import {pathText, type SettingPath} from '../setting-paths.ts';
import type {ProblemPath, SettingsOwner} from '../setting-problems.ts';
import {isJsonObject} from '../../text/json.ts';

type Fields = typeof settingFields;
export type SettingName = keyof Fields;
export type Settings = {readonly [Name in SettingName]?: z.infer<Fields[Name]['schema']>};

/** Returns the settings of an agent by its name. */
export function settingsOfAgent({agents = {}}: Settings, name: string): AgentSettings {
  return (Object.hasOwn(agents, name) ? agents[name] : undefined) ?? {};
}

/**
 * True for a setting with which the user limits what agents may do or what is stored, and for an unknown one that may be meant to: without its value, none may start. A project
 * cannot set all of them.
 */
export function isProtective(path: ProblemPath, of: SettingsOwner): boolean {
  const [name = '', part = '', field = ''] = path.map(String);
  if (!isSettingName(name)) return true;
  if (of === 'project' && !isProjectSetting([name, part, field])) return false;
  const {topic, fields = {}}: SettingSpec = settingFields[name];
  if (topic === 'Permissions') return true;
  const protectsIn = (key: string) => fields[key]?.protects === true;
  if (name !== 'agents') return (Object.hasOwn(fields, part) ? [part] : Object.keys(fields)).some(protectsIn);
  return !isAgentField(field) || 'protects' in agentFields[field];
}

/** True for a setting that the file of a folder may have: all others are the user's own. */
export function isProjectSetting([name = '', part = '', field = '']: SettingPath): boolean {
  if (!isSettingName(name)) return false;
  const {inFolder, fields}: SettingSpec = settingFields[name];
  if (!inFolder) return false;
  if (name === 'agents') return !isAgentField(field) || !('ofUser' in agentFields[field]);
  return !fields || !Object.hasOwn(fields, part) || !fields[part]?.ofUser;
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingFields, name);
}

/** Reports an unknown setting, and names the one that may be meant, or all. */
export function unknownSetting(name: string): string {
  const names = Object.keys(settingFields);
  const meant = similar(name, names);
  return `Unknown setting ${JSON.stringify(name)}. ${meant ? `Did you mean ${meant}?` : `Settings: ${names.join(', ')}.`}`;
}

/** A setting, or a part of one that has parts. */
export interface DescribedSetting extends SettingField {
  readonly path: readonly [SettingName, ...string[]];
  readonly topic: string;
  readonly applies: string;
  readonly description: string;
}

/** Every setting in the order above, by its parts if it has any. */
export const describedFields = Object.entries<SettingSpec>(settingFields).flatMap(([name, field]) =>
  describedParts([name as SettingName], field),
);

/** Returns a setting, or the parts of one that has any. */
export function describedParts(
  path: DescribedSetting['path'],
  field: Omit<DescribedSetting, 'path'>,
): readonly DescribedSetting[] {
  if (!field.fields) return [{...field, path}];
  const describe = (name: string, part: object): DescribedSetting => ({
    ...field,
    ...part,
    path: [...path, name],
  });
  return Object.entries(field.fields).map(([name, part]) => describe(name, part));
}

/** Environment variables that override settings, with the path of each setting. */
export const VARIABLES = describedFields.flatMap(({path, variable}) =>
  variable === undefined ? [] : [[variable, path] as const],
);

/** Returns the environment variable that overrides a setting. */
export function variableOf(path: SettingPath): string | undefined {
  return VARIABLES.find(([, other]) => pathText(other) === pathText(path))?.[0];
}

type Defaulted = {[Name in SettingName]: Fields[Name] extends {default: unknown} ? Name : never}[SettingName];
type Defaults = {readonly [Name in Defaulted]: Fields[Name]['default']};

/** The default values. */
export const DEFAULTS = Object.fromEntries(
  Object.entries<SettingSpec>(settingFields).flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default]],
  ),
) as Defaults satisfies Settings;

type WithDefaults<Value, Usual> = Usual extends object
  ? Value & {readonly [Part in keyof Usual & keyof Value]: NonNullable<Value[Part]>}
  : Value;

/** Settings in which everything with a default is set. */
export type EffectiveSettings = Settings & {
  readonly [Name in Defaulted]: WithDefaults<NonNullable<Settings[Name]>, Defaults[Name]>;
};

/** Returns the settings with the defaults of those that are not set. */
export function effectiveSettings(settings: Settings): EffectiveSettings {
  const names = Object.keys(DEFAULTS) as Defaulted[];
  const effective = names.map((name) => {
    const [own, usual] = [settings[name], DEFAULTS[name]];
    return [name, isJsonObject(usual) && isJsonObject(own) ? {...own, ...usual, ...own} : (own ?? usual)];
  });
  return {...settings, ...(Object.fromEntries(effective) as EffectiveSettings)};
}
