import type {ShellCommandEntry} from '../../src/session/entries.ts';
import {exitLabel} from '../../src/session/labels/command-label.ts';
import type {TerminalState} from '../../src/session/state.ts';
import {duration, shownPath} from '../../src/text/format.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import type {Theme} from '../theme/theme.tsx';
import {type MarkedState, stateMark} from '../theme/symbols.ts';
import {namedRow, indent, narrow} from '../layout/lines.ts';
import {rowsOfTerminalState} from './terminal-output.ts';

/** Returns the rows of a user's command: like an agent's, but marked with the shell sign. */
export function rowsOfShellCommand(entry: ShellCommandEntry, theme: Theme): string[] {
  const terminal = theme.terminals.get(entry.terminalId);
  // While it runs, there may be no activity to name its keys.
  const inner = {...narrow(theme), clock: undefined};
  return [
    shellHeadline(entry, theme),
    ...(terminal ? indent(rowsOfTerminalState(terminal, entry.command, inner)) : []),
  ];
}

/** Returns the command, its folder, how it ended and how long it took, on one line. */
export function shellHeadline(entry: ShellCommandEntry, theme: Theme): string {
  const {paint} = theme;
  const terminal = theme.terminals.get(entry.terminalId);
  const details = [...whereOf(terminal, theme), ...endOf(entry, terminal)];
  const name = namedRow(`! ${sanitizeLine(entry.command)}`, paint.user, details, theme);
  return `${stateMark(stateOf(entry, terminal), theme)} ${name}`;
}

function stateOf({endedAt}: ShellCommandEntry, terminal: TerminalState | undefined): MarkedState {
  if (terminal?.exit) return terminal.exit.code === 0 ? 'completed' : 'failed';
  return endedAt === undefined && terminal?.released === false ? 'in_progress' : 'cancelled';
}

/** Omitted if it is the session's folder. */
function whereOf(terminal: TerminalState | undefined, {cwd}: Theme): string[] {
  return terminal?.cwd === undefined || terminal.cwd === cwd
    ? []
    : [sanitizeLine(shownPath(terminal.cwd, cwd))];
}

function endOf({at, endedAt}: ShellCommandEntry, terminal: TerminalState | undefined): string[] {
  if (terminal?.exit) return [exitLabel(terminal.exit) ?? 'exit code 0', duration((endedAt ?? at) - at)];
  return terminal?.released === false ? [] : ['stopped with acp-tui'];
}
