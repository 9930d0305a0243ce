import {join} from 'node:path';
import {describeServer} from '../../mcp/config.ts';
import {PROJECT_FILE, readProjectSettings, SERVERS_FILE} from './project-settings.ts';
import {leavesOf, pathText, type Leaf, type SettingPath} from './setting-paths.ts';
import {readSettings, settingsFile} from './settings.ts';
import {defaultSettings, VARIABLES} from './settings-schema.ts';
import {isTrusted} from './trusted-folders.ts';

/** The source of a setting's value. */
export type SettingSource =
  | {readonly kind: 'default'}
  | {readonly kind: 'file'; readonly file: string}
  | {readonly kind: 'environment'; readonly variable: string}
  | {readonly kind: 'option'; readonly option: string}
  /** A folder's settings apply only if the user trusts them. */
  | {readonly kind: 'folder'; readonly file: string; readonly isTrusted: boolean};

interface SourcedSetting extends Leaf {
  readonly source: SettingSource;
}

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

/** Returns every setting that has a value, with its source, and an error message for each invalid one. */
export function sourcedSettings({config, state, cwd, env}: SettingPlaces): {
  readonly settings: readonly SourcedSetting[];
  readonly problems: readonly string[];
} {
  const {settings, fromEnvironment, problems} = readSettings(config, env);
  const given = leavesOf(settings).map(({path, value}): SourcedSetting => {
    const text = pathText(path);
    const variable = fromEnvironment.has(text)
      ? VARIABLES.find(([, other]) => pathText(other) === text)?.[0]
      : undefined;
    const source: SettingSource =
      variable === undefined ? {kind: 'file', file: settingsFile(config)} : {kind: 'environment', variable};
    return {path, value, source};
  });
  const isGiven = (path: SettingPath) => given.some((other) => pathText(other.path) === pathText(path));
  const defaults = leavesOf(defaultSettings(settings))
    .filter(({path}) => !isGiven(path))
    .map(({path, value}): SourcedSetting => ({path, value, source: {kind: 'default'}}));
  return {settings: [...defaults, ...given, ...ofFolder(cwd, state)].toSorted(byPath), problems};
}

/** Returns a folder's rules, agents and servers. */
function ofFolder(cwd: string, state: string): readonly SourcedSetting[] {
  const project = readProjectSettings(cwd);
  if (!project) return [];
  const isOfTrusted = isTrusted(state, cwd, project.hash);
  const source = (name: string): SettingSource => ({
    kind: 'folder',
    file: join(cwd, name),
    isTrusted: isOfTrusted,
  });
  const effects = [...new Set(project.rules.map(({effect}) => effect))];
  return [
    ...effects.map((effect) => ({
      path: ['permissions', effect],
      value: project.rules.filter((rule) => rule.effect === effect).map(({text}) => text),
      source: source(PROJECT_FILE),
    })),
    ...leavesOf({agent: project.agents.agent, agents: project.agents.agents})
      .filter(({path: [, , field], value}) => value !== undefined && field !== 'permissions')
      .map(({path, value}) => ({path, value, source: source(PROJECT_FILE)})),
    ...project.servers.map((server) => ({
      path: ['mcpServers', server.name],
      value: describeServer(server),
      source: source(SERVERS_FILE),
    })),
  ];
}

function byPath(one: SourcedSetting, other: SourcedSetting): number {
  return pathText(one.path).localeCompare(pathText(other.path), 'en');
}
