import type {ChalkInstance} from 'chalk';
import type {TerminalRow, TerminalRun, TerminalStyle} from '../../src/session/terminal-screen.ts';
import type {Style} from '../../src/text/markdown/style.ts';

/** Makes the function that draws a terminal's text; `plain` is the look of what has no colour of its own. */
export function runPainter(
  chalk: ChalkInstance,
  {plain, isColoured}: {readonly plain: Style; readonly isColoured: boolean},
): (run: TerminalRun) => string {
  return ({text, style}) => {
    if (style === undefined) return plain(text);
    const hasColour = isColoured && style.foreground !== undefined;
    const look = isColoured ? coloured(chalk, style) : chalk;
    return emphasized(look, style)(hasColour ? text : plain(text));
  };
}

const ATTRIBUTES = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strikethrough'] as const;

function emphasized(chalk: ChalkInstance, style: TerminalStyle): ChalkInstance {
  return ATTRIBUTES.reduce((look, attribute) => (style[attribute] ? look[attribute] : look), chalk);
}

function coloured(chalk: ChalkInstance, {foreground, background}: TerminalStyle): ChalkInstance {
  let look = chalk;
  if (foreground !== undefined)
    look = typeof foreground === 'number' ? look.ansi256(foreground) : look.hex(foreground);
  if (background !== undefined)
    look = typeof background === 'number' ? look.bgAnsi256(background) : look.bgHex(background);
  return look;
}

/** A row in the sequences that we make ourselves. */
export function drawRow(row: TerminalRow, paint: {readonly run: (run: TerminalRun) => string}): string {
  return row.map(paint.run).join('');
}
