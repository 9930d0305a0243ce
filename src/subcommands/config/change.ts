import {readKeys} from '../../app/key-settings.ts';
import type {ConfigCommand} from '../../cli/config/commands.ts';
import {exitCodeOfFailure} from '../../cli/exit-codes.ts';
import {failureSentence} from '../../errors.ts';
import {readServers} from '../../mcp/configured.ts';
import {pathText, valueAt, withValueAt} from '../../persistence/setting-paths.ts';
import {changeAt, fileContent, settingsFile, settingsIn} from '../../persistence/settings.ts';
import {isSettingName, VARIABLES} from '../../persistence/settings-schema.ts';
import {jsonOf} from '../../text/json.ts';
import type {ConfigContext} from './context.ts';
import {unknownSetting} from './get.ts';

/** Changes a setting in the file, or takes it out; a value that could not be used is refused, and what is allowed is said. */
export async function changeSettingAt(
  command: Extract<ConfigCommand, {kind: 'set' | 'unset'}>,
  {config, env, stderr, warn}: ConfigContext,
): Promise<number> {
  const {path} = command;
  const [name = '', ...rest] = path;
  const fail = (sentence: string) => {
    stderr(`acp-tui: ${sentence}\n`);
    return 2;
  };
  if (!isSettingName(name)) return fail(unknownSetting(name));
  const file = settingsFile(config);
  const before = fileContent(file);
  if (!before.ok) return fail(failureSentence(before.failure));
  if (command.kind === 'unset' && valueAt(before.value, path) === undefined) {
    stderr(`acp-tui: ${pathText(path)} is not set in ${file}.\n`);
    return 1;
  }
  const known = new Set(problemsIn(before.value, file));
  const candidates = command.kind === 'unset' ? [undefined] : valuesOf(command.value);
  const tried = candidates.map((value) => ({
    value,
    problem: problemsIn(withValueAt(before.value, path, value), file).find((problem) => !known.has(problem)),
  }));
  const fitting = tried.find(({problem}) => problem === undefined);
  if (!fitting)
    return fail((tried[0]?.problem ?? '').replace(/; it is ignored\.$/, '; nothing was changed.'));
  const changed = await changeAt(config, [name, ...rest], fitting.value);
  if (!changed.ok) {
    fail(failureSentence(changed.failure));
    return exitCodeOfFailure(changed.failure);
  }
  const variable = VARIABLES.find(([, other]) => pathText(other) === pathText(path))?.[0];
  if (variable !== undefined && env[variable])
    warn(`${variable} is set in your environment and goes before the file.`);
  const toldBefore = new Set(keyProblems(before.value, file));
  const after = withValueAt(before.value, path, fitting.value);
  for (const conflict of keyProblems(after, file).filter((told) => !toldBefore.has(told))) warn(conflict);
  return 0;
}

/** What would be told of the keys, also where one action takes a key from another. */
function keyProblems(given: unknown, file: string): readonly string[] {
  return readKeys(settingsIn(given ?? {}, file).settings.keys ?? {}).problems;
}

/** What was typed as JSON, and as a text. */
function valuesOf(typed: string): readonly unknown[] {
  const value = jsonOf(typed);
  return value === undefined || typeof value === 'string' ? [value ?? typed] : [value, typed];
}

/** All that would be told of these settings at a start. */
function problemsIn(given: unknown, file: string): readonly string[] {
  const {settings, problems} = settingsIn(given ?? {}, file);
  const ofAgents = Object.values(settings.agents ?? {}).map(({mcpServers = {}}) => mcpServers);
  const servers = [settings.mcpServers ?? {}, ...ofAgents];
  return [
    ...problems,
    ...readKeys(settings.keys ?? {}).wrong,
    ...servers.flatMap((some) => readServers(some, {kind: 'user', file}).problems),
  ];
}
