import type {CellSize, Pixels} from './pixels.ts';
import {addAll} from '../lists.ts';

/** How a terminal shows pictures: with the kitty graphics protocol, with iTerm2's inline images, as sixels, or as half blocks of color. */
export type PictureWay = 'kitty' | 'iterm2' | Sixels | 'blocks';

/** The terminal's sixel graphics, which are drawn pixel by pixel. */
interface Sixels {
  /** The size of a cell. */
  readonly cell: PixelSize;
}

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** A picture in the format of the terminal. */
export interface Picture extends CellSize {
  /** Between 1 and 2^24, as a color. */
  readonly id: number;
  /** For half blocks. */
  readonly pixels?: Pixels;
  /** For kitty. */
  readonly packed?: PackedPixels;
  /** For iTerm2: a file for each row, in base64. */
  readonly strips?: readonly string[];
  /** For sixel: a sequence for each row. */
  readonly sixels?: readonly string[];
}

/** Compressed pixels in base64. */
export interface PackedPixels extends Omit<Pixels, 'rgba'> {
  readonly data: string;
}

/**
 * A cell of a picture: a character that kitty replaces by the picture's part, if the color is the picture's id. Nothing else on the screen has it: text of
 * agents is sanitized. https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders
 */
const PICTURE_CELL = '\u{10eeee}';

/** Marks on the first cell of a row that number the rows and columns from 0, from kitty's list. */
const NUMBERS = Array.from('\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c');

/** Returns the rows of a picture as placeholder text, see `writtenPictures`. */
export function placeholderRows({id, columns, rows}: Picture): string[] {
  const color = `\x1b[38;2;${id >> 16};${(id >> 8) & 255};${id & 255}m`;
  return NUMBERS.slice(0, rows).map(
    (number) => `${color}${PICTURE_CELL}${number}${NUMBERS[0]}${PICTURE_CELL.repeat(columns - 1)}\x1b[39m`,
  );
}

/** True for a row of a picture. */
export function isPictureRow(row: string): boolean {
  return row.includes(PICTURE_CELL);
}

/** Two pixels in a cell: red, green and blue above and below. */
export type BlockStyle = (cell: string, above: readonly number[], below: readonly number[]) => string;

const UPPER_HALF = '▀';

/** Returns the rows of a picture as half blocks: two pixels in a cell. */
export function blockRows(
  {columns, rows}: CellSize,
  {width, height, rgba}: Pixels,
  style: BlockStyle,
): string[] {
  /** The average of an area, on white where it is transparent. */
  const colorOf = (column: number, half: number): number[] => {
    const from = {x: Math.floor((column * width) / columns), y: Math.floor((half * height) / (rows * 2))};
    const to = {
      x: Math.max(from.x + 1, Math.floor(((column + 1) * width) / columns)),
      y: Math.max(from.y + 1, Math.floor(((half + 1) * height) / (rows * 2))),
    };
    const sums = [0, 0, 0];
    for (let y = from.y; y < to.y; y++) {
      for (let x = from.x; x < to.x; x++) {
        const at = (y * width + x) * 4;
        const alpha = (rgba[at + 3] ?? 0) / 255;
        for (const part of sums.keys()) sums[part]! += (rgba[at + part] ?? 0) * alpha + 255 * (1 - alpha);
      }
    }
    const count = (to.x - from.x) * (to.y - from.y);
    return sums.map((sum) => Math.round(sum / count));
  };
  return Array.from({length: rows}, (_, row) =>
    Array.from({length: columns}, (_, column) =>
      style(UPPER_HALF, colorOf(column, row * 2), colorOf(column, row * 2 + 1)),
    ).join(''),
  );
}

const RUNS = new RegExp(
  String.raw`\x1b\[38;2;(\d+);(\d+);(\d+)m(${PICTURE_CELL}([${NUMBERS.join('')}])${NUMBERS[0]}(?:${PICTURE_CELL})*)`,
  'gu',
);

/** Replaces placeholder rows by sequences for the terminal, before they are written; `sent` are the pictures that it already has. */
export function writtenPictures(
  data: string,
  sent: Set<number>,
  find: (id: number) => Picture | undefined,
): string {
  if (!data.includes(PICTURE_CELL)) return data;
  const news: string[] = [];
  const rows = data.replace(RUNS, (run, ...found: string[]) => {
    const [red = '', green = '', blue = '', cells = '', number = ''] = found;
    const id = (Number(red) << 16) | (Number(green) << 8) | Number(blue);
    const picture = find(id);
    const row = NUMBERS.indexOf(number);
    // Besides the cells there are two marks.
    const columns = Array.from(cells).length - 2;
    const [strip, sixels] = [picture?.strips?.[row], picture?.sixels?.[row]];
    if (strip !== undefined) return inlineImage(strip, columns);
    if (sixels !== undefined) return `${ROW_BELOW}\x1b7${sixels}\x1b8\x1b[${columns}C`;
    if (picture?.packed !== undefined && !sent.has(id)) addAll(news, transmission(picture, picture.packed));
    sent.add(id);
    return run;
  });
  return news.join('') + rows;
}

/** Maximum payload of a sequence in kitty's protocol. */
const PIECE = 4096;

/** Returns the sequences that store a picture in a terminal with kitty's protocol, to be shown by placeholders; the terminal sends no response. */
function transmission({id, columns, rows}: Picture, {width, height, data}: PackedPixels): string[] {
  const keys = `a=T,q=2,U=1,f=32,o=z,i=${id},s=${width},v=${height},c=${columns},r=${rows}`;
  const count = Math.ceil(data.length / PIECE);
  return Array.from({length: count}, (_, index) => {
    const more = `m=${index + 1 < count ? 1 : 0}`;
    const piece = data.slice(index * PIECE, (index + 1) * PIECE);
    return `\x1b_G${index === 0 ? `${keys},${more}` : `q=2,${more}`};${piece}\x1b\\`;
  });
}

/** Makes sure that there is a row below: on the last one, the terminal would scroll after the picture. */
const ROW_BELOW = '\x1bD\x1b[A';

/** Returns a row of a picture for iTerm2, with the cursor after it: https://iterm2.com/documentation-images.html */
function inlineImage(file: string, columns: number): string {
  const size = `width=${columns};height=1;preserveAspectRatio=0`;
  return `\x1b7\x1b]1337;File=inline=1;${size}:${file}\x07\x1b8\x1b[${columns}C`;
}
