import {memoize} from '../../session/memoize.ts';
import type {SessionState, TerminalState} from '../../session/state.ts';
import {TOAST_MS, activeSession} from '../sessions.ts';
import type {Tab, AppState} from '../state.ts';

/** The prefix of a shell command in the draft. */
export const SHELL_SIGN = '!';

/** Returns the command in a text; undefined if it is not a command. */
export function shellCommand(text: string): string | undefined {
  return text.startsWith(SHELL_SIGN) ? text.slice(SHELL_SIGN.length).trim() : undefined;
}

/** True if the draft is a shell command. */
export function isShell({focus, sessions, active}: AppState): boolean {
  const isPrompt = focus.kind !== 'note';
  return isPrompt && sessions[active]?.draft.text.startsWith(SHELL_SIGN) === true;
}

/** The terminals of the user's running commands. */
const runningOwn = memoize(
  (terminals: SessionState['terminals']): ReadonlySet<string> =>
    new Set(
      [...terminals].filter((terminal) => terminal.runBy === 'user' && isRunning(terminal)).map(({id}) => id),
    ),
);

/** Returns the terminal of the user's command to interrupt, if it started after the turn. */
export function commandToInterrupt({session}: Tab): string | undefined {
  const {turn, entries, terminals} = session;
  const running = runningOwn(terminals);
  // Checked first, because every key press calls this: without such a command no long transcript is searched.
  const newest =
    running.size === 0
      ? undefined
      : entries.findLast((entry) => entry.type === 'shell_command' && running.has(entry.terminalId));
  if (newest?.type !== 'shell_command') return undefined;
  const isBehindTurn = turn.kind === 'running' && turn.startedAt > newest.at;
  return isBehindTurn ? undefined : newest.terminalId;
}

/*
 * A running command can have the focus. If it exits while the user types, the keys were meant for it, possibly a password: they must reach neither the prompt
 * nor the agent. So keys are ignored until there is a pause, and the status line says so.
 */

/** The pause after which keys count again, in milliseconds. */
export const PAUSE_MS = 700;

/** Returns the running commands, most likely target first: those that wait for input, then the newest. */
export function runningCommands({terminals}: SessionState): readonly TerminalState[] {
  const running = [...terminals].filter(isRunning).toReversed();
  return [
    ...running.filter(({awaitsInput}) => awaitsInput),
    ...running.filter(({awaitsInput}) => !awaitsInput),
  ];
}

/** True for a running command that acp-tui started. */
export function isRunning({runBy, exit, released}: TerminalState): boolean {
  return runBy !== 'agent' && exit === undefined && !released;
}

/** Returns the command that has the focus. */
export function activeCommand(state: AppState): TerminalState | undefined {
  return state.focus.kind === 'command'
    ? activeSession(state).session.terminals.get(state.focus.id)
    : undefined;
}

/** Returns the focus from a command that has exited. */
export function followCommand(state: AppState, at: number): AppState {
  if (state.focus.kind !== 'command') return state;
  const command = activeCommand(state);
  if (command && isRunning(command)) return state;
  const {overlay} = state;
  return {
    ...state,
    focus: {kind: 'prompt'},
    overlay: overlay.kind === 'more_keys' ? {kind: 'none'} : overlay,
    ignoreKeysUntil: at + PAUSE_MS,
  };
}

/** Lets keys count again after a pause. Called on ticks only, since the status line changes as well. */
export function acceptKeysAgain(state: AppState, at: number): AppState {
  if (state.ignoreKeysUntil === undefined || at < state.ignoreKeysUntil) return state;
  const toast = {text: 'The command has exited; keys go to the prompt again.', until: at + TOAST_MS};
  return {...state, ignoreKeysUntil: undefined, toast};
}
