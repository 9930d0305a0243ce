import {join} from 'node:path';
import type * as z from 'zod/mini';
import type {SettingRow} from '../app/settings/setting-row.ts';
import {describeServer} from './server-config.ts';
import {tighter} from '../session/settings/sandbox.ts';
import {jsonText} from '../text/json.ts';
import {agentFields} from './schema/agent-settings.ts';
import {PROJECT_FILE, readProjectSettings, SERVERS_FILE, type ProjectSettings} from './project-settings.ts';
import {userValue} from './setting-changes.ts';
import {maskSetting} from './setting-mask.ts';
import {leavesOf, pathText, valueAt, type Leaf, type SettingPath} from './setting-paths.ts';
import {isProjectSetting, readSettings, settingsFile, type ReadSettings} from './settings.ts';
import {
  DEFAULTS,
  describedFields,
  settingFields,
  TOPICS,
  variableOf,
  type DescribedSetting,
} from './schema/settings-schema.ts';
import {themeNames} from './schema/theme-settings.ts';
import {isTrusted} from './trusted-folders.ts';

export interface SettingPlaces {
  /** The config folder. */
  readonly config: string;
  /** The state folder. */
  readonly state: string;
  /** The working folder. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Options of the command line that override settings, by the name of the setting. */
export type OverridingOptions = Readonly<
  Record<string, {readonly option: string; readonly value: unknown} | undefined>
>;

interface Sources extends SettingPlaces {
  readonly read: ReadSettings;
  readonly project: ProjectSettings | undefined;
  readonly isFolderTrusted: boolean;
}

function openSources(places: SettingPlaces): Sources {
  const {config, state, cwd, env} = places;
  const project = readProjectSettings(cwd);
  const isFolderTrusted = project !== undefined && isTrusted(state, cwd, project.hash);
  return {...places, read: readSettings(config, env), project, isFolderTrusted};
}

/** The source of a setting's value. */
export type SettingSource =
  | {readonly kind: 'default'}
  | {readonly kind: 'file'; readonly file: string}
  | {readonly kind: 'environment'; readonly variable: string}
  /** A folder's settings apply only if the user trusts them. */
  | {readonly kind: 'folder'; readonly file: string; readonly isTrusted: boolean};

interface SourcedSetting extends Leaf {
  readonly source: SettingSource;
}

/** Returns every setting that has a value, with its source, and an error message for each invalid one. */
export function sourcedSettings(places: SettingPlaces): {
  readonly settings: readonly SourcedSetting[];
  readonly problems: readonly string[];
} {
  const sources = openSources(places);
  const {settings, fromEnvironment, problems} = sources.read;
  const ofUser: SettingSource = {kind: 'file', file: settingsFile(places.config)};
  const given = leavesOf(settings).map(({path, value}): SourcedSetting => {
    const variable = fromEnvironment.has(pathText(path)) ? variableOf(path) : undefined;
    return {path, value, source: variable === undefined ? ofUser : {kind: 'environment', variable}};
  });
  const isGiven = (path: SettingPath) => given.some((other) => pathText(other.path) === pathText(path));
  const defaults = leavesOf(DEFAULTS)
    .filter(({path}) => !isGiven(path))
    .map(({path, value}): SourcedSetting => ({path, value, source: {kind: 'default'}}));
  return {settings: [...defaults, ...given, ...ofFolder(sources)].toSorted(byPath), problems};
}

/** Returns a folder's rules, agents and servers. */
function ofFolder({cwd, project, isFolderTrusted}: Sources): readonly SourcedSetting[] {
  if (!project) return [];
  const source = (name: string): SettingSource => ({
    kind: 'folder',
    file: join(cwd, name),
    isTrusted: isFolderTrusted,
  });
  const {rules, servers, settings} = project;
  const byEffect = Map.groupBy(rules, ({effect}) => effect);
  return [
    ...Array.from(byEffect, ([effect, group]) => ({
      path: ['permissions', effect],
      value: group.map(({text}) => text),
      source: source(PROJECT_FILE),
    })),
    ...leavesOf(ownOf(settings))
      .filter(({path: [, , field], value}) => value !== undefined && field !== 'permissions')
      .map(({path, value}) => ({path, value, source: source(PROJECT_FILE)})),
    ...servers.map((server) => ({
      path: ['mcpServers', server.name],
      value: describeServer(server),
      source: source(SERVERS_FILE),
    })),
  ];
}

/** Without rules, which are parsed. */
function ownOf(settings: ProjectSettings['settings']): object {
  const {agent, agents = {}, sandbox, sandboxHidden, network, sandboxSockets} = settings;
  return {agent, agents, sandbox, sandboxHidden, network, sandboxSockets};
}

function byPath(one: SourcedSetting, other: SourcedSetting): number {
  return pathText(one.path).localeCompare(pathText(other.path), 'en');
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
  const sources = openSources(places);
  const named = [sources.read, sources.project].flatMap((of) => Object.keys(of?.settings.agents ?? {}));
  const names = [...new Set([...named, ...agents])];
  return describedSettings(names).map((setting) => rowOf(setting, sources, options));
}

/** Returns all settings of the schema by topic, then those of these agents. */
export function describedSettings(agents: readonly string[]): readonly DescribedSetting[] {
  const ofAgents = agents.flatMap((agent) =>
    Object.entries(agentFields)
      .filter(([name]) => agent !== 'demo' || name !== 'command')
      .map(([name, {description, allowed, schema}]): DescribedSetting => ({
        path: ['agents', agent, name],
        topic: `Agent ${agent}`,
        applies: settingFields.agents.applies,
        description,
        allowed,
        schema,
      })),
  );
  const inOrder = TOPICS.flatMap((topic) => describedFields.filter((field) => field.topic === topic));
  return [...inOrder.filter(({path: [name]}) => name !== 'agents'), ...ofAgents];
}

/** A value and its source as labels. */
interface Effective {
  readonly value: unknown;
  readonly source?: string;
  readonly setIn?: SettingRow['setIn'];
}

function rowOf(setting: DescribedSetting, sources: Sources, options: OverridingOptions): SettingRow {
  const {path, topic, description, allowed, applies, schema} = setting;
  const {config, env, read, project, isFolderTrusted} = sources;
  const inFolder = projectValue(project, path);
  const override = options[pathText(path)];
  const {value, source, setIn}: Effective = override
    ? {value: override.value, source: override.option}
    : effective(path, inFolder, sources);
  const shown = (given: unknown) => shownValue(maskSetting(path, given, env));
  const isMasked = shownValue(value) !== shown(value);
  const notes = [
    inFolder !== undefined &&
      !isFolderTrusted &&
      '.acp-tui.json of this folder sets it, too, but is not trusted.',
    isMasked && 'Credentials are masked; a new value replaces all of it.',
  ];
  return {
    id: pathText(path),
    topic,
    description,
    allowed,
    applies,
    choices: pathText(path) === 'theme' ? themeNames(read.settings.themes) : choicesOf(schema),
    value: shown(value),
    typed: isMasked ? '' : (shownValue(value) ?? ''),
    defaultValue: shownValue(valueAt(DEFAULTS, path)),
    source,
    places: isProjectSetting(path) ? ['user', 'folder'] : ['user'],
    isSet: {user: userValue(config, path) !== undefined, folder: inFolder !== undefined && isFolderTrusted},
    setIn,
    notes: notes.filter((note) => note !== false),
  };
}

/** Precedence: variables, a trusted folder, the user's file, the default. */
function effective(path: SettingPath, inFolder: unknown, {read, isFolderTrusted}: Sources): Effective {
  const ofUser = valueAt(read.settings, path);
  const variable = read.fromEnvironment.has(pathText(path)) ? variableOf(path) : undefined;
  if (variable !== undefined) return {value: ofUser, source: variable};
  const isTighter = tighter(pathText(path), ofUser ?? valueAt(DEFAULTS, path), inFolder);
  const holds = (isTighter ?? inFolder) === inFolder || Array.isArray(isTighter);
  if (inFolder !== undefined && isFolderTrusted && holds)
    return {value: isTighter ?? inFolder, source: '.acp-tui.json', setIn: 'folder'};
  if (ofUser !== undefined) return {value: ofUser, source: 'your settings', setIn: 'user'};
  const defaultValue = valueAt(DEFAULTS, path);
  return defaultValue === undefined ? {value: undefined} : {value: defaultValue, source: 'default'};
}

function projectValue(project: ProjectSettings | undefined, path: SettingPath): unknown {
  const rules = (project?.rules ?? []).map(({effect, text}) => `${effect} ${text}`);
  return valueAt({...project?.settings, permissions: rules.length > 0 ? rules : undefined}, path);
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
