import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isRunning} from '../../../src/app/command-keyboard.ts';
import type {ProcessExit} from '../../../src/shared/failure.ts';
import type {TerminalState} from '../../../src/session/state.ts';
import type {TerminalScreen} from '../../../src/session/terminal-screen.ts';
import {exitWords} from '../../../src/session/words/exit.ts';
import {escapeHiddenLine} from '../../../src/text/hidden.ts';
import {drawCommandLine, isInHeadline} from '../command-line.ts';
import {truncate} from '../../../src/text/truncate.ts';
import {wrap} from '../../../src/text/wrap.ts';
import type {Draw} from '../../draw/draw.ts';
import {fold, wrapFolded} from '../../draw/lines.ts';
import {drawRow} from '../../draw/terminal-rows.ts';
import type {ContentContext, Extent} from '../extent.ts';

const MOST_LINES = 10;

/** A command: what was typed, the end of what it wrote, and how it ended when that was not well. */
export function drawTerminal(
  {terminalId}: acp.Terminal,
  {entry, extent}: ContentContext,
  draw: Draw,
): string[] {
  const terminal = draw.terminals[terminalId];
  if (terminal === undefined)
    return [draw.paint.dim(truncate(`Terminal ${escapeHiddenLine(terminalId)}`, draw.columns))];
  // What a command writes is not what is approved, and must not move what is being read.
  if (extent === 'exact') return drawAskedCommand(terminal, entry.title, draw);
  return [
    ...drawTerminalState(terminal, {title: entry.title, extent}, draw),
    ...drawExit(terminal.exit, draw),
  ];
}

function drawAskedCommand(terminal: TerminalState, title: string, draw: Draw): string[] {
  const words = `${draw.keys.openAll} shows what its command has written`;
  return [
    ...drawCommand(terminal, {title, extent: 'exact'}, draw),
    draw.paint.dim(truncate(words, draw.columns)),
  ];
}

/** The same without how it ended; `title` stands above it already. */
export function drawTerminalState(
  terminal: TerminalState,
  {title, extent}: {readonly title: string; readonly extent: Extent},
  draw: Draw,
): string[] {
  const most = extent === 'folded' ? MOST_LINES : Infinity;
  const output = terminal.screen ? drawTail(terminal.screen, most, draw) : drawText(terminal, most, draw);
  return [...drawCommand(terminal, {title, extent}, draw), ...output, ...drawRunning(terminal, draw)];
}

function drawTail({rows, dropped}: TerminalScreen, most: number, draw: Draw): string[] {
  const first =
    dropped > 0
      ? 0
      : Math.max(
          0,
          rows.findIndex((row) => row.length > 0),
        );
  const hidden = Math.max(0, rows.length - first - most - 1);
  const lines = rows.slice(first + hidden).flatMap((row) => wrap(drawRow(row, draw.paint), draw.columns));
  return fold(lines, {most, keep: 'tail', hidden: hidden + dropped, how: howToSeeAll(draw)}, draw);
}

function howToSeeAll({extent, keys}: Draw): string {
  return extent !== 'folded' ? 'not kept' : `${keys.openAll} shows all`;
}

/** Where nothing is interpreted. */
function drawText({output}: TerminalState, most: number, draw: Draw): string[] {
  const text = output.replace(/^\n+|\s+$/g, '');
  if (text === '') return [];
  return wrapFolded(text, {most, keep: 'tail'}, draw).map((line) => draw.paint.output(line));
}

/** The command, unless the card's title says it. */
function drawCommand(
  {command}: TerminalState,
  {title, extent}: {readonly title: string; readonly extent: Extent},
  draw: Draw,
): string[] {
  if (command === undefined || isInHeadline(command, {title, extent, columns: draw.columns})) return [];
  return drawCommandLine(command, extent, draw);
}

/** While it runs, what can be done about it. */
function drawRunning(terminal: TerminalState, draw: Draw): string[] {
  if (!isRunning(terminal)) return [];
  const {paint, columns, keys} = draw;
  if (terminal.awaitsInput) {
    const text = `It seems to wait for input: ${keys.giveKeyboard} gives it the keyboard, ${keys.stop} stops it`;
    return wrap(text, columns).map((line) => paint.warning(line));
  }
  return [paint.dim(truncate(`${keys.stop} stops it`, columns))];
}

/** How it ended when that was not well. */
function drawExit(exit: ProcessExit | undefined, {columns, paint}: Draw): string[] {
  const words = exit && exitWords(exit);
  return words === undefined ? [] : [paint.error(truncate(words, columns))];
}
