import type {ListName} from './completion-arguments.ts';
import {localAgents} from '../../agents/catalog.ts';
import {agentsFolder, installedAgents} from '../../agents/install/installed.ts';
import type {Paths} from '../../storage/paths.ts';
import {leavesOf, pathText} from '../../storage/settings/setting-paths.ts';
import {readSettings} from '../../storage/settings/settings.ts';
import {DEFAULTS, describedFields} from '../../storage/settings/settings-schema.ts';
import {sanitizeLine} from '../../text/sanitize.ts';

/** A completion candidate with its description. */
interface CandidateList {
  readonly name: string;
  readonly description: string;
}

/** Maximum number of candidates. */
const MAX_COUNT = 200;

/** Returns completion candidates from this computer. Never uses the network, since a user is waiting on Tab. */
export async function listCandidates(
  list: ListName,
  paths: Paths,
  env: NodeJS.ProcessEnv,
): Promise<readonly CandidateList[]> {
  switch (list) {
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

/** Formats one candidate per line, without control characters. */
export function candidateLines(found: readonly CandidateList[]): string {
  return found.map(({name, description}) => `${sanitizeLine(name)}\t${sanitizeLine(description)}\n`).join('');
}

function agentNames(paths: Paths, env: NodeJS.ProcessEnv): readonly CandidateList[] {
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

function named(names: readonly string[], description: string): readonly CandidateList[] {
  return names.map((name) => ({name, description}));
}

function idsOf(agents: readonly {readonly id: string}[]): readonly string[] {
  return agents.map(({id}) => id);
}

function settingNames({config}: Paths, env: NodeJS.ProcessEnv): readonly CandidateList[] {
  const {settings} = readSettings(config, env);
  const names = [...describedFields, ...leavesOf({...DEFAULTS, ...settings})].map(({path}) => pathText(path));
  return named([...new Set(names)], 'setting');
}

/** Does not update the index first, which can take a while. */
async function sessionIds({state}: Paths): Promise<readonly CandidateList[]> {
  const [{openDatabase}, {openSessionStore}] = await Promise.all([
    import('../../storage/database/database.ts'),
    import('../../storage/sessions/session-store.ts'),
  ]);
  const database = openDatabase(state, {onDamaged: () => {}});
  const sessions = openSessionStore({state, database, onProblem: () => {}}).list({limit: MAX_COUNT});
  database.close();
  if (!sessions.ok) return [];
  return sessions.value.map(({id, title, firstPrompt}) => ({
    name: id,
    description: (title ?? firstPrompt ?? 'Untitled').slice(0, 60),
  }));
}
