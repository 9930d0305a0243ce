import {lstatSync, writeFileSync, type Stats} from 'node:fs';
import {constants} from 'node:os';
import {dirname, join} from 'node:path';
import type Conf from 'conf';
import {fileFailed, writeFailure} from '../shared/files/file-failure.ts';
import {fail, type Result} from '../shared/failure.ts';
import type {PermissionRule} from '../session/requests/permission-rules.ts';
import {readAgents} from './schema/agent-settings.ts';
import {codeOf, makeFolder, PRIVATE_FILE, readRegularFile, replaceFile} from '../shared/files/safe-files.ts';
import type {Hook} from '../session/settings/hooks.ts';
import {readHooks} from './schema/hook-settings.ts';
import {readRules} from './schema/rule-settings.ts';
import {settingFields} from './schema/all-settings.ts';
import {
  isProjectSetting,
  isProtective,
  isSettingName,
  VARIABLES,
  type SettingName,
  type Settings,
} from './schema/settings-schema.ts';
import {currentSettings, isGone, nameInFile} from './setting-names.ts';
import {pathText, withValueAt, type SettingPath} from './setting-paths.ts';
import {didYouMean, mustBe, similar, switchWord, validEntries} from './schema/setting-fields.ts';
import {
  unreadableFile,
  type ReportProblem,
  type SettingProblem,
  type SettingsOwner,
} from './setting-problems.ts';
import {themeNames} from './schema/theme-settings.ts';
import {isJsonObject, parseUniqueKeys} from '../text/json.ts';

/** Valid settings, and what is wrong with the others. */
export interface ReadSettings {
  readonly settings: Settings;
  /** The paths of settings from environment variables. */
  readonly fromEnvironment: ReadonlySet<string>;
  /** The parsed rules of `permissions` and of the agents. */
  readonly rules: readonly PermissionRule[];
  readonly hooks: readonly Hook[];
  readonly problems: readonly SettingProblem[];
}

/** Returns the path of the user's settings file. */
export function settingsFile(folder: string): string {
  return join(folder, 'config.json');
}

/**
 * Reads `config.json` of the config folder, then `ACP_TUI_*` variables. An invalid value is left out, and reported with the allowed values. (Does not use conf,
 * which takes longer to load than all of this.)
 */
export function readSettings(folder: string, env: NodeJS.ProcessEnv = process.env): ReadSettings {
  const file = settingsFile(folder);
  const content = fileContent(file);
  if (content.ok) return settingsIn(content.value, file, {env});
  const read = settingsIn({}, file, {env});
  return {...read, problems: [unreadableFile(file, content.failure.problem), ...read.problems]};
}

/** Returns the settings in an object for that file, with overrides from variables. The file of a project may have few of them. */
export function settingsIn(
  content: object,
  file: string,
  {env = {}, of = 'user'}: {readonly env?: NodeJS.ProcessEnv; readonly of?: SettingsOwner} = {},
): ReadSettings {
  const problems: SettingProblem[] = [];
  const settings: {-readonly [Name in SettingName]?: unknown} = {};
  const fromEnvironment = new Set<string>();
  const {settings: json, written, twice, wrongGroups} = currentSettings(content);
  const knownThemes: readonly unknown[] = themeNames((json as {readonly themes?: unknown}).themes);

  const report: ReportProblem = (path, wrong, hint) => {
    const inFile = nameInFile(path.map(String), written) ?? path;
    problems.push({file, path: inFile, wrong, hint, protects: isProtective(path, of)});
  };

  /** Takes a value that fits; returns what is wrong with any other. */
  function take(name: SettingName, given: unknown): string | undefined {
    const {schema, allowed} = settingFields[name];
    const value = switchWord(schema, given);
    const fits = schema.safeParse(value).success && (name !== 'theme' || knownThemes.includes(value));
    if (fits) settings[name] = value;
    return fits ? undefined : mustBe(allowed, value);
  }

  for (const {path, other} of twice) {
    const which = other === path ? 'which' : `and "${other.join('.')}"`;
    report(path, `is an earlier name of "${path.join('.')}", ${which} is set, too`);
  }
  for (const {path, value} of wrongGroups) report(path, wrongGroupText(path, value));
  for (const [name, value] of Object.entries(json)) {
    // Editors complete and check a file by the first; acp-tui wrote the second before it was state.
    if (name === '$schema' || name === 'lastAgent') continue;
    if (!isSettingName(name)) {
      const meant = similar(name, Object.keys(settingFields));
      report([name], 'is not a setting', didYouMean([], meant));
    } else if (of === 'project' && !isProjectSetting([name])) report([name], 'is not a folder setting');
    else {
      const wrong = take(name, validEntries(settingFields[name], value, {path: [name], of}, report));
      if (wrong !== undefined && isGone(name, value))
        problems.push({file, path: [name], wrong, hint: 'The default applies.', protects: false});
      else if (wrong !== undefined) report([name], wrong);
    }
  }
  for (const [variable, [name, ...rest]] of VARIABLES) {
    const value = env[variable];
    if (!value) continue;
    const wrong = take(name, withValueAt(settings[name], rest, value));
    if (wrong === undefined) fromEnvironment.add(pathText([name, ...rest]));
    else problems.push({wrong: `${variable} ${wrong}`, protects: isProtective([name], 'user')});
  }
  const {permissions = {}, agents} = settings as Settings;
  const rules = readRules(permissions, {source: of}, report);
  const ofAgents = readAgents(agents ?? {}, of, report);
  return {
    settings: {...(settings as Settings), ...(agents && {agents: ofAgents.agents})},
    fromEnvironment,
    rules: [...rules, ...ofAgents.rules],
    hooks: readHooks((settings as Settings).hooks, of),
    problems,
  };
}

