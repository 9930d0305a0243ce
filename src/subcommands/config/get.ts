import type {ConfigCommand} from '../../cli/config/commands.ts';
import {pathText, valueAt, withValueAt} from '../../persistence/setting-paths.ts';
import {readSettings} from '../../persistence/settings.ts';
import {isSettingName, settingFields, usualSettings} from '../../persistence/settings-schema.ts';
import {jsonText} from '../../text/json.ts';
import {escapeHidden} from '../../text/hidden.ts';
import type {ConfigContext} from './context.ts';
import {maskSetting} from './secrets.ts';

/** Writes what holds for a user: the default where nothing else is said. Exit code 1 where there is no value. */
export function get(
  {path, withSecrets, json}: Extract<ConfigCommand, {kind: 'get'}>,
  {config, env, stdout, stderr, warn}: ConfigContext,
): number {
  const [name = ''] = path;
  if (!isSettingName(name)) {
    stderr(`acp-tui: ${unknownSetting(name)}\n`);
    return 2;
  }
  const {settings, problems} = readSettings(config, env);
  for (const problem of problems) warn(problem);
  const value = withUsual(valueAt(usualSettings(settings), path), valueAt(settings, path));
  if (value === undefined) {
    stderr(`acp-tui: ${pathText(path)} is not set.\n`);
    return 1;
  }
  const shown = withSecrets ? value : maskSetting(path, value, env);
  // A script gets the value as it is.
  const text = (plain: string) => (stdout.columns === undefined ? plain : escapeHidden(plain));
  stdout.write(`${text(typeof shown === 'string' && !json ? shown : jsonText(shown, 2))}\n`);
  return 0;
}

/** What is usual stands where the settings leave something out. */
function withUsual(usual: unknown, value: unknown): unknown {
  if (value === undefined || typeof usual !== 'object' || usual === null) return value ?? usual;
  return Object.entries(usual).reduce<unknown>(
    (whole, [name, inner]) =>
      valueAt(whole, [name]) === undefined ? withValueAt(whole, [name], inner) : whole,
    value,
  );
}

/** Says that there is no such setting, and which there are. */
export function unknownSetting(name: string): string {
  return `There is no setting ${JSON.stringify(name)}. Settings are ${Object.keys(settingFields).join(', ')}.`;
}
