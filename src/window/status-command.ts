import type {AppEvent} from '../app/events.ts';
import {activeSession} from '../app/sessions.ts';
import type {AppState} from '../app/state.ts';
import {agentName} from '../app/status/status-line.ts';
import {currentMode, currentModel} from '../session/selectors.ts';
import {sessionTitle} from '../session/titles.ts';
import type {Store} from '../shared/store.ts';
import {startUserProgram, type ProgramEnd} from '../host/shell/user-program.ts';
import {version} from '../shared/version.ts';
import {sanitizeLine} from '../text/sanitize.ts';

/** It runs at most this often, in milliseconds, and only if what it gets has changed. */
const PAUSE_MS = 300;
const TIME_LIMIT_MS = 5000;

interface StatusCommandOptions {
  readonly store: Store<AppState, AppEvent>;
  /** Reports a command that fails, once. */
  readonly warn: (text: string) => void;
}

/** Runs the user's status command when what it gets has changed, and keeps what it printed last. Returns a function that stops it. */
export function followStatusCommand({store, warn}: StatusCommandOptions): () => void {
  let kill: (() => void) | undefined;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let before: string | undefined;
  let hasWarned = false;
  let isRunning = false;

  async function run(command: string, input: string): Promise<void> {
    const {cwd} = activeSession(store.latest()).session;
    const running = startUserProgram({command, input, cwd, limitMs: TIME_LIMIT_MS});
    kill = running.kill;
    const {text, problem} = lineOf(await running.ended);
    if (isStopped) return;
    store.dispatch({type: 'changed', change: {statusText: text}});
    if (problem === undefined || hasWarned) return;
    hasWarned = true;
    warn(`The status command failed: ${problem}`);
  }

  function check(): void {
    timer = undefined;
    const state = store.latest();
    const {statusCommand} = state;
    if (statusCommand === undefined || isRunning) return;
    const input = JSON.stringify(factsOf(state));
    if (before === statusCommand + input) return;
    before = statusCommand + input;
    isRunning = true;
    void run(statusCommand, input).finally(() => {
      isRunning = false;
      schedule();
    });
  }

  function schedule(): void {
    if (isStopped || store.latest().statusCommand === undefined) return;
    timer ??= setTimeout(check, PAUSE_MS).unref();
  }
  const stop = store.onEvent(schedule);
  schedule();
  return () => {
    stop();
    clearTimeout(timer);
    isStopped = true;
    kill?.();
  };
}

/** Returns the first line that it printed, or why there is none. */
function lineOf(end: ProgramEnd): {readonly text?: string | undefined; readonly problem?: string} {
  if ('problem' in end) return end;
  const {exitCode, stdout} = end;
  if (exitCode !== 0) return {problem: `It exited with code ${exitCode}.`};
  const [line = ''] = stdout.split('\n');
  return {text: sanitizeLine(line).trim() || undefined};
}

/** What the command gets as JSON; the names are those of Claude Code where it has the same. */
function factsOf(state: AppState) {
  const open = activeSession(state);
  const {session, branch} = open;
  const {usage} = session;
  const model = currentModel(session);
  return {
    version,
    session_id: session.sessionId,
    session_name: sessionTitle(session),
    agent: {name: agentName(open)},
    model: model && {id: model.id, display_name: model.name},
    mode: currentMode(session)?.id,
    cwd: session.cwd,
    workspace: {current_dir: session.cwd, added_dirs: session.additionalDirectories, branch},
    approve: session.approval,
    sandbox: session.sandbox !== undefined,
    turn: session.turn.kind,
    cost: usage?.cost && {amount: usage.cost.amount, currency: usage.cost.currency},
    context_window: usage && {used: usage.used, context_window_size: usage.size},
  };
}
