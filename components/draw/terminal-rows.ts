import type {ChalkInstance} from 'chalk';
import type {TerminalRow, TerminalRun, TerminalStyle} from '../../src/session/terminal-screen.ts';
import type {Style} from '../../src/text/markdown/style.ts';

/** Makes the function that draws a terminal's text; `plain` is the look of what has no colour of its own. */
export function runPainter(chalk: ChalkInstance, plain: Style): (run: TerminalRun) => string {
  return ({text, style}) => {
    if (style === undefined) return plain(text);
    const inner = style.foreground === undefined ? plain(text) : text;
    return styled(chalk, style)(inner);
  };
}

const ATTRIBUTES = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strikethrough'] as const;

function styled(chalk: ChalkInstance, style: TerminalStyle): ChalkInstance {
  const {foreground, background} = style;
  let look = chalk;
  if (foreground !== undefined)
    look = typeof foreground === 'number' ? look.ansi256(foreground) : look.hex(foreground);
  if (background !== undefined)
    look = typeof background === 'number' ? look.bgAnsi256(background) : look.bgHex(background);
  for (const attribute of ATTRIBUTES) if (style[attribute]) look = look[attribute];
  return look;
}

/** A row in the sequences that we make ourselves. */
export function drawRow(row: TerminalRow, paint: {readonly run: (run: TerminalRun) => string}): string {
  return row.map(paint.run).join('');
}
