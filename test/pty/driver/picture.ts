import type {IBuffer, IBufferCell} from '@xterm/headless';

const WIDTH = 8.4;
const HEIGHT = 18;
const PADDING = 16;
const BACKGROUND = '#16181d';
const FOREGROUND = '#d8dbe0';
const BASE = [
  ['#3b4048', '#e06c75', '#7fbf7f', '#d9b36c', '#6ca8e8', '#c08bdb', '#5fb8c4', '#c8ccd4'],
  ['#6b7280', '#f08a92', '#9ad79a', '#efcb86', '#8ec2fa', '#d6a9ee', '#83d2dc', '#ffffff'],
].flat();

/** The visible screen of a terminal as an SVG picture, so that a document can show what a run really looked like. */
export function pictureOf(buffer: IBuffer, columns: number, rows: number): string {
  const lines: string[] = [];
  for (let row = 0; row < rows; row++) lines.push(...lineOf(buffer, row, columns));
  const width = Math.ceil(columns * WIDTH + 2 * PADDING);
  const height = rows * HEIGHT + 2 * PADDING;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
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

function lineOf(buffer: IBuffer, row: number, columns: number): string[] {
  const line = buffer.getLine(buffer.baseY + row);
  const runs: Run[] = [];
  for (let column = 0; column < columns; column++) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const text = cell.getChars() || ' ';
    const style = styleOf(cell);
    const background = cell.isInverse() ? colorOf(cell, 'foreground') : backgroundOf(cell);
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

function styleOf(cell: IBufferCell): string {
  const fill = cell.isInverse() ? BACKGROUND : colorOf(cell, 'foreground');
  const parts = [`fill="${fill}"`];
  if (cell.isBold()) parts.push('font-weight="bold"');
  if (cell.isItalic()) parts.push('font-style="italic"');
  if (cell.isDim()) parts.push('opacity="0.65"');
  if (cell.isUnderline()) parts.push('text-decoration="underline"');
  if (cell.isStrikethrough()) parts.push('text-decoration="line-through"');
  return parts.join(' ');
}

function backgroundOf(cell: IBufferCell): string | undefined {
  return cell.isBgDefault() ? undefined : colorOf(cell, 'background');
}

function colorOf(cell: IBufferCell, side: 'foreground' | 'background'): string {
  const front = side === 'foreground';
  if (front ? cell.isFgDefault() : cell.isBgDefault()) return front ? FOREGROUND : BACKGROUND;
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
