import type {ShellCommandEntry} from '../../../src/session/entries.ts';
import type {TerminalState} from '../../../src/session/state.ts';
import {exitWords} from '../../../src/session/words/exit.ts';
import {duration, shownPath} from '../../../src/text/format.ts';
import {sanitizeLine} from '../../../src/text/sanitize.ts';
import {truncate} from '../../../src/text/truncate.ts';
import {width} from '../../../src/text/width.ts';
import type {Draw} from '../../draw/draw.ts';
import {indent, inside} from '../../draw/lines.ts';
import {drawTerminalState} from '../../tool-call/contents/terminal.ts';

/** A command that the user ran: drawn as those of agents, and marked as the user's own by the sign that it was typed with. */
export function drawShellCommand(entry: ShellCommandEntry, draw: Draw): string[] {
  const terminal = draw.terminals[entry.terminalId];
  const inner = inside(draw);
  return [
    drawShellHeadline(entry, draw),
    ...(terminal
      ? indent(drawTerminalState(terminal, {title: entry.command, extent: draw.extent}, inner))
      : []),
  ];
}

/** The command, where it ran, how it ended and how long it took, on one line. */
export function drawShellHeadline(entry: ShellCommandEntry, draw: Draw): string {
  const {paint, signs, columns} = draw;
  const terminal = draw.terminals[entry.terminalId];
  const details = [...whereOf(terminal, draw), ...endOf(entry, terminal)];
  const tail = details.map((detail) => ` ${signs.dot} ${detail}`).join('');
  const command = `! ${sanitizeLine(entry.command)}`;
  const shown = truncate(command, Math.max(columns - 2 - width(tail), Math.floor(columns / 2), 1));
  const rest = truncate(tail, Math.max(0, columns - 2 - width(shown)));
  return `${drawSign(entry, terminal, draw)} ${paint.user(shown)}${paint.dim(rest)}`;
}

function drawSign({endedAt}: ShellCommandEntry, terminal: TerminalState | undefined, draw: Draw): string {
  const {paint, signs} = draw;
  if (terminal?.exit) return terminal.exit.code === 0 ? paint.success(signs.done) : paint.error(signs.failed);
  return endedAt === undefined && terminal?.released === false
    ? paint.accent(signs.running)
    : paint.warning(signs.cancelled);
}

/** Not said where it is the folder of the session. */
function whereOf(terminal: TerminalState | undefined, {cwd}: Draw): string[] {
  return terminal?.cwd === undefined || terminal.cwd === cwd
    ? []
    : [sanitizeLine(shownPath(terminal.cwd, cwd))];
}

function endOf({at, endedAt}: ShellCommandEntry, terminal: TerminalState | undefined): string[] {
  if (terminal?.exit) return [exitWords(terminal.exit) ?? 'exit code 0', duration((endedAt ?? at) - at)];
  return terminal?.released === false ? [] : ['ended with acp-tui'];
}