/** Sets the value at a path of the file, or removes it with undefined; the others keep their order, and get their names of today. The caller validates it. An unparsable file is not overwritten. */
export async function changeAt(
  folder: string,
  [name, ...rest]: readonly [SettingName, ...string[]],
  value: unknown,
): Promise<Result<void>> {
  const file = settingsFile(folder);
  const content = settingsToChange(file);
  if (!content.ok) return content;
  try {
    makeFolder(folder);
    const Store = await loadConf();
    const deserialize = (text: string) =>
      currentSettings(parseUniqueKeys(text) as object).settings as Record<string, unknown>;
    const conf = new Store<Record<string, unknown>>({cwd: folder, deserialize});
    const {[name]: before, ...others} = conf.store;
    const changed = withValueAt(before, rest, value);
    const store = changed === undefined ? others : {...conf.store, [name]: changed};
    // conf's writer would leave a part of the file on a full disk.
    replaceFile(file, JSON.stringify(store, undefined, '\t'));
    return {ok: true, value: undefined};
  } catch (error) {
    return fail(writeFailure({file}, error));
  }
}

/** Loads conf without the listeners of its writer, which raise every signal again: acp-tui would read that as a second signal from the user. */
async function loadConf(): Promise<typeof Conf> {
  const signals = Object.keys(constants.signals) as NodeJS.Signals[];
  const before = new Map(signals.map((signal) => [signal, process.rawListeners(signal)]));
  const {default: Loaded} = await import('conf');
  for (const [signal, own] of before)
    for (const listener of process.rawListeners(signal))
      if (!own.includes(listener)) process.off(signal, listener as NodeJS.SignalsListener);
  return Loaded;
}

/** Creates the file if it does not exist. */
export function createSettingsFile(folder: string): Result<void> {
  const file = settingsFile(folder);
  try {
    makeFolder(folder);
    writeFileSync(file, '{}\n', {mode: PRIVATE_FILE, flag: 'wx'});
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return fileFailed(file, error);
  }
  return {ok: true, value: undefined};
}

/** Says what a group of settings must be. */
function wrongGroupText([name = '']: SettingPath, value: unknown): string {
  return mustBe(isSettingName(name) ? settingFields[name].allowed : 'an object', value);
}

/** Returns the settings in the file by their names of today. Fails if a setting stands there by two names, since one of the values would be lost. */
export function settingsToChange(file: string): Result<object> {
  const content = fileContent(file);
  if (!content.ok) return content;
  const {settings, written, twice, wrongGroups} = currentSettings(content.value);
  const problems = [
    ...twice.map(({path, other}) => {
      const earlier = pathText(written.get(pathText(path)) ?? []);
      return `${file} has "${earlier}" and "${pathText(other)}", which are the same setting`;
    }),
    ...wrongGroups.map(({path, value}) => `"${pathText(path)}" in ${file} ${wrongGroupText(path, value)}`),
  ];
  const [first] = problems;
  if (first === undefined) return {ok: true, value: settings};
  return fail({kind: 'invalid_setting', problem: `${first}; nothing changed.`});
}

/** Returns the object in the file; empty if there is no file. */
function fileContent(
  file: string,
): {readonly ok: true; readonly value: object} | ReturnType<typeof fileFailed> {
  try {
    const value = parseUniqueKeys(readRegularFile(file));
    return isJsonObject(value) ? {ok: true, value} : fileFailed(file, 'it must be a JSON object');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return fileFailed(file, error);
    const nearest = nearestEntry(file);
    return nearest.isSymbolicLink() ? fileFailed(file, 'its target does not exist') : {ok: true, value: {}};
  }
}

/** Returns what a path is, or else its folder, or else the one above it: a link there leads nowhere. */
function nearestEntry(path: string): Stats {
  return lstatSync(path, {throwIfNoEntry: false}) ?? nearestEntry(dirname(path));
}
