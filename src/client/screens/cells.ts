import type {IBufferCell, IBufferLine} from '@xterm/headless';
import type {TerminalColour, TerminalRow, TerminalRun, TerminalStyle} from '../../session/terminal-screen.ts';

/** A row of the emulator as runs; blank cells at its end are left out. */
export function rowOf(line: IBufferLine, cell: IBufferCell): TerminalRow {
  const end = endOf(line, cell);
  const runs: TerminalRun[] = [];
  let text = '';
  let look = '';
  let style: TerminalStyle | undefined;
  const finish = () => {
    if (text !== '') runs.push(style === undefined ? {text} : {text, style});
  };
  for (let column = 0; column < end; column++) {
    line.getCell(column, cell);
    // The second half of a wide character.
    if (cell.getWidth() === 0) continue;
    const next = cell.isAttributeDefault() ? '' : lookOf(cell);
    if (next !== look) {
      finish();
      text = '';
      look = next;
      style = next === '' ? undefined : styleOf(cell);
    }
    text += cell.isInvisible() !== 0 ? ' '.repeat(cell.getWidth()) : cell.getChars() || ' ';
  }
  finish();
  return runs;
}

function endOf(line: IBufferLine, cell: IBufferCell): number {
  let end = line.length;
  while (end > 0 && isBlank(line.getCell(end - 1, cell))) end--;
  return end;
}

function isBlank(cell: IBufferCell | undefined): boolean {
  if (cell === undefined) return true;
  const chars = cell.getChars();
  const isVisible = cell.isBgDefault() && cell.isInverse() === 0 && cell.isUnderline() === 0;
  return (chars === '' || chars === ' ') && isVisible && cell.getWidth() !== 0;
}

/** The same for two cells that look the same. */
function lookOf(cell: IBufferCell): string {
  const flags =
    (cell.isBold() && 1) |
    (cell.isDim() && 2) |
    (cell.isItalic() && 4) |
    (cell.isUnderline() && 8) |
    (cell.isInverse() && 16) |
    (cell.isStrikethrough() && 32);
  return `${flags} ${cell.getFgColorMode()} ${cell.getFgColor()} ${cell.getBgColorMode()} ${cell.getBgColor()}`;
}

function styleOf(cell: IBufferCell): TerminalStyle {
  const foreground = cell.isFgDefault() ? undefined : colourOf(cell.isFgRGB(), cell.getFgColor());
  const background = cell.isBgDefault() ? undefined : colourOf(cell.isBgRGB(), cell.getBgColor());
  return {
    ...(foreground !== undefined && {foreground}),
    ...(background !== undefined && {background}),
    ...(cell.isBold() !== 0 && {bold: true}),
    ...(cell.isDim() !== 0 && {dim: true}),
    ...(cell.isItalic() !== 0 && {italic: true}),
    ...(cell.isUnderline() !== 0 && {underline: true}),
    ...(cell.isInverse() !== 0 && {inverse: true}),
    ...(cell.isStrikethrough() !== 0 && {strikethrough: true}),
  };
}

function colourOf(isRgb: boolean, colour: number): TerminalColour {
  return isRgb ? `#${colour.toString(16).padStart(6, '0')}` : colour;
}
