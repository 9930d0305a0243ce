import {join} from 'node:path';
import {readKeys} from '../app/keymap/key-settings.ts';
import {readServers} from './server-config.ts';
import {writeFailure} from '../shared/files/file-failure.ts';
import {fail, type Result} from '../shared/failure.ts';
import {jsonOf, jsonText} from '../text/json.ts';
import {replaceFile} from '../shared/files/safe-files.ts';
import {PROJECT_FILE, readProjectSettings} from './project-settings.ts';
import {problemTexts} from './setting-problems.ts';
import {currentPath} from './setting-names.ts';
import {valueAt, withValueAt, type SettingPath} from './setting-paths.ts';
import {isSettingName, unknownSetting} from './schema/settings-schema.ts';
import {changeAt, settingsFile, settingsIn, settingsToChange} from './settings.ts';
import {isTrusted, trustFolder} from './trusted-folders.ts';

/** A setting and its new value as typed; undefined removes it. */
interface SettingChange {
  readonly path: SettingPath;
  readonly value?: string | undefined;
}

/** Returns the value to write: JSON, otherwise plain text. Fails with `invalid_setting` if it would cause a new problem. */
function checkedValue(
  before: object,
  {path, value: typed}: SettingChange,
  problemsIn: (settings: object) => readonly string[],
): Result<unknown> {
  const known = new Set(problemsIn(before));
  const tried = (typed === undefined ? [undefined] : valuesOf(typed)).map((value) => {
    const given = withValueAt(before, path, value) ?? {};
    return {value, problem: problemsIn(given).find((problem) => !known.has(problem))};
  });
  const fitting = tried.find(({problem}) => problem === undefined);
  if (fitting) return {ok: true, value: fitting.value};
  return fail({kind: 'invalid_setting', problem: tried[0]?.problem ?? ''});
}

/** The path of today for a setting that is changed by any name; of a group whose name gets a single value, or loses it, what turns it on. */
function placeOf({path, value = 'off'}: SettingChange): SettingPath {
  return currentPath(path, jsonOf(value) ?? value);
}

/** Possible values of the typed text: as JSON, and as a string. */
function valuesOf(typed: string): readonly unknown[] {
  const value = jsonOf(typed);
  return value === undefined || typeof value === 'string' ? [value ?? typed] : [value, typed];
}

/** What follows from a problem here. */
const REFUSED = 'nothing changed';

/** Returns all problems that would be reported at startup with these settings of the user. */
function userProblems(given: object, file: string): readonly string[] {
  const {settings, problems} = settingsIn(given, file);
  const ofAgents = Object.values(settings.agents ?? {}).map(({mcpServers = {}}) => mcpServers);
  const servers = [settings.mcpServers ?? {}, ...ofAgents];
  const ofServers = servers.flatMap((some) => readServers(some, {kind: 'user', file}).problems);
  return [...problemTexts([...problems, ...ofServers], REFUSED), ...readKeys(settings.keys ?? {}).wrong];
}

/** Checks and changes a setting in the user's file; returns a sentence for each key that now belongs to another action. */
export async function changeUserSetting(
  config: string,
  change: SettingChange,
): Promise<Result<readonly string[]>> {
  const path = placeOf(change);
  const [name = '', ...rest] = path;
  if (!isSettingName(name)) return fail({kind: 'invalid_setting', problem: unknownSetting(name)});
  const file = settingsFile(config);
  const before = settingsToChange(file);
  if (!before.ok) return before;
  const checked = checkedValue(before.value, {...change, path}, (given) => userProblems(given, file));
  if (!checked.ok) return checked;
  const changed = await changeAt(config, [name, ...rest], checked.value);
  if (!changed.ok) return changed;
  const conflicts = (given: object) => readKeys(settingsIn(given, file).settings.keys ?? {}).problems;
  const known = new Set(conflicts(before.value));
  const after = withValueAt(before.value, path, checked.value) ?? {};
  return {ok: true, value: conflicts(after).filter((conflict) => !known.has(conflict))};
}

interface ProjectPlace {
  /** The state folder. */
  readonly state: string;
  readonly folder: string;
}

/**
 * Checks and changes a setting in the folder's file. Its other settings must be trusted, or absent; the result is trusted, because the
 * user made the change.
 */
export function changeProjectSetting({state, folder}: ProjectPlace, change: SettingChange): Result<void> {
  const file = join(folder, PROJECT_FILE);
  const project = readProjectSettings(folder);
  if (project && !isTrusted(state, folder, project.hash)) {
    const problem = `The settings of this folder are not trusted; nothing changed in ${file}.`;
    return fail({kind: 'invalid_setting', problem});
  }
  const before = settingsToChange(file);
  if (!before.ok) return before;
  const path = placeOf(change);
  const checked = checkedValue(before.value, {...change, path}, (given) =>
    problemTexts(settingsIn(given, file, {of: 'project'}).problems, REFUSED),
  );
  if (!checked.ok) return checked;
  const text = `${jsonText(withValueAt(before.value, path, checked.value) ?? {}, 2)}\n`;
  try {
    replaceFile(file, text, 0o644);
  } catch (error) {
    return fail(writeFailure({file}, error));
  }
  const after = readProjectSettings(folder);
  const others = (of: typeof project) => (of?.files ?? []).filter(({name}) => name !== PROJECT_FILE);
  const isOurs = after?.files.find(({name}) => name === PROJECT_FILE)?.text === text;
  // Another program may have changed a file meanwhile: unseen content is not trusted.
  const isSame = JSON.stringify(others(after)) === JSON.stringify(others(project));
  return after && isOurs && isSame ? trustFolder(state, folder, after.hash) : {ok: true, value: undefined};
}

/** Returns the value of a setting in the user's file alone; undefined if it is not set there. */
export function userValue(config: string, path: SettingPath): unknown {
  const content = settingsToChange(settingsFile(config));
  return content.ok ? valueAt(content.value, path) : undefined;
}
