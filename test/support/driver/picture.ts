import type {IBuffer, IBufferCell, IBufferLine} from '@xterm/headless';

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

/** The visible rows of a terminal, each as SVG at the top of a picture. */
export interface Frame {
  readonly rows: readonly string[];
  readonly width: number;
  readonly ground: Ground;
}

/** Returns what a terminal shows, so that a document can show what a run really looked like. */
export function frameOf(
  buffer: IBuffer,
  {columns, rows, isLight}: {readonly columns: number; readonly rows: number; readonly isLight: boolean},
): Frame {
  const ground = isLight ? LIGHT : DARK;
  return {
    rows: Array.from({length: rows}, (_, row) => rowOf(buffer.getLine(buffer.baseY + row), columns, ground)),
    width: Math.ceil(columns * WIDTH + 2 * PADDING),
    ground,
  };
}

/** Returns a frame as an SVG picture. */
export function pictureOf(frame: Frame): string {
  return svg(
    frame,
    frame.rows.map((row, at) => (row === '' ? '' : `<g ${down(at)}>${row}</g>`)),
  );
}

/** A frame, and how long it is shown, in seconds. */
export interface TimedFrame {
  readonly frame: Frame;
  readonly seconds: number;
}

/** Returns frames of the same size as an SVG picture that shows one after the other, again and again. */
export function movingPictureOf(frames: readonly TimedFrame[]): string {
  const [first] = frames;
  if (!first) throw new Error('no frames');
  const total = frames.reduce((sum, {seconds}) => sum + seconds, 0);
  const known = new Map<string, number>();
  const styles: string[] = [];
  let at = 0;
  const groups = frames.map(({frame, seconds}, index) => {
    const [from, to] = [at, at + seconds].map((time) => ((time / total) * 100).toFixed(2));
    at += seconds;
    const before = from === '0.00' ? '' : '0%{visibility:hidden}';
    styles.push(
      `@keyframes f${index}{${before}${from}%{visibility:visible}${to}%{visibility:hidden}}`,
      `#f${index}{animation:f${index} ${total.toFixed(1)}s step-end infinite}`,
    );
    const uses = frame.rows.flatMap((row, place) => {
      if (row === '') return [];
      if (!known.has(row)) known.set(row, known.size);
      return `<use href="#r${known.get(row)}" ${down(place)}/>`;
    });
    return `<g id="f${index}" visibility="hidden">${uses.join('')}</g>`;
  });
  const rows = [...known].map(([row, id]) => `<g id="r${id}">${row}</g>`);
  return svg(first.frame, [
    `<style>${styles.join('')}</style>`,
    `<defs>${rows.join('\n')}</defs>`,
    ...groups,
  ]);
}

function svg({rows, width, ground}: Frame, content: readonly string[]): string {
  const height = rows.length * HEIGHT + 2 * PADDING;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" rx="8" fill="${ground.background}"/>`,
    `<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">`,
    ...content.filter((line) => line !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function down(row: number): string {
  return `transform="translate(0 ${PADDING + row * HEIGHT})"`;
}

interface Run {
  readonly from: number;
  readonly style: string;
  readonly background: string | undefined;
  text: string;
  columns: number;
}

function rowOf(line: IBufferLine | undefined, columns: number, ground: Ground): string {
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
    .map(svgOf)
    .join('');
}

function svgOf({from, style, background, text, columns}: Run): string {
  const place = (start: number, count: number) =>
    [(PADDING + start * WIDTH).toFixed(1), (count * WIDTH).toFixed(1)] as const;
  const [x, length] = place(from, columns);
  const box = background ? `<rect x="${x}" width="${length}" height="${HEIGHT}" fill="${background}"/>` : '';
  const words = text.trim();
  if (words === '') return box;
  // Blanks at the ends would be left out, and then the rest stretched.
  const before = text.length - text.trimStart().length;
  const [textX, textLength] = place(from + before, columns - (text.length - words.length));
  return `${box}<text x="${textX}" y="13.5" textLength="${textLength}" ${style}>${escaped(words)}</text>`;
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
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/ /g, '\u00a0');
}
