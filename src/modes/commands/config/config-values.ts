import {changeUserSetting} from '../../../settings/setting-changes.ts';
import {maskSetting} from '../../../settings/setting-mask.ts';
import {currentPath} from '../../../settings/setting-names.ts';
import {pathText, valueAt} from '../../../settings/setting-paths.ts';
import {problemTexts} from '../../../settings/setting-problems.ts';
import {
  settingValue,
  sourcedSettings,
  type SettingSource,
  type SettingPlaces,
} from '../../../settings/setting-values.ts';
import {isSettingName, unknownSetting, variableOf} from '../../../settings/schema/settings-schema.ts';
import {settingsFile, settingsToChange} from '../../../settings/settings.ts';
import {escapeHiddenLine, escapeHidden} from '../../../text/hidden.ts';
import {jsonText} from '../../../text/json.ts';
import {exitCodeOfFailure} from '../../../cli/exit-codes.ts';
import {printFailure, type SubcommandIo} from '../../../cli/terminal-io.ts';
import {tableLines} from '../../../cli/table.ts';
import type {ConfigCommand} from './config-arguments.ts';

/** Lists every setting that has a value, with its origin. */
export function listSettings(
  {withSecrets, json}: Extract<ConfigCommand, {kind: 'list'}>,
  context: ConfigContext,
): number {
  const {stdout, env, warn} = context;
  const {settings, problems} = sourcedSettings(context);
  const shown = settings.map(({path, value, source}) => ({
    name: pathText(path),
    value: withSecrets ? value : maskSetting(path, value, env),
    source,
  }));
  if (json) {
    stdout.write(`${jsonText({v: 1, settings: shown, problems: problemTexts(problems)}, 2)}\n`);
    return 0;
  }
  for (const problem of problemTexts(problems)) warn(problem);
  const {bold, dim} = stdout.style;
  const columns = [
    {texts: shown.map(({name}) => escapeHiddenLine(name)), style: bold},
    {texts: shown.map(({value}) => escapeHiddenLine(jsonText(value, 0))), most: 48},
    {texts: shown.map(({source}) => dim(sourceText(source)))},
  ];
  for (const line of tableLines(columns, stdout)) stdout.write(`${line}\n`);
  return 0;
}

function sourceText(source: SettingSource): string {
  switch (source.kind) {
    case 'default':
      return 'default';
    case 'file':
      return escapeHiddenLine(source.file);
    case 'environment':
      return `environment: ${source.variable}`;
    case 'folder':
      return `${escapeHiddenLine(source.file)}${source.isTrusted ? '' : ' (not trusted: ignored)'}`;
  }
}

/** Prints the effective value, or the default if it is not set. Exit code 1 if there is no value. */
export function getSetting(
  {path: given, withSecrets, json}: Extract<ConfigCommand, {kind: 'get'}>,
  context: ConfigContext,
): number {
  const {env, stdout, stderr, warn} = context;
  const path = currentPath(given);
  const [name = ''] = path;
  if (!isSettingName(name)) return printFailure(stderr, unknownSetting(name), 2);
  const {value, problems} = settingValue(path, context);
  for (const problem of problemTexts(problems)) warn(problem);
  if (value === undefined) return printFailure(stderr, `${pathText(path)} is not set.`);
  const shown = withSecrets ? value : maskSetting(path, value, env);
  // Scripts get the raw value.
  const text = (plain: string) => (stdout.columns === undefined ? plain : escapeHidden(plain));
  stdout.write(`${text(typeof shown === 'string' && !json ? shown : jsonText(shown, 2))}\n`);
  return 0;
}

/** Changes or removes a setting in the file; an invalid value is rejected with the allowed ones. */
export async function changeSettingAt(
  {kind, path: given, ...change}: Extract<ConfigCommand, {kind: 'set' | 'unset'}>,
  {config, env, stderr, warn}: ConfigContext,
): Promise<number> {
  // `unset sandbox` is the reverse of `set sandbox on`.
  const path = currentPath(given, kind === 'unset' ? 'off' : undefined);
  const file = settingsFile(config);
  const before = settingsToChange(file);
  const isThere = !before.ok || !isSettingName(path[0] ?? '') || valueAt(before.value, path) !== undefined;
  if (kind === 'unset' && !isThere) return printFailure(stderr, `${pathText(path)} is not set in ${file}.`);
  const changed = await changeUserSetting(config, {path, ...change});
  if (!changed.ok) return printFailure(stderr, changed.failure, exitCodeOfFailure(changed.failure));
  const variable = variableOf(path);
  if (variable !== undefined && env[variable])
    warn(`${variable} is set in your environment and overrides the file.`);
  for (const conflict of changed.value) warn(conflict);
  return 0;
}

/** Dependencies of the `config` subcommands. */
export interface ConfigContext extends SettingPlaces, Pick<SubcommandIo, 'stdout' | 'stderr' | 'warn'> {
  /** Opens a file in an editor in the terminal; resolves to the reason if that failed. Undefined if there is no terminal. */
  readonly edit: ((file: string) => Promise<string | undefined>) | undefined;
}
