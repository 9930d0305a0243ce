import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import type * as z from 'zod/mini';
import type {SettingRow} from '../app/settings/setting-row.ts';
import {describeServer} from './server-config.ts';
import {jsonText} from '../text/json.ts';
import {agentFields} from './schema/agent-settings.ts';
import {
  PROJECT_FILE,
  readProjectSettings,
  SERVERS_FILE,
  withProjectAgents,
  type ProjectSettings,
} from './project-settings.ts';
import {userValue} from './setting-changes.ts';
import {maskSetting} from './setting-mask.ts';
import {earlierName} from './setting-names.ts';
import {leavesOf, pathText, valueAt, type SettingLeaf, type SettingPath} from './setting-paths.ts';
import type {SettingProblem} from './setting-problems.ts';
import {readSettings, settingsFile, type ReadSettings} from './settings.ts';
import {settingFields, TOPICS} from './schema/all-settings.ts';
import {
  DEFAULTS,
  describedFields,
  describedParts,
  effectiveSettings,
  isProjectSetting,
  variableOf,
  type DescribedSetting,
  type EffectiveSettings,
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
  /** The same, if the user trusts them. */
  readonly folder: ProjectSettings | undefined;
  /** What applies: the user's settings with those of `folder`, and the defaults. */
  readonly applied: EffectiveSettings;
}

function openSources(places: SettingPlaces): Sources {
  const {config, state, cwd, env} = places;
  const read = readSettings(config, env);
  const project = readProjectSettings(cwd);
  const folder = project && isTrusted(state, cwd, project.hash) ? project : undefined;
  return {
    ...places,
    read,
    project,
    folder,
    applied: effectiveSettings(withProjectAgents(read, folder).settings),
  };
}

/** The source of a setting's value. */
export type SettingSource =
  | {readonly kind: 'default'}
  | {readonly kind: 'file'; readonly file: string}
  | {readonly kind: 'environment'; readonly variable: string}
  /** A folder's settings apply only if the user trusts them. */
  | {readonly kind: 'folder'; readonly file: string; readonly isTrusted: boolean};

interface SourcedSetting extends SettingLeaf {
  readonly source: SettingSource;
}

/** Returns the value of a setting that applies, with its source; undefined if it has none. */
function resolve(path: SettingPath, sources: Sources): SourcedSetting | undefined {
  const {config, read, folder, applied} = sources;
  const [ofUser, ofFolder] = [read.settings, folder?.settings].map((settings) => valueAt(settings, path));
  // Rules of the folder are not in `applied`: they are added to those of the user.
  const value = valueAt(applied, path) ?? ofFolder;
  if (value === undefined) return undefined;
  const variable = read.fromEnvironment.has(pathText(path)) ? variableOf(path) : undefined;
  if (variable !== undefined) return {path, value, source: {kind: 'environment', variable}};
  const isOfUser = isDeepStrictEqual(value, ofUser ?? valueAt(DEFAULTS, path));
  if (!isOfUser || isDeepStrictEqual(value, ofFolder))
    return {path, value, source: folderSource(sources, PROJECT_FILE)};
  return {
    path,
    value,
    source: ofUser === undefined ? {kind: 'default'} : {kind: 'file', file: settingsFile(config)},
  };
}

/** Returns the value of a setting that applies, and what is wrong with any. */
export function settingValue(path: SettingPath, places: SettingPlaces) {
  const sources = openSources(places);
  return {value: resolve(path, sources)?.value, problems: sources.read.problems};
}

/** Returns every setting that has a value, with its source, and what is wrong with the others. */
export function sourcedSettings(places: SettingPlaces): {
  readonly settings: readonly SourcedSetting[];
  readonly problems: readonly SettingProblem[];
} {
  const sources = openSources(places);
  const {read, project, folder} = sources;
  const {rules = [], servers = [], settings: {permissions: _, ...ofFolder} = {}} = project ?? {};
  const inFile = leavesOf(ofFolder).filter(({path: [, , field]}) => field !== 'permissions');
  const leaves = [...leavesOf(DEFAULTS), ...leavesOf(read.settings), ...(folder ? inFile : [])];
  const paths = new Map(leaves.map(({path}) => [pathText(path), path]));
  const inRules = Array.from(
    Map.groupBy(rules, ({effect}) => effect),
    ([effect, group]) => ({
      path: ['permissions', effect],
      value: group.map(({text}) => text),
    }),
  );
  const inServers = servers.map((server) => ({
    path: ['mcpServers', server.name],
    value: describeServer(server),
  }));
  const from = (name: string) => (leaf: SettingLeaf) => ({...leaf, source: folderSource(sources, name)});
  const settings = [
    ...[...paths.values()].flatMap((path) => resolve(path, sources) ?? []),
    ...[...(folder ? [] : inFile), ...inRules].map(from(PROJECT_FILE)),
    ...inServers.map(from(SERVERS_FILE)),
  ];
  return {settings: settings.toSorted(byPath), problems: read.problems};
}

function folderSource({cwd, folder}: Sources, name: string): SettingSource {
  return {kind: 'folder', file: join(cwd, name), isTrusted: folder !== undefined};
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
      .flatMap(([name, field]) =>
        describedParts(['agents', agent, name], {
          ...field,
          topic: `Agent ${agent}`,
          applies: settingFields.agents.applies,
        }),
      ),
  );
  const inOrder = TOPICS.flatMap((topic) => describedFields.filter((field) => field.topic === topic));
  return [...inOrder.filter(({path: [name]}) => name !== 'agents'), ...ofAgents];
}

function rowOf(setting: DescribedSetting, sources: Sources, options: OverridingOptions): SettingRow {
  const {path, topic, description, allowed, applies, schema} = setting;
  const {config, env, read, project, folder} = sources;
  const inFolder = valueAt(project?.settings, path);
  const override = options[pathText(path)];
  const resolved = override ? undefined : resolve(path, sources);
  const value = override ? override.value : resolved?.value;
  const shown = (given: unknown) => shownValue(maskSetting(path, given, env));
  const isMasked = shownValue(value) !== shown(value);
  const notes = [
    inFolder !== undefined && !folder && '.acp-tui.json of this folder sets it, too, but is not trusted.',
    isMasked && 'Credentials are masked; a new value replaces all of it.',
  ];
  return {
    id: pathText(path),
    earlierName: earlierName(path),
    topic,
    description,
    allowed,
    applies,
    choices: pathText(path) === 'theme' ? themeNames(read.settings.themes) : choicesOf(schema),
    value: shown(value),
    typed: isMasked ? '' : (shownValue(value) ?? ''),
    defaultValue: shownValue(valueAt(DEFAULTS, path)),
    source: override ? override.option : resolved && sourceLabel(resolved.source),
    places: isProjectSetting(path) ? ['user', 'folder'] : ['user'],
    isSet: {
      user: userValue(config, path) !== undefined,
      folder: inFolder !== undefined && folder !== undefined,
    },
    setIn: SET_IN[resolved?.source.kind ?? 'default'],
    notes: notes.filter((note) => note !== false),
  };
}

const SET_IN: Readonly<Record<SettingSource['kind'], SettingRow['setIn']>> = {
  default: undefined,
  environment: undefined,
  file: 'user',
  folder: 'folder',
};

function sourceLabel(source: SettingSource): string {
  switch (source.kind) {
    case 'default':
      return 'default';
    case 'environment':
      return source.variable;
    case 'file':
      return 'your settings';
    case 'folder':
      return PROJECT_FILE;
  }
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
