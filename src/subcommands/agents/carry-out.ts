import {agree} from '../../agents/install/consent.ts';
import {install} from '../../agents/install/install.ts';
import type {InstallStep} from '../../agents/install/kind.ts';
import type {InstallPlan} from '../../agents/install/plan.ts';
import {proposalLines} from '../../agents/install/proposal.ts';
import {stepWords} from '../../agents/install/step-words.ts';
import {installedVersions} from '../../agents/install/store.ts';
import {downloadSize} from '../../download/download.ts';
import {failureSentence} from '../../errors.ts';
import type {AgentsContext} from './context.ts';

const USAGE = 2;
const FAILED = 1;

/** Says no where consent is needed, nobody can be asked, and it was not given beforehand. */
export function nobodyAgrees(
  {yes}: {readonly yes: boolean},
  {confirm, stderr}: AgentsContext,
): number | undefined {
  if (yes || confirm) return undefined;
  stderr(
    'acp-tui: Programs of others are fetched only when somebody agrees, and here nobody can be asked; add --yes to agree.\n',
  );
  return USAGE;
}

/** Shows what is going to be done, asks, and does it; gives the exit code. Nothing is fetched before somebody agrees. */
export async function carryOut(
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
  if (!yes && !(await confirm?.(`It runs with your rights. Install ${what}? [y/N] `))) {
    stderr('Nothing was installed.\n');
    return FAILED;
  }
  let exitCode = 0;
  for (const plan of plans) {
    if (!signal.aborted && !(await carryOutOne(plan, context))) exitCode = FAILED;
  }
  return exitCode;
}

async function carryOutOne(plan: InstallPlan, context: AgentsContext): Promise<boolean> {
  const {agents, local, now, signal, stderr, status, warn} = context;
  const onStep = status && ((step: InstallStep) => status(`${plan.id}: ${stepWords(step)}`));
  const installed = await install(agree(plan), {agents, now, signal, onStep});
  status?.('');
  if (!installed.ok) {
    stderr(`acp-tui: ${failureSentence(installed.failure)}\n`);
    return false;
  }
  const {id, version} = installed.value;
  stderr(`Installed ${id} ${version}. Start it with: acp-tui --agent ${id}\n`);
  if (Object.hasOwn(local.configured, id) && local.configured[id]?.command !== undefined) {
    warn(`${id} is the name of a command in your settings too, and that is what --agent ${id} starts.`);
  }
  return true;
}
