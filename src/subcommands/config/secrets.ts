import {createMaskDeep} from '../../persistence/mask.ts';
import {withValueAt, valueAt, type SettingPath} from '../../persistence/setting-paths.ts';

const MASK = '[masked]';

/** Environments and headers: their values are nobody's business, whatever they are called. */
const GIVEN: ReadonlySet<string> = new Set(['env', 'headers']);

/** The value of the setting at that path, with what is or looks like a credential masked; a reference to a variable is none. */
export function maskSetting(path: SettingPath, value: unknown, env: NodeJS.ProcessEnv): unknown {
  const isGiven = path.slice(0, -1).some((name) => GIVEN.has(name));
  if (isGiven && typeof value === 'string') return /^\$\{[^}]*\}$/.test(value) ? value : MASK;
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, maskSetting([...path, name], inner, env)]),
    );
  // The name belongs to it: "apiKey" says that what follows is one.
  return valueAt(createMaskDeep(env)(withValueAt(undefined, path, value)), path);
}
