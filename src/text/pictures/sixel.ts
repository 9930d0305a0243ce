import type {PixelSize} from './cells.ts';
import type {CellSize, Pixels} from './pixels.ts';
import {maxOf, minOf} from '../lists.ts';

/** Maximum number of colors: terminals have at least this many registers. */
const MAX_COLORS = 255;
/** Bits of each part of a color that are compared. */
const BITS = 5;
const REST = 8 - BITS;
const BAND = 6;
/** A pixel less opaque than this is left out. */
const OPAQUE = 128;

/**
 * Returns a sixel picture for each row of cells, for a terminal with cells of this size in pixels: https://vt100.net/docs/vt3xx-gp/chapter14.html. The
 * background stays where the picture is transparent.
 */
export function sixelRows(pixels: Pixels, {columns, rows}: CellSize, cell: PixelSize): readonly string[] {
  const size = {width: columns * cell.width, height: rows * cell.height};
  const {colors, indices} = paletted(scaled(pixels, size));
  return Array.from({length: rows}, (_, row) => {
    const from = row * cell.height * size.width;
    const part = indices.subarray(from, from + cell.height * size.width);
    return drawSixels(part, {width: size.width, height: cell.height}, colors);
  });
}

/** Scales to the nearest pixels, since the picture was already averaged. */
function scaled({width, height, rgba}: Pixels, size: PixelSize): Pixels {
  const to = new Uint8Array(size.width * size.height * 4);
  for (let y = 0; y < size.height; y++) {
    const line = Math.floor((y * height) / size.height) * width;
    for (let x = 0; x < size.width; x++) {
      const from = (line + Math.floor((x * width) / size.width)) * 4;
      to.set(rgba.subarray(from, from + 4), (y * size.width + x) * 4);
    }
  }
  return {...size, rgba: to};
}

type Color = readonly [red: number, green: number, blue: number];

interface Paletted {
  readonly colors: readonly Color[];
  /** The color of each pixel from 1; 0 for a transparent one. */
  readonly indices: Uint8Array;
}

/** Reduces a picture to few colors by median cut: boxes of similar colors are halved until there are enough. */
function paletted({rgba}: Pixels): Paletted {
  const bins = new Uint32Array(rgba.length / 4);
  const counts = new Map<number, number>();
  for (let at = 0; at < bins.length; at++) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at * 4, at * 4 + 4);
    if (alpha < OPAQUE) continue;
    const bin = 1 + (((red >> REST) << (2 * BITS)) | ((green >> REST) << BITS) | (blue >> REST));
    bins[at] = bin;
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  const boxes = [boxOf([...counts].map(([bin, count]) => ({bin, count, color: colorOf(bin)})))];
  while (boxes.length < MAX_COLORS) {
    const widest = boxes.reduce((one, other) => (other.spread > one.spread ? other : one));
    if (widest.spread === 0) break;
    boxes.splice(boxes.indexOf(widest), 1, ...halves(widest));
  }
  const indexOf = new Map(
    boxes.flatMap(({entries}, index) => entries.map(({bin}) => [bin, index + 1] as const)),
  );
  return {colors: boxes.map(averageOf), indices: Uint8Array.from(bins, (bin) => indexOf.get(bin) ?? 0)};
}

interface Entry {
  readonly bin: number;
  /** Number of pixels. */
  readonly count: number;
  readonly color: Color;
}

interface Box {
  readonly entries: readonly Entry[];
  /** The part of the color that differs most. */
  readonly part: number;
  /** How much it differs, times the number of pixels; 0 for a single color. */
  readonly spread: number;
}

function boxOf(entries: readonly Entry[]): Box {
  const ranges = [0, 1, 2].map((part) => {
    const values = entries.map(({color}) => color[part] ?? 0);
    return entries.length === 0 ? 0 : maxOf(values) - minOf(values);
  });
  const range = maxOf(ranges);
  return {entries, part: ranges.indexOf(range), spread: range * pixelsOf(entries)};
}

function halves({entries, part}: Box): readonly [Box, Box] {
  const sorted = entries.toSorted((one, other) => (one.color[part] ?? 0) - (other.color[part] ?? 0));
  const half = pixelsOf(entries) / 2;
  let pixels = 0;
  let cut = 0;
  while (cut < sorted.length - 1 && pixels < half) pixels += sorted[cut++]?.count ?? 0;
  return [boxOf(sorted.slice(0, cut)), boxOf(sorted.slice(cut))];
}

function averageOf({entries}: Box): Color {
  const pixels = pixelsOf(entries) || 1;
  const average = (part: 0 | 1 | 2) =>
    entries.reduce((sum, {color, count}) => sum + color[part] * count, 0) / pixels;
  return [average(0), average(1), average(2)];
}

function pixelsOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, {count}) => sum + count, 0);
}

/** Returns the color in the middle of a bin. */
function colorOf(bin: number): Color {
  const part = (shift: number) => (((bin - 1) >> shift) % 2 ** BITS) * (255 / (2 ** BITS - 1));
  return [part(2 * BITS), part(BITS), part(0)];
}

function drawSixels(indices: Uint8Array, {width, height}: PixelSize, colors: readonly Color[]): string {
  const used = [...new Set(indices)].filter((index) => index > 0);
  const palette = used.map((index) => {
    const parts = (colors[index - 1] ?? []).map((part) => Math.round((part * 100) / 255));
    return `#${index};2;${parts.join(';')}`;
  });
  const bands = Array.from({length: Math.ceil(height / BAND)}, (_, band) => {
    const part = indices.subarray(band * BAND * width, (band + 1) * BAND * width);
    return drawBand(part, width);
  });
  return `\x1bP0;1;0q"1;1;${width};${height}${palette.join('')}${bands.join('-')}\x1b\\`;
}

/** Draws six rows of pixels, one color after another. */
function drawBand(indices: Uint8Array, width: number): string {
  const layers = new Map<number, Uint8Array>();
  for (const [at, index] of indices.entries()) {
    if (index === 0) continue;
    const layer = layers.get(index) ?? new Uint8Array(width);
    layers.set(index, layer);
    layer[at % width]! |= 1 << Math.floor(at / width);
  }
  return [...layers].map(([index, layer]) => `#${index}${runLengths(layer)}`).join('$');
}

/** Encodes each column of six pixels as a character, and repetitions as a count. */
function runLengths(layer: Uint8Array): string {
  let encoded = '';
  for (let from = 0; from < layer.length;) {
    let to = from;
    while (to < layer.length && layer[to] === layer[from]) to++;
    const character = String.fromCharCode(63 + (layer[from] ?? 0));
    if (to < layer.length || layer[from] !== 0)
      encoded += to - from > 3 ? `!${to - from}${character}` : character.repeat(to - from);
    from = to;
  }
  return encoded;
}
