import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Result} from '../failure.ts';
import type {PermissionRule} from '../session/permission-rules.ts';
import {readAgents, type AgentSettings} from './agent-settings.ts';
import {codeOf, makeFolder, PRIVATE_FILE} from './private-files.ts';
import {readRules} from './rule-settings.ts';
import {
  isSettingName,
  settingFields,
  variableOf,
  type SettingName,
  type Settings,
} from './settings-schema.ts';
import {rightEntries, wrongSetting} from './wrong-setting.ts';

/** Settings that could be used, and a sentence for each that could not. */
export interface ReadSettings {
  readonly settings: Settings;
  /** Those that a variable of the environment gives. */
  readonly fromEnvironment: ReadonlySet<SettingName>;
  /** Those of `permissions` and of the agents, read. */
  readonly rules: readonly PermissionRule[];
  readonly problems: readonly string[];
}

/**
 * Reads `config.json` of the config folder, then what `ACP_TUI_*` variables override. A wrong value never stops the program:
 * it is left out, and named with what is allowed. (Reading does without conf, which takes longer to load than all of this.)
 */
export function readSettings(folder: string, env: NodeJS.ProcessEnv = process.env): ReadSettings {
  const file = join(folder, 'config.json');
  const problems: string[] = [];
  const settings: {-readonly [Name in SettingName]?: unknown} = {};

  const fromEnvironment = new Set<SettingName>();

  function take(name: SettingName, value: unknown, where: string): boolean {
    const {schema, allowed} = settingFields[name];
    const fits = schema.safeParse(value).success;
    if (fits) settings[name] = value;
    else problems.push(wrongSetting(where, allowed, value));
    return fits;
  }

  for (const [name, value] of Object.entries(readObject(file, problems))) {
    if (isSettingName(name))
      take(
        name,
        rightEntries(settingFields[name], value, {path: name, file, problems}),
        `"${name}" in ${file}`,
      );
    else problems.push(`"${name}" in ${file} is no setting; it is ignored.`);
  }
  for (const name of Object.keys(settingFields).filter(isSettingName)) {
    const variable = variableOf(name);
    const value = variable === undefined ? undefined : env[variable];
    if (variable !== undefined && value && take(name, value, variable)) fromEnvironment.add(name);
  }
  const {permissions = {}, agents = {}, registry} = settings as Settings;
  const url = env['ACP_TUI_REGISTRY_URL'];
  if (url) settings.registry = {...registry, url};
  const own = readRules(permissions, 'user', file);
  const ofAgents = readAgents(agents, file);
  return {
    settings: {...(settings as Settings), ...(settings.agents !== undefined && {agents: ofAgents.agents})},
    fromEnvironment,
    rules: [...own.rules, ...ofAgents.rules],
    problems: [...problems, ...own.problems, ...ofAgents.problems],
  };
}

/** Changes one setting in the file, others and their order stay; a file that cannot be understood is not overwritten. */
export function changeSetting<Name extends SettingName>(
  folder: string,
  name: Name,
  value: NonNullable<Settings[Name]>,
): Promise<Result<void>> {
  return change(folder, name, () => value);
}

/** Adds or replaces an agent, or removes it with undefined; the others stay, also what of them cannot be understood. */
export function changeAgent(
  folder: string,
  name: string,
  agent: AgentSettings | undefined,
): Promise<Result<void>> {
  return change(folder, 'agents', (before) => {
    const others = Object.entries(typeof before === 'object' ? (before ?? {}) : {}).filter(
      ([other]) => other !== name,
    );
    return Object.fromEntries([...others, ...(agent ? [[name, agent]] : [])]);
  });
}

async function change(
  folder: string,
  name: SettingName,
  from: (before: unknown) => unknown,
): Promise<Result<void>> {
  try {
    makeFolder(folder);
    const {default: Conf} = await import('conf');
    const conf = new Conf<Record<string, unknown>>({cwd: folder, configFileMode: PRIVATE_FILE});
    conf.set(name, from(conf.get(name)));
    return {ok: true, value: undefined};
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return {ok: false, failure: {kind: 'file', path: join(folder, 'config.json'), problem}};
  }
}

function readObject(file: string, problems: string[]): object {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    problems.push(`${file} must hold a JSON object; it is ignored.`);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    const problem = error instanceof Error ? error.message : String(error);
    problems.push(`${file} cannot be read (${problem}); it is ignored.`);
  }
  return {};
}
