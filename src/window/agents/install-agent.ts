import {installingPicker} from '../../app/pickers/agent-picker.ts';
import {openList} from '../../app/pickers/picker.ts';
import type {AppEvent} from '../../app/events.ts';
import {GUARD_MS} from '../../app/requests/request-phase.ts';
import type {AppState} from '../../app/state.ts';
import {consentTo} from '../../agents/install/consent.ts';
import {install} from '../../agents/install/install.ts';
import {
  planInstall,
  localMachine,
  proposalFacts,
  proposalTitle,
  stepLabel,
} from '../../agents/install/plan.ts';
import {programOnPath} from '../../shared/processes/executable.ts';
import type {RegistryEntry} from '../../agents/registry.ts';
import {downloadSize} from '../../download/download.ts';
import type {Result} from '../../shared/failure.ts';
import type {UserQuestion} from '../../session/actions.ts';
import type {Store} from '../../shared/store.ts';

interface InstallAgentContext {
  readonly store: Store<AppState, AppEvent>;
  /** Where agents are installed. */
  readonly folder: string;
  /** Undefined if the question was cancelled. */
  readonly askUser: (question: UserQuestion) => Promise<boolean | undefined>;
  /** Cancels the installation. */
  readonly signal: AbortSignal;
}

/** `watched` is false if the user left before it finished. */
type Installation = {readonly kind: 'refused'} | {readonly kind: 'installed'; readonly watched: boolean};

/** The minimum time between two progress updates, in milliseconds. */
const PACE_MS = 200;

/** Asks whether to install an agent of the registry, showing everything that is downloaded and run, and installs it. */
export async function installAgent(
  entry: RegistryEntry,
  {store, folder, askUser, signal}: InstallAgentContext,
): Promise<Result<Installation>> {
  const hasProgram = (program: string) => programOnPath(program, process.env['PATH']) !== undefined;
  const planned = planInstall(entry, {machine: localMachine(), agents: folder, hasProgram});
  if (!planned.ok) return planned;
  const plan = planned.value;
  const size = plan.kind === 'binary' ? await downloadSize(plan.archive, signal) : undefined;
  const proposal = {plan, size, instead: undefined};
  const facts = proposalFacts(proposal).map(([name, value]) => `${name.padEnd(10)}${value}`);
  const agreed = await askUser({
    title: `Install ${proposalTitle(proposal)}?`,
    text: [entry.description, facts.join('\n'), 'It runs with your user permissions.'].join('\n\n'),
    yes: 'Install',
    no: 'Not now',
  });
  if (!agreed) return {ok: true, value: {kind: 'refused'}};

  const picker = {...installingPicker(entry.name, 'Starting…'), answerFrom: performance.now() + GUARD_MS};
  store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
  let reportedAt = -Infinity;
  const installed = await install(consentTo(plan), {
    agents: folder,
    now: Date.now,
    signal,
    onStep(step) {
      const now = performance.now();
      if (step.kind !== 'run' && now - reportedAt < PACE_MS) return;
      reportedAt = now;
      store.dispatch({type: 'install_progressed', progress: stepLabel(step)});
    },
  });
  const watched = openList(store.latest(), 'installing') !== undefined;
  if (watched) store.dispatch({type: 'overlay_closed', at: performance.now()}, 'urgent');
  return installed.ok ? {ok: true, value: {kind: 'installed', watched}} : installed;
}
