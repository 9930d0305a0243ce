import {createMaskDeep} from '../shared/mask.ts';
import {valueAt, withValueAt, type SettingPath} from './setting-paths.ts';
import {isJsonObject} from '../text/json.ts';

const MASK = '[masked]';

/** Environment variables and headers, whose values are always masked. */
const GIVEN: ReadonlySet<string> = new Set(['env', 'headers']);

/** Returns the value of a setting with credentials masked. A reference to a variable is not one. */
export function maskSetting(path: SettingPath, value: unknown, env: NodeJS.ProcessEnv): unknown {
  const isGiven = path.slice(0, -1).some((name) => GIVEN.has(name));
  if (isGiven && typeof value === 'string') return /^\$\{[^}]*\}$/.test(value) ? value : MASK;
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, maskSetting([...path, name], inner, env)]),
    );
  if (path[0] === 'agents' && path[2] === 'url' && typeof value === 'string')
    return value.replace(/\?.*$/s, `?${MASK}`).replace(/\/\/[^/@]*@/, `//${MASK}@`);
  // With its name: "apiKey" marks its value as secret.
  return valueAt(createMaskDeep(env)(withValueAt(undefined, path, value)), path);
}
