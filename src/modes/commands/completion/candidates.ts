import {completionSpec, type Values} from './completion-spec.ts';
import {localAgents} from '../../../agents/catalog.ts';
import {installedAgents} from '../../../agents/install/installed.ts';
import {agentsFolder, type Paths} from '../../../shared/files/paths.ts';
import {leavesOf, pathText} from '../../../settings/setting-paths.ts';
import {readSettings} from '../../../settings/settings.ts';
import {DEFAULTS, describedFields} from '../../../settings/schema/settings-schema.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';

/** A completion candidate with its description. */
interface Candidate {
  readonly name: string;
  readonly description: string;
}

type ListName = Exclude<Values, readonly string[]>;

/** Maximum number of candidates. */
const MAX_COUNT = 200;

/**
 * Returns what may complete the last of the words after `acp-tui`: a line for each candidate, with its description behind a tab, or `:files` or `:folders`. Never
 * uses the network, since a user is waiting on Tab.
 */
export async function completionLines(
  words: readonly string[],
  paths: Paths,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const current = words.at(-1) ?? '';
  // Bash takes --option=value apart.
  const before = words.slice(0, -1).filter((word) => word !== '=');
  const [, option = '', value = current] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  const values = candidatesAfter(before, option || before.at(-1), value.startsWith('-'));
  const found = typeof values === 'string' ? await listCandidates(values, paths, env) : values;
  if (typeof found === 'string') return `:${found}\n`;
  const prefix = option === '' ? '' : `${option}=`;
  return found
    .map(({name, description}) => `${prefix}${sanitizeLine(name)}\t${sanitizeLine(description)}\n`)
    .join('');
}

/** Returns the values of the option before the word, or the options, subcommands or arguments of the command. */
function candidatesAfter(
  before: readonly string[],
  previous: string | undefined,
  isOption: boolean,
): readonly Candidate[] | ListName {
  const spec = completionSpec();
  const at = (path: string) => spec.find((command) => command.path === path);
  const [first = '', second = ''] = before;
  const command = (first && (at(`${first} ${second}`) ?? at(first))) || at('')!;
  const {path, options, subcommands, argument} = command;
  const values = options.find(({flags}) => flags.includes(previous ?? ''))?.value;
  if (!values && isOption)
    return options.map(({flags, description}) => ({name: flags.at(-1) ?? '', description}));
  // A subcommand can only be the first word.
  if (!values && subcommands.length > 0) return path === '' && first !== '' ? [] : subcommands;
  const wanted = values ?? argument ?? [];
  return typeof wanted === 'string' ? wanted : named(wanted, '');
}

/** Returns the candidates of a list from this computer; files and folders are those of the shell. */
async function listCandidates(
  list: ListName,
  paths: Paths,
  env: NodeJS.ProcessEnv,
): Promise<readonly Candidate[] | 'files' | 'folders'> {
  switch (list) {
    case 'files':
    case 'folders':
      return list;
    case 'any':
      return [];
    case 'agents':
      return agentNames(paths, env);
    case 'own-agents':
      return named(Object.keys(readSettings(paths.config, env).settings.agents ?? {}), 'in your settings');
    case 'installed-agents':
      return named(idsOf(installedAgents(agentsFolder(paths))), 'installed');
    case 'settings':
      return settingNames(paths, env);
    case 'sessions':
      return sessionIds(paths);
  }
}

function agentNames(paths: Paths, env: NodeJS.ProcessEnv): readonly Candidate[] {
  const {settings} = readSettings(paths.config, env);
  const {configured, programs, installed} = localAgents({
    configured: settings.agents ?? {},
    agents: agentsFolder(paths),
    path: env['PATH'],
  });
  const found = [
    {name: 'demo', description: 'the built-in agent'},
    ...named(Object.keys(configured), 'in your settings'),
    ...named(idsOf(installed), 'installed'),
    ...programs.map(({id, name}) => ({name: id, description: `${name}, on PATH`})),
  ];
  return found.filter(({name}, index) => found.findIndex((other) => other.name === name) === index);
}

function named(names: readonly string[], description: string): readonly Candidate[] {
  return names.map((name) => ({name, description}));
}

function idsOf(agents: readonly {readonly id: string}[]): readonly string[] {
  return agents.map(({id}) => id);
}

function settingNames({config}: Paths, env: NodeJS.ProcessEnv): readonly Candidate[] {
  const {settings} = readSettings(config, env);
  const names = [...describedFields, ...leavesOf({...DEFAULTS, ...settings})].map(({path}) => pathText(path));
  return named([...new Set(names)], 'setting');
}

/** Does not update the index first, which can take a while. */
async function sessionIds({state}: Paths): Promise<readonly Candidate[]> {
  const {openStored} = await import('../../../storage/sessions/session-store.ts');
  const {database, store} = openStored({state, onProblem() {}});
  const sessions = store.list({limit: MAX_COUNT});
  database.close();
  if (!sessions.ok) return [];
  return sessions.value.map(({id, title, firstPrompt}) => ({
    name: id,
    description: (title ?? firstPrompt ?? 'Untitled').slice(0, 60),
  }));
}
