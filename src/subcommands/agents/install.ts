import {quoted} from '../../agent-words.ts';
import type {CatalogueEntry} from '../../agents/catalogue/catalogue.ts';
import {entryNamed, updateOf} from '../../agents/catalogue/catalogue.ts';
import {planInstall, type InstallPlan, type Planning} from '../../agents/install/plan.ts';
import {thisMachine} from '../../agents/install/platform.ts';
import {installedVersions} from '../../agents/install/store.ts';
import {uninstall as uninstallAgent} from '../../agents/install/uninstall.ts';
import {programOnPath} from '../../agents/on-path.ts';
import type {AgentsCommand} from '../../cli/agents/commands.ts';
import {failureSentence} from '../../errors.ts';
import {carryOut, nobodyAgrees} from './carry-out.ts';
import type {AgentsContext} from './context.ts';
import {lookUp} from './look-up.ts';

const FAILED = 1;
const LOOKING = {offline: false, json: false} as const;

/** Installs an agent of the registry. */
export async function install(
  {name, version, yes}: Extract<AgentsCommand, {kind: 'install'}>,
  context: AgentsContext,
): Promise<number> {
  const refused = nobodyAgrees({yes}, context);
  if (refused !== undefined) return refused;
  const {agents, stderr} = context;
  const found = await lookUp({...LOOKING, refresh: false}, context, {asks: true});
  const entry = entryNamed(found.entries, name)?.registry;
  if (!entry) {
    if (!found.isComplete) return FAILED;
    stderr(
      `acp-tui: There is no agent "${quoted(name)}" in the registry. acp-tui agents search finds what there is.\n`,
    );
    return FAILED;
  }
  const [used] = installedVersions(agents, entry.id);
  if (used && used.version === (version ?? entry.version)) {
    stderr(`${entry.id} ${used.version} is installed already.\n`);
    return 0;
  }
  const plan = planInstall(entry, planningOf(context, version));
  if (plan.ok) return carryOut([plan.value], {yes}, context);
  stderr(`acp-tui: ${failureSentence(plan.failure)}\n`);
  return FAILED;
}

/** Brings agents that are installed to the version of the registry: the one that is named, or all. */
export async function update(
  {name, yes}: Extract<AgentsCommand, {kind: 'update'}>,
  context: AgentsContext,
): Promise<number> {
  const refused = nobodyAgrees({yes}, context);
  if (refused !== undefined) return refused;
  const {stderr} = context;
  const {entries, isComplete} = await lookUp({...LOOKING, refresh: true}, context, {asks: true});
  const wanted = name === undefined ? entries : entries.filter(({id}) => id === name);
  const installed = wanted.filter((entry) => entry.installed);
  if (installed.length === 0) {
    stderr(`acp-tui: ${name === undefined ? 'No agent' : `"${quoted(name)}"`} is installed by acp-tui.\n`);
    return FAILED;
  }
  if (!isComplete) return FAILED;
  const {plans, failed} = plansFor(installed, context);
  if (plans.length > 0) return (await carryOut(plans, {yes}, context)) || failed;
  const current = installed.filter(({registry}) => registry);
  if (failed === 0 && current.length > 0) {
    stderr(`${current.map(({id}) => id).join(', ')}: up to date.\n`);
  }
  return failed;
}

function plansFor(installed: readonly CatalogueEntry[], context: AgentsContext) {
  const planning = planningOf(context, undefined);
  const plans: InstallPlan[] = [];
  let failed = 0;
  for (const entry of installed) {
    if (!entry.registry) context.stderr(`${entry.id} is not in the registry any more; it stays as it is.\n`);
    if (!entry.registry || updateOf(entry) === undefined) continue;
    const plan = planInstall(entry.registry, planning);
    if (plan.ok) plans.push(plan.value);
    else {
      context.stderr(`acp-tui: ${failureSentence(plan.failure)}\n`);
      failed = FAILED;
    }
  }
  return {plans, failed};
}

/** Removes agents that were installed; settings of theirs stay. */
export async function uninstall(
  {names}: Extract<AgentsCommand, {kind: 'uninstall'}>,
  {agents, stderr}: AgentsContext,
): Promise<number> {
  let exitCode = 0;
  for (const name of names) {
    const removed = await uninstallAgent(agents, name);
    if (removed.ok && removed.value.length > 0) {
      stderr(`Removed ${name} ${removed.value.map(({version}) => version).join(', ')}.\n`);
      continue;
    }
    exitCode = FAILED;
    stderr(
      removed.ok
        ? `acp-tui: "${quoted(name)}" is not installed by acp-tui. acp-tui agents lists what is.\n`
        : `acp-tui: ${failureSentence(removed.failure)}\n`,
    );
  }
  return exitCode;
}

function planningOf({agents, path}: AgentsContext, version: string | undefined): Planning {
  return {
    agents,
    machine: thisMachine(),
    hasProgram: (program) => programOnPath(program, path) !== undefined,
    version,
  };
}
