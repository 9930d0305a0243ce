import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProcessExit} from '../../../src/failure.ts';
import type {TerminalState} from '../../../src/session/state.ts';
import {sanitizeLine} from '../../../src/text/sanitize.ts';
import {truncate} from '../../../src/text/truncate.ts';
import type {Draw} from '../../draw/draw.ts';
import {wrapFolded} from '../../draw/lines.ts';
import type {ContentContext} from '../extent.ts';

const MOST_LINES = 10;

/** A command: what was typed, the end of what it wrote, and how it ended when that was not well. */
export function drawTerminal(
  {terminalId}: acp.Terminal,
  {entry, extent}: ContentContext,
  draw: Draw,
): string[] {
  const terminal = draw.terminals[terminalId];
  if (terminal === undefined) return [draw.paint.dim(truncate(`Terminal ${terminalId}`, draw.columns))];
  const most = extent === 'whole' ? Infinity : MOST_LINES;
  const text = terminal.output.replace(/^\n+|\s+$/g, '');
  const output = text === '' ? [] : wrapFolded(text, {most, keep: 'tail'}, draw);
  return [
    ...drawCommand(terminal, entry.title, draw),
    ...output.map((line) => draw.paint.output(line)),
    ...drawExit(terminal.exit, draw),
  ];
}

/** The command, unless the card's title says it. */
function drawCommand({command}: TerminalState, title: string, {columns, paint}: Draw): string[] {
  if (command === undefined || title.includes(command)) return [];
  return [paint.dim(truncate(`$ ${sanitizeLine(command)}`, columns))];
}

function drawExit(exit: ProcessExit | undefined, {columns, paint}: Draw): string[] {
  if (exit === undefined || (exit.code === 0 && exit.signal === null)) return [];
  const how = exit.signal === null ? `exit code ${exit.code ?? 'unknown'}` : `ended by ${exit.signal}`;
  return [paint.error(truncate(how, columns))];
}
