import {writeFileSync} from 'node:fs';
import {constants} from 'node:os';
import {join} from 'node:path';
import type Conf from 'conf';
import {notWritten} from '../../shared/file-failure.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import type {PermissionRule} from '../../session/requests/permission-rules.ts';
import {readAgents} from './agent-settings.ts';
import {codeOf, fileFailure, makeFolder, PRIVATE_FILE, readRegularFile, replaceFile} from '../files.ts';
import {readRules} from './rule-settings.ts';
import {isSettingName, settingFields, VARIABLES, type SettingName, type Settings} from './settings-schema.ts';
import {pathText, withValueAt} from './setting-paths.ts';
import {validEntries, invalidSetting} from './setting-problems.ts';
import {themeNames} from './theme-settings.ts';
import {isFields} from '../../text/json.ts';

/** Valid settings, and a sentence for each invalid one. */
export interface ReadSettings {
  readonly settings: Settings;
  /** The paths of settings from environment variables. */
  readonly fromEnvironment: ReadonlySet<string>;
  /** The parsed rules of `permissions` and of the agents. */
  readonly rules: readonly PermissionRule[];
  readonly problems: readonly string[];
}

/** Returns the path of the user's settings file. */
export function settingsFile(folder: string): string {
  return join(folder, 'config.json');
}

/**
 * Reads `config.json` of the config folder, then `ACP_TUI_*` variables. An invalid value never stops the program: it is ignored, and reported with the allowed
 * values. (Does not use conf, which takes longer to load than all of this.)
 */
export function readSettings(folder: string, env: NodeJS.ProcessEnv = process.env): ReadSettings {
  const file = settingsFile(folder);
  const content = fileContent(file);
  const read = settingsIn(content.ok ? content.value : {}, file, env);
  return content.ok ? read : {...read, problems: [unreadable(content.failure), ...read.problems]};
}

function unreadable({path, problem}: Extract<Failure, {kind: 'file'}>): string {
  return `${path} cannot be read (${problem}); it is ignored.`;
}

/** Returns the settings in an object for that file, with overrides from variables. */
export function settingsIn(given: object, file: string, env: NodeJS.ProcessEnv = {}): ReadSettings {
  const problems: string[] = [];
  const settings: {-readonly [Name in SettingName]?: unknown} = {};
  const fromEnvironment = new Set<string>();

  const knownThemes: readonly unknown[] = themeNames((given as {readonly themes?: unknown}).themes);

  function take(name: SettingName, value: unknown, where: string): boolean {
    const {schema, allowed} = settingFields[name];
    const fits = schema.safeParse(value).success && (name !== 'theme' || knownThemes.includes(value));
    if (fits) settings[name] = value;
    else problems.push(invalidSetting(where, allowed, value));
    return fits;
  }

  for (const [name, value] of Object.entries(given)) {
    const where = `"${name}" in ${file}`;
    if (isSettingName(name))
      take(name, validEntries(settingFields[name], value, {path: name, file, problems}), where);
    else problems.push(`Unknown setting ${where}; it is ignored.`);
  }
  for (const [variable, path] of VARIABLES) {
    const [name, ...rest] = path;
    const value = env[variable];
    if (value && take(name, withValueAt(settings[name], rest, value), variable))
      fromEnvironment.add(pathText(path));
  }
  const {permissions = {}, agents = {}} = settings as Settings;
  const own = readRules(permissions, 'user', file);
  const ofAgents = readAgents(agents, file);
  return {
    settings: {...(settings as Settings), ...(settings.agents !== undefined && {agents: ofAgents.agents})},
    fromEnvironment,
    rules: [...own.rules, ...ofAgents.rules],
    problems: [...problems, ...own.problems, ...ofAgents.problems],
  };
}

/** Changes one setting in the file, keeping the others and their order; an unparsable file is not overwritten. */
export function changeSetting<Name extends SettingName>(
  folder: string,
  name: Name,
  value: NonNullable<Settings[Name]>,
): Promise<Result<void>> {
  return change(folder, name, () => value);
}

/** Sets the value at a path, or removes it with undefined. The caller validates it. */
export function changeAt(
  folder: string,
  [name, ...rest]: readonly [SettingName, ...string[]],
  value: unknown,
): Promise<Result<void>> {
  return change(folder, name, (before) => withValueAt(before, rest, value));
}

async function change(
  folder: string,
  name: SettingName,
  from: (before: unknown) => unknown,
): Promise<Result<void>> {
  const file = settingsFile(folder);
  const content = fileContent(file);
  if (!content.ok) return content;
  try {
    makeFolder(folder);
    const Store = await loadConf();
    const conf = new Store<Record<string, unknown>>({cwd: folder});
    const {[name]: before, ...others} = conf.store;
    const value = from(before);
    const store = value === undefined ? others : {...conf.store, [name]: value};
    // conf's writer would leave a part of the file on a full disk.
    replaceFile(file, JSON.stringify(store, undefined, '\t'));
    return {ok: true, value: undefined};
  } catch (error) {
    return {ok: false, failure: notWritten({file}, error)};
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
    if (codeOf(error) !== 'EEXIST') return {ok: false, failure: fileFailure(file, error)};
  }
  return {ok: true, value: undefined};
}

type Read =
  | {readonly ok: true; readonly value: object}
  | {readonly ok: false; readonly failure: Extract<Failure, {kind: 'file'}>};

/** Returns the object in the file; empty if there is no file. */
export function fileContent(file: string): Read {
  try {
    const value: unknown = JSON.parse(readRegularFile(file));
    if (isFields(value)) return {ok: true, value};
    return {ok: false, failure: {kind: 'file', path: file, problem: 'it must be a JSON object'}};
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {ok: true, value: {}};
    return {ok: false, failure: fileFailure(file, error)};
  }
}
