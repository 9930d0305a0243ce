import {remember} from '../session/remember.ts';
import type {SessionState} from '../session/state.ts';
import {isRunning} from './command-keyboard.ts';
import type {OpenSession} from './state.ts';

/** A draft that begins so is a command for the user's own shell. */
export const SHELL_SIGN = '!';

/** The command in a text; undefined where the text is none. */
export function shellCommand(text: string): string | undefined {
  return text.startsWith(SHELL_SIGN) ? text.slice(SHELL_SIGN.length).trim() : undefined;
}

/** The terminals of the user's own commands that run. */
const runningOwn = remember(
  (terminals: SessionState['terminals']): ReadonlySet<string> =>
    new Set(
      Object.values(terminals)
        .filter((terminal) => terminal.runBy === 'user' && isRunning(terminal))
        .map(({id}) => id),
    ),
);

/** What was started last of a turn and the user's own commands is what a key that interrupts is meant for. */
export function commandToInterrupt({session}: OpenSession): string | undefined {
  const {turn, entries, terminals} = session;
  const running = runningOwn(terminals);
  // Each key asks: without one there is no need to walk a long transcript.
  const newest =
    running.size === 0
      ? undefined
      : entries.findLast((entry) => entry.type === 'shell_command' && running.has(entry.terminalId));
  if (newest?.type !== 'shell_command') return undefined;
  const isBehindTurn = turn.kind === 'running' && turn.startedAt > newest.at;
  return isBehindTurn ? undefined : newest.terminalId;
}
