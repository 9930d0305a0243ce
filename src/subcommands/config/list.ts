import type {ConfigCommand} from '../../cli/config/commands.ts';
import {pathText} from '../../persistence/setting-paths.ts';
import {sourcedSettings, type SettingSource} from '../../persistence/setting-sources.ts';
import {jsonText} from '../../text/json.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {tableLines} from '../table.ts';
import type {ConfigContext} from './context.ts';
import {maskSetting} from './secrets.ts';

/** Lists every setting that has a value, with where that comes from. */
export function list(
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
    stdout.write(`${jsonText({v: 1, settings: shown, problems}, 2)}\n`);
    return 0;
  }
  for (const problem of problems) warn(problem);
  const {bold, dim} = stdout.look;
  const columns = [
    {texts: shown.map(({name}) => escapeHiddenLine(name)), look: bold},
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
      return `${escapeHiddenLine(source.file)}${source.isTrusted ? '' : ' (not trusted: it does not hold)'}`;
  }
}
