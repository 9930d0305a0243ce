import {isRunning} from './command-keyboard.ts';
import type {OpenSession} from './state.ts';

/** A draft that begins so is a command for the user's own shell. */
export const SHELL_SIGN = '!';

/** The command in a text; undefined where the text is none. */
export function shellCommand(text: string): string | undefined {
  return text.startsWith(SHELL_SIGN) ? text.slice(SHELL_SIGN.length).trim() : undefined;
}

/** What was started last of a turn and the user's own commands is what a key that interrupts is meant for. */
export function commandToInterrupt({session}: OpenSession): string | undefined {
  const {turn, entries, terminals} = session;
  const newest = entries.findLast((entry) => {
    if (entry.type !== 'shell_command') return false;
    const terminal = terminals[entry.terminalId];
    return terminal !== undefined && isRunning(terminal);
  });
  if (newest?.type !== 'shell_command') return undefined;
  const isBehindTurn = turn.kind === 'running' && turn.startedAt > newest.at;
  return isBehindTurn ? undefined : newest.terminalId;
}
