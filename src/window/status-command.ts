import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AppEvent} from '../app/events.ts';
import {chosenStatus} from '../app/preferences.ts';
import {activeSession} from '../app/sessions.ts';
import type {AppState, SessionKey} from '../app/state.ts';
import {agentName} from '../app/status/status-line.ts';
import type {SessionActions} from '../session/actions.ts';
import {currentMode, currentModel} from '../session/selectors.ts';
import {configOptionOfCategory} from '../session/settings/options.ts';
import type {SessionState} from '../session/state.ts';
import {sessionTitle} from '../session/titles.ts';
import type {Store} from '../shared/store.ts';
import {version} from '../shared/version.ts';

/** It runs at most this often, in milliseconds, and only if what it gets has changed. */
const PAUSE_MS = 300;

interface StatusCommandOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly sessions: {readonly clientOf: (key: SessionKey) => Pick<SessionActions, 'runStatusCommand'>};
  /** Reports a command that fails, once. */
  readonly warn: (text: string) => void;
}

/** Runs the user's status command when what it gets has changed, and keeps what it printed last. Returns a function that stops it. */
export function followStatusCommand({store, sessions, warn}: StatusCommandOptions): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let before: string | undefined;
  let hasWarned = false;
  let isRunning = false;

  async function run(command: string, input: string): Promise<void> {
    const ran = await sessions.clientOf(store.latest().active).runStatusCommand(command, input);
    if (isStopped) return;
    if (ran.ok && !ran.value) before = undefined;
    // Why a session cannot run anything is said elsewhere.
    const {text, problem} = (ran.ok && ran.value) || {};
    store.dispatch({type: 'changed', change: {statusText: text}});
    if (problem === undefined || hasWarned) return;
    hasWarned = true;
    warn(`The status command failed: ${problem}`);
  }

  function check(): void {
    timer = undefined;
    const state = store.latest();
    const {command} = chosenStatus(state);
    if (command === undefined || isRunning) return;
    const input = JSON.stringify(factsOf(state));
    if (before === command + input) return;
    before = command + input;
    isRunning = true;
    void run(command, input).finally(() => {
      isRunning = false;
      // Otherwise the next event says when.
      if (before !== undefined) schedule();
    });
  }

  function schedule(): void {
    if (isStopped || chosenStatus(store.latest()).command === undefined) return;
    timer ??= setTimeout(check, PAUSE_MS).unref();
  }
  const stop = store.onEvent(schedule);
  schedule();
  return () => {
    stop();
    clearTimeout(timer);
    isStopped = true;
  };
}

/** What the command gets as JSON; what Claude Code has, too, has its name, so that its users can keep their command. */
function factsOf(state: AppState) {
  const tab = activeSession(state);
  const {session, branch} = tab;
  const {usage, cwd} = session;
  const effort = configOptionOfCategory(session, 'thought_level')?.currentValue;
  const model = currentModel(session);
  return {
    version,
    session_id: session.sessionId,
    session_name: sessionTitle(session),
    agent: {name: agentName(tab)},
    model: model && {id: model.id, display_name: model.name},
    effort: effort === undefined ? undefined : {level: effort},
    mode: currentMode(session)?.id,
    cwd,
    workspace: {current_dir: cwd, project_dir: cwd, added_dirs: session.additionalDirectories, branch},
    approve: session.approval,
    sandbox: session.sandbox !== undefined,
    turn: session.turn.kind,
    cost: usage?.cost && costFacts(usage.cost),
    context_window: usage && contextFacts(usage),
  };
}

function costFacts({amount, currency}: acp.Cost) {
  return {amount, currency, total_cost_usd: currency === 'USD' ? amount : undefined};
}

function contextFacts({used, size}: NonNullable<SessionState['usage']>) {
  const share = size > 0 ? Math.round((used / size) * 100) : undefined;
  const percentages =
    share === undefined ? {} : {used_percentage: share, remaining_percentage: Math.max(0, 100 - share)};
  return {used, context_window_size: size, ...percentages};
}
