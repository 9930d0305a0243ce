import {type Hint, hintText} from '../../src/app/keymap/hints.ts';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {styledHints} from '../layout/hints.ts';
import {isRunning} from '../../src/app/queue/shell-commands.ts';
import {exitLabel, mentionsCommand, saysCommand} from '../../src/session/labels/command-label.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {TerminalState} from '../../src/session/state.ts';
import type {TerminalScreen} from '../../src/session/terminals/terminal-screen.ts';
import {escapeHiddenLine, onOneLine} from '../../src/text/hidden.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {rowsOfExact, markEscapes} from '../theme/exact-text.ts';
import type {Theme} from '../theme/theme.tsx';
import {rowsBehindBar, collapse, wrapCollapsed} from '../layout/lines.ts';
import {MAX_LINES} from './attachment.ts';
import {isFinished} from '../../src/session/transcript/tool-status.ts';

/** Returns the rows of a command: the command line, the end of its output, and how it failed. */
export function rowsOfTerminal({terminalId}: acp.Terminal, entry: ToolCallEntry, theme: Theme): string[] {
  const terminal = theme.terminals.get(terminalId);
  if (terminal === undefined) return rowsOfUnknownTerminal(terminalId, theme);
  // A finished card is printed permanently, so its key hints would stay.
  const shown = isFinished(entry.status) ? {...terminal, released: true} : terminal;
  const failed = terminal.exit && exitLabel(terminal.exit);
  return [
    ...rowsOfTerminalState(shown, entry.title, theme),
    ...(failed === undefined ? [] : [theme.paint.error(truncate(failed, theme.columns))]),
  ];
}

function rowsOfUnknownTerminal(id: string, {paint, columns}: Theme): string[] {
  return [paint.dim(truncate(`Terminal ${escapeHiddenLine(id)}`, columns))];
}

/** Output is not part of what is approved, and must not move what is being read. The command is drawn whatever the title says. */
export function rowsOfAskedCommand({terminalId}: acp.Terminal, theme: Theme): string[] {
  const terminal = theme.terminals.get(terminalId);
  if (terminal === undefined) return rowsOfUnknownTerminal(terminalId, theme);
  const words = `${theme.keyOf('open_transcript')} show output`;
  const command = terminal.command === undefined ? [] : rowsOfCommandLine(terminal.command, theme);
  return [...command, theme.paint.dim(truncate(words, theme.columns))];
}

/** Returns the rows of a terminal's command and output, but not how it ended; `title` is already shown above it. */
export function rowsOfTerminalState(terminal: TerminalState, title: string, theme: Theme): string[] {
  const most = theme.extent === 'folded' ? MAX_LINES : Infinity;
  const output = rowsBehindBar(theme, (inner) => [
    ...(terminal.screen ? rowsOfScreen(terminal.screen, most, inner) : rowsOfOutput(terminal, most, inner)),
    ...rowsOfRunning(terminal, inner),
  ]);
  const {command} = terminal;
  const isNamed = command === undefined || isInHeadline(command, title, theme);
  return [...(isNamed ? [] : rowsOfCommandLine(command, theme)), ...output];
}

function rowsOfScreen({rows, dropped}: TerminalScreen, most: number, theme: Theme): string[] {
  const begins = rows.findIndex((row) => row.length > 0);
  const first = dropped > 0 ? 0 : Math.max(0, begins);
  const hidden = Math.max(0, rows.length - first - most - 1);
  const {paint, columns} = theme;
  const lines = rows.slice(first + hidden).flatMap((row) => wrap(row.map(paint.run).join(''), columns));
  return collapse(lines, {most, keep: 'tail', hidden: hidden + dropped}, theme);
}

/** For output that is not interpreted. */
function rowsOfOutput({output}: TerminalState, most: number, theme: Theme): string[] {
  const text = output.replace(/^\n+|(?<!\s)\s+$/g, '');
  return text === '' ? [] : wrapCollapsed(text, {most, keep: 'tail'}, theme);
}

/** Returns the rows of the keys for a running command. */
function rowsOfRunning(terminal: TerminalState, theme: Theme): string[] {
  if (!isRunning(terminal)) return [];
  const {paint, columns, leaderKeyOf, clock} = theme;
  const stop: Hint = [leaderKeyOf('stop_command'), 'stop'];
  const types: Hint = [leaderKeyOf('give_keyboard'), 'type into it'];
  // Otherwise the keys are beside the activity.
  const keys = clock === undefined ? [types, stop] : [];
  if (terminal.awaitsInput)
    return wrap(hintText(['May be waiting for input', ...keys]), columns).map((line) => paint.warning(line));
  return clock === undefined ? [truncate(styledHints([stop], theme), columns)] : [];
}

/** Returns the rows of a command after a `$`: cut to one line when folded, otherwise in full. */
export function rowsOfCommandLine(command: string, theme: Theme): string[] {
  const {columns, paint, extent} = theme;
  const rows =
    extent === 'folded'
      ? [markEscapes(truncate(`$ ${onOneLine(command)}`, columns), theme)]
      : rowsOfExact(`$ ${command}`, theme);
  return rows.map((row) => paint.dim(row));
}

/** True if the headline, which may be cut, shows the command; when everything is drawn, only if it certainly fits. */
function isInHeadline(command: string, title: string, {extent, columns}: Theme): boolean {
  if (extent === 'folded') return saysCommand(title, command);
  return !title.includes('\n') && width(title) <= columns / 2 && mentionsCommand(title, command);
}
