import {quoteAgentText} from '../../../shared/agent-text.ts';
import {type CatalogEntry, findEntry, availableUpdate} from '../../../agents/catalog.ts';
import {testedAgent} from '../../../agents/tested-agents.ts';
import {consentTo} from '../../../agents/install/consent.ts';
import {install} from '../../../agents/install/install.ts';
import {
  type InstallStep,
  planInstall,
  type InstallPlan,
  type PlanOptions,
  localMachine,
  proposalLines,
  stepLabel,
} from '../../../agents/install/plan.ts';
import {installedVersions, uninstall as uninstallAgent} from '../../../agents/install/installed.ts';
import {programOnPath} from '../../../shared/processes/executable.ts';
import {downloadSize} from '../../../download/download.ts';
import {printFailure} from '../../../cli/terminal-io.ts';
import {type AgentsContext, loadCatalog} from './agent-lookup.ts';
import type {AgentsCommand} from './agents-arguments.ts';

const FAILED = 1;
const LOOKING = {offline: false, json: false} as const;

/** Installs an agent from the registry. */
export async function installAgents(
  {name, version, preview, yes}: Extract<AgentsCommand, {kind: 'install'}>,
  context: AgentsContext,
): Promise<number> {
  const impossible = confirmationImpossible({yes}, context);
  if (impossible !== undefined) return impossible;
  const {agents, stderr} = context;
  const found = await loadCatalog({...LOOKING, refresh: false}, context, {asks: true});
  const tested = found.isComplete ? undefined : testedAgent(name);
  const entry = findEntry(found.entries, name)?.registry ?? tested;
  if (tested) stderr(`Without the registry, this is the version that acp-tui was tested with.\n`);
  if (!entry) {
    if (!found.isComplete) {
      stderr('Nothing installed.\n');
      return FAILED;
    }
    return printFailure(
      stderr,
      `No agent "${quoteAgentText(name)}" in the registry. Search it with: acp-tui agents search.`,
    );
  }
  const [used] = installedVersions(agents, entry.id);
  if (used && used.version === (version ?? (preview ? entry.preview : entry)?.version)) {
    stderr(`${entry.id} ${used.version} is already installed.\n`);
    return 0;
  }
  const plan = planInstall(entry, {...planningOf(context, version), preview});
  return plan.ok ? executePlan([plan.value], {yes}, context) : printFailure(stderr, plan.failure);
}

/** Updates the named agent, or all installed ones, to the registry's version. */
export async function updateAgents(
  {name, yes}: Extract<AgentsCommand, {kind: 'update'}>,
  context: AgentsContext,
): Promise<number> {
  const impossible = confirmationImpossible({yes}, context);
  if (impossible !== undefined) return impossible;
  const {stderr} = context;
  const {entries, isComplete} = await loadCatalog({...LOOKING, refresh: true}, context, {asks: true});
  const wanted = name === undefined ? entries : entries.filter(({id}) => id === name);
  const installed = wanted.filter((entry) => entry.installed);
  if (installed.length === 0)
    return printFailure(
      stderr,
      `${name === undefined ? 'No agent' : `"${quoteAgentText(name)}"`} is installed by acp-tui.`,
    );
  if (!isComplete) return FAILED;
  const {plans, failed} = plansFor(installed, context);
  if (plans.length > 0) return (await executePlan(plans, {yes}, context)) || failed;
  const current = installed.filter(({registry}) => registry);
  if (failed === 0 && current.length > 0) {
    stderr(`${current.map(({id}) => id).join(', ')}: up to date.\n`);
  }
  return failed;
}

function plansFor(installed: readonly CatalogEntry[], context: AgentsContext) {
  const planning = planningOf(context, undefined);
  const plans: InstallPlan[] = [];
  let failed = 0;
  for (const entry of installed) {
    if (!entry.registry) context.stderr(`${entry.id} is no longer in the registry; left unchanged.\n`);
    if (!entry.registry || availableUpdate(entry) === undefined) continue;
    const plan = planInstall(entry.registry, planning);
    if (plan.ok) plans.push(plan.value);
    else failed = printFailure(context.stderr, plan.failure);
  }
  return {plans, failed};
}

/** Removes installed agents; their settings stay. */
export async function uninstallAgents(
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
    const unknown = `"${quoteAgentText(name)}" is not installed by acp-tui. List agents with: acp-tui agents.`;
    exitCode = printFailure(stderr, removed.ok ? unknown : removed.failure);
  }
  return exitCode;
}

function planningOf({agents, path}: AgentsContext, version: string | undefined): PlanOptions {
  return {
    agents,
    machine: localMachine(),
    hasProgram: (program) => programOnPath(program, path) !== undefined,
    version,
  };
}

/** Refuses if consent is needed, `--yes` was not passed, and there is no terminal to ask. */
function confirmationImpossible(
  {yes}: {readonly yes: boolean},
  {confirm, stderr}: AgentsContext,
): number | undefined {
  if (yes || confirm) return undefined;
  return printFailure(stderr, 'Installing needs confirmation; no terminal here, pass --yes.', 2);
}

/** Shows the plan, asks for consent and installs; returns the exit code. Nothing is downloaded without consent. */
async function executePlan(
  plans: readonly InstallPlan[],
  {yes}: {readonly yes: boolean},
  context: AgentsContext,
): Promise<number> {
  const {agents, stderr, confirm, signal} = context;
  for (const plan of plans) {
    const size = plan.kind === 'binary' ? await downloadSize(plan.archive, signal) : undefined;
    const instead = installedVersions(agents, plan.id)[0]?.version;
    for (const line of proposalLines({plan, size, instead})) stderr(`${line}\n`);
  }
  const what = plans.length === 1 ? 'it' : `these ${plans.length}`;
  if (!yes && !(await confirm?.(`It runs with your user permissions. Install ${what}? [y/N] `))) {
    stderr('Nothing installed.\n');
    return FAILED;
  }
  let exitCode = 0;
  for (const plan of plans) {
    if (!signal.aborted) exitCode = (await executeOne(plan, context)) || exitCode;
  }
  return exitCode;
}

/** Returns the exit code. */
async function executeOne(plan: InstallPlan, context: AgentsContext): Promise<number> {
  const {agents, local, now, signal, stderr, status, warn} = context;
  const onStep = status && ((step: InstallStep) => status(`${plan.id}: ${stepLabel(step)}`));
  const installed = await install(consentTo(plan), {agents, now, signal, onStep});
  status?.('');
  if (!installed.ok) return printFailure(stderr, installed.failure);
  const {id, version} = installed.value;
  stderr(`Installed ${id} ${version}. Start it with: acp-tui --agent ${id}\n`);
  if (Object.hasOwn(local.configured, id) && local.configured[id]?.command !== undefined) {
    warn(`Your settings have a command named ${id} too; --agent ${id} starts that one.`);
  }
  return 0;
}
