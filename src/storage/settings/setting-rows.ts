import type * as z from 'zod/mini';
import type {SettingRow} from '../../app/settings/setting-row.ts';
import {jsonText} from '../../text/json.ts';
import {agentFields} from './agent-settings.ts';
import {isProjectSetting, readProjectSettings, type ProjectSettings} from './project-settings.ts';
import {userValue} from './setting-changes.ts';
import {maskSetting} from './setting-mask.ts';
import {pathText, valueAt, type SettingPath} from './setting-paths.ts';
import type {OverridingOptions, SettingPlaces} from './setting-sources.ts';
import {readSettings, type ReadSettings} from './settings.ts';
import {defaultSettings, settingFields, TOPICS, VARIABLES, type SettingName} from './settings-schema.ts';
import {themeNames} from './theme-settings.ts';
import {isTrusted} from './trusted-folders.ts';

/** The description of a setting. */
interface Described {
  readonly path: SettingPath;
  readonly topic: string;
  readonly applies: string;
  readonly field: {
    readonly description: string;
    readonly allowed: string;
    readonly schema: z.ZodMiniType;
  };
}

interface SettingRowOptions {
  readonly options: OverridingOptions;
  /** Agents to list in addition to those with settings. */
  readonly agents: readonly string[];
}

/** Returns all settings by topic, with value and source. */
export function settingRows(
  places: SettingPlaces,
  {options, agents}: SettingRowOptions,
): readonly SettingRow[] {
  const {config, state, cwd, env} = places;
  const read = readSettings(config, env);
  const project = readProjectSettings(cwd);
  const isFolderTrusted = project !== undefined && isTrusted(state, cwd, project.hash);
  const names = new Set([
    ...Object.keys(read.settings.agents ?? {}),
    ...Object.keys(project?.agents.agents ?? {}),
    ...agents,
  ]);
  const sources: Sources = {config, env, read, project, isFolderTrusted, options};
  return describedSettings([...names]).map((setting) => rowOf(setting, sources));
}

/** Returns all settings of the schema by topic, then those of these agents. */
export function describedSettings(agents: readonly string[]): readonly Described[] {
  const names = Object.keys(settingFields) as SettingName[];
  const inOrder = TOPICS.flatMap((topic) => names.filter((name) => settingFields[name].topic === topic));
  const {applies} = settingFields.agents;
  const ofAgents = agents.flatMap((agent) =>
    Object.entries(agentFields)
      .filter(([name]) => agent !== 'demo' || name !== 'command')
      .map(([name, field]) => ({path: ['agents', agent, name], topic: `Agent ${agent}`, applies, field})),
  );
  return [...inOrder.flatMap(describedParts), ...ofAgents];
}

function describedParts(name: SettingName): readonly Described[] {
  const field = settingFields[name];
  const {topic, applies} = field;
  if (name === 'agents') return [];
  if (!('fields' in field)) return [{path: [name], topic, applies, field}];
  return Object.entries(field.fields).map(([part, spec]) => {
    const ofPart = 'applies' in spec ? spec.applies : applies;
    return {path: [name, part], topic, applies: ofPart, field: spec};
  });
}

interface Sources {
  readonly config: string;
  readonly env: NodeJS.ProcessEnv;
  readonly read: ReadSettings;
  readonly project: ProjectSettings | undefined;
  readonly isFolderTrusted: boolean;
  readonly options: OverridingOptions;
}

/** A value and its source as labels. */
interface Effective {
  readonly value: unknown;
  readonly source?: string;
  readonly setIn?: SettingRow['setIn'];
}

function rowOf({path, topic, applies, field}: Described, sources: Sources): SettingRow {
  const {config, env, read, project, isFolderTrusted} = sources;
  const inFolder = projectValue(project, path);
  const ofUser = userValue(config, path);
  const {value, source, setIn} = effective(path, inFolder, sources);
  const defaultValue = valueAt(defaultSettings(read.settings), path);
  const shown = (override: unknown) => shownValue(maskSetting(path, override, env));
  const isMasked = shownValue(value) !== shown(value);
  const notes = [
    ...(inFolder !== undefined && !isFolderTrusted
      ? ['.acp-tui.json of this folder sets it, too, but is not trusted.']
      : []),
    ...(isMasked ? ['Credentials are masked; a new value replaces all of it.'] : []),
  ];
  return {
    id: pathText(path),
    topic,
    description: field.description,
    allowed: field.allowed,
    applies,
    choices: pathText(path) === 'theme' ? themeNames(read.settings.themes) : choicesOf(field.schema),
    value: shown(value),
    typed: isMasked ? '' : (shownValue(value) ?? ''),
    defaultValue: shownValue(defaultValue),
    source,
    places: isProjectSetting(path) ? ['user', 'folder'] : ['user'],
    isSet: {user: ofUser !== undefined, folder: inFolder !== undefined && isFolderTrusted},
    setIn,
    notes,
  };
}

/** Precedence: options, variables, a trusted folder, the user's file, the default. */
function effective(path: SettingPath, inFolder: unknown, sources: Sources): Effective {
  const {read, isFolderTrusted, options} = sources;
  const name = pathText(path);
  const override = options[name];
  if (override) return {value: override.value, source: override.option};
  if (read.fromEnvironment.has(name)) {
    const variable = VARIABLES.find(([, other]) => pathText(other) === name)?.[0] ?? '';
    return {value: valueAt(read.settings, path), source: variable};
  }
  if (inFolder !== undefined && isFolderTrusted)
    return {value: inFolder, source: '.acp-tui.json', setIn: 'folder'};
  const ofUser = valueAt(read.settings, path);
  if (ofUser !== undefined) return {value: ofUser, source: 'your settings', setIn: 'user'};
  const defaultValue = valueAt(defaultSettings(read.settings), path);
  return defaultValue === undefined ? {value: undefined} : {value: defaultValue, source: 'default'};
}

function projectValue(project: ProjectSettings | undefined, path: SettingPath): unknown {
  if (!project) return undefined;
  const {agent, agents} = project.agents;
  const rules = project.rules.map(({effect, text}) => `${effect} ${text}`);
  return valueAt({agent, agents, ...(rules.length > 0 && {permissions: rules})}, path);
}

/** A string unchanged, anything else as JSON. */
function shownValue(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : jsonText(value, 0);
}

/** Returns the values of an enumeration or a boolean. */
function choicesOf(schema: z.ZodMiniType): readonly string[] | undefined {
  const {def} = schema as z.ZodMiniType & {readonly def: {type: string; entries?: Record<string, string>}};
  if (def.type === 'boolean') return ['true', 'false'];
  return def.type === 'enum' ? Object.values(def.entries ?? {}) : undefined;
}
