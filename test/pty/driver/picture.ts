import type {IBuffer, IBufferCell} from '@xterm/headless';

const WIDTH = 8.4;
const HEIGHT = 18;
const PADDING = 16;
/** The default colors and font of a picture. */
interface Ground {
  readonly background: string;
  readonly foreground: string;
}

const DARK: Ground = {background: '#16181d', foreground: '#d8dbe0'};
const LIGHT: Ground = {background: '#ffffff', foreground: '#24292f'};
const BASE = [
  ['#3b4048', '#e06c75', '#7fbf7f', '#d9b36c', '#6ca8e8', '#c08bdb', '#5fb8c4', '#c8ccd4'],
  ['#6b7280', '#f08a92', '#9ad79a', '#efcb86', '#8ec2fa', '#d6a9ee', '#83d2dc', '#ffffff'],
].flat();

/** The visible screen of a terminal as an SVG picture, so that a document can show a real run. */
export function pictureOf(
  buffer: IBuffer,
  {columns, rows, isLight}: {readonly columns: number; readonly rows: number; readonly isLight: boolean},
): string {
  const ground = isLight ? LIGHT : DARK;
  const lines = Array.from({length: rows}, (_, row) => lineOf(buffer, {row, columns, ground})).flat();
  const width = Math.ceil(columns * WIDTH + 2 * PADDING);
  const height = rows * HEIGHT + 2 * PADDING;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" rx="8" fill="${ground.background}"/>`,
    `<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">`,
    ...lines,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

interface Run {
  readonly from: number;
  readonly style: string;
  readonly background: string | undefined;
  text: string;
  columns: number;
}

interface Line {
  readonly row: number;
  readonly columns: number;
  readonly ground: Ground;
}

function lineOf(buffer: IBuffer, {row, columns, ground}: Line): string[] {
  const line = buffer.getLine(buffer.baseY + row);
  const runs: Run[] = [];
  for (let column = 0; column < columns; column++) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const text = cell.getChars() || ' ';
    const style = styleOf(cell, ground);
    const background = cell.isInverse() ? colorOf(cell, 'foreground', ground) : backgroundOf(cell, ground);
    const last = runs.at(-1);
    if (last?.style === style && last.background === background) {
      last.text += text;
      last.columns += cell.getWidth();
    } else runs.push({from: column, style, background, text, columns: cell.getWidth()});
  }
  return runs
    .filter((run) => run.text.trim() !== '' || run.background !== undefined)
    .map((run) => svgOf(run, row));
}

function svgOf({from, style, background, text, columns}: Run, row: number): string {
  const x = (PADDING + from * WIDTH).toFixed(1);
  const y = PADDING + row * HEIGHT;
  const length = (columns * WIDTH).toFixed(1);
  const box = background
    ? `<rect x="${x}" y="${y}" width="${length}" height="${HEIGHT}" fill="${background}"/>`
    : '';
  return `${box}<text x="${x}" y="${y + 13.5}" textLength="${length}" ${style}>${escaped(text)}</text>`;
}

function styleOf(cell: IBufferCell, ground: Ground): string {
  const fill = cell.isInverse() ? ground.background : colorOf(cell, 'foreground', ground);
  const parts = [`fill="${fill}"`];
  if (cell.isBold()) parts.push('font-weight="bold"');
  if (cell.isItalic()) parts.push('font-style="italic"');
  if (cell.isDim()) parts.push('opacity="0.65"');
  if (cell.isUnderline()) parts.push('text-decoration="underline"');
  if (cell.isStrikethrough()) parts.push('text-decoration="line-through"');
  return parts.join(' ');
}

function backgroundOf(cell: IBufferCell, ground: Ground): string | undefined {
  return cell.isBgDefault() ? undefined : colorOf(cell, 'background', ground);
}

function colorOf(cell: IBufferCell, side: keyof Ground, ground: Ground): string {
  const front = side === 'foreground';
  if (front ? cell.isFgDefault() : cell.isBgDefault()) return ground[side];
  const value = front ? cell.getFgColor() : cell.getBgColor();
  if (front ? cell.isFgRGB() : cell.isBgRGB()) return `#${value.toString(16).padStart(6, '0')}`;
  return palette(value);
}

function palette(index: number): string {
  const base = BASE[index];
  if (base) return base;
  if (index >= 232) return gray(8 + (index - 232) * 10);
  const level = (part: number) => (part === 0 ? 0 : 55 + part * 40);
  const rest = index - 16;
  return hex(level(Math.floor(rest / 36)), level(Math.floor(rest / 6) % 6), level(rest % 6));
}

function gray(level: number): string {
  return hex(level, level, level);
}

function hex(...parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
