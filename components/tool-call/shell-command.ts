import type {ShellCommandEntry} from '../../src/session/entries.ts';
import {exitLabel} from '../../src/session/labels/command-label.ts';
import type {TerminalState} from '../../src/session/state.ts';
import {duration, shownPath} from '../../src/text/format.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import type {Theme} from '../theme/theme.tsx';
import {endMark} from '../theme/symbols.ts';
import {namedRow, indent, narrow} from '../layout/lines.ts';
import {rowsOfTerminalState} from './terminal-output.ts';

/** Returns the rows of a user's command: like an agent's, but marked with the shell sign. */
export function rowsOfShellCommand(entry: ShellCommandEntry, theme: Theme): string[] {
  const terminal = theme.terminals[entry.terminalId];
  const inner = narrow(theme);
  return [
    shellHeadline(entry, theme),
    ...(terminal
      ? indent(rowsOfTerminalState(terminal, {title: entry.command, extent: theme.extent}, inner))
      : []),
  ];
}

/** Returns the command, its folder, how it ended and how long it took, on one line. */
export function shellHeadline(entry: ShellCommandEntry, theme: Theme): string {
  const {paint} = theme;
  const terminal = theme.terminals[entry.terminalId];
  const details = [...whereOf(terminal, theme), ...endOf(entry, terminal)];
  const name = namedRow(`! ${sanitizeLine(entry.command)}`, paint.user, {facts: details, theme});
  return `${shellMark(entry, terminal, theme)} ${name}`;
}

function shellMark({endedAt}: ShellCommandEntry, terminal: TerminalState | undefined, theme: Theme): string {
  const {paint, symbols} = theme;
  if (terminal?.exit) return endMark(terminal.exit.code === 0 ? 'done' : 'failed', {paint, symbols});
  return endedAt === undefined && terminal?.released === false
    ? paint.accent(symbols.running)
    : paint.warning(symbols.cancelled);
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
