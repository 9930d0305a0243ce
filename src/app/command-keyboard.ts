import type {SessionState, TerminalState} from '../session/state.ts';
import {HINT_MS} from './hint-time.ts';
import {activeSession} from './sessions.ts';
import type {AppState} from './state.ts';

/*
 * A running command can have the keyboard. When it ends meanwhile, what the user still types was meant for it, a password
 * perhaps: it must reach neither the prompt nor the agent. So keys are thrown away until there was a pause, and the line says so.
 */

/** How long no key must have come before keys count again, in milliseconds. */
export const PAUSE_MS = 700;

/** The commands that run, the most likely meant first: those that wait for input, then the newest. */
export function runningCommands({terminals}: SessionState): readonly TerminalState[] {
  const running = Object.values(terminals).filter(isRunning).toReversed();
  return [
    ...running.filter(({awaitsInput}) => awaitsInput),
    ...running.filter(({awaitsInput}) => !awaitsInput),
  ];
}

/** True for a command of ours that has not ended. */
export function isRunning({runBy, exit, released}: TerminalState): boolean {
  return runBy !== 'agent' && exit === undefined && !released;
}

/** The command that has the keyboard. */
export function commandInHand(state: AppState): TerminalState | undefined {
  return state.focus.kind === 'command' ? activeSession(state).session.terminals[state.focus.id] : undefined;
}

/** Takes the keyboard back from a command that has ended. */
export function followCommand(state: AppState, at: number): AppState {
  if (state.focus.kind !== 'command') return state;
  const command = commandInHand(state);
  if (command && isRunning(command)) return state;
  const {overlay} = state;
  return {
    ...state,
    focus: {kind: 'prompt'},
    overlay: overlay.kind === 'more_keys' ? {kind: 'none'} : overlay,
    deafUntil: at + PAUSE_MS,
  };
}

/** Lets keys count again after a pause. Only the passing of time does, which also changes what the line says. */
export function hearAgain(state: AppState, at: number): AppState {
  if (state.deafUntil === undefined || at < state.deafUntil) return state;
  const hint = {text: 'The command has ended; keys go to the prompt again.', until: at + HINT_MS};
  return {...state, deafUntil: undefined, hint};
}
