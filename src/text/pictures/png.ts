import {createShrinker, type ShrunkenPicture} from './pixels.ts';

/** Maximum width and height. */
const MAX_SIDE = 16_384;
const MAX_PIXELS = 40_000_000;

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Color types of PNG: samples per pixel. */
const SAMPLES: Readonly<Record<number, number>> = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4};
const PALETTE = 3;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly color: number;
}

interface PngFile extends Header {
  /** Colors of a palette, three bytes each. */
  readonly palette: Uint8Array;
  /** Alpha of a palette's colors. */
  readonly alphas: Uint8Array;
  /** Compressed rows. */
  readonly data: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Reads a PNG file and shrinks it for the screen; undefined if it is not a PNG, damaged, interlaced or too large. Untrusted: it is inflated piece by
 * piece, never beyond what its size allows, so that neither memory nor the event loop depends on it. https://www.w3.org/TR/png-3/
 */
export async function readPng(bytes: Uint8Array<ArrayBuffer>): Promise<ShrunkenPicture | undefined> {
  const file = parseFile(bytes);
  if (file === undefined) return undefined;
  const {width, height} = file;
  const shrinker = createShrinker(width, height);
  const rows = createRows(file, shrinker.add);
  const inflated = new Blob([...file.data]).stream().pipeThrough(new DecompressionStream('deflate'));
  try {
    for await (const piece of inflated) if (!rows.take(piece)) break;
  } catch {
    return undefined;
  }
  return rows.isDone() ? shrinker.shrunken() : undefined;
}

function parseFile(bytes: Uint8Array<ArrayBuffer>): PngFile | undefined {
  if (!SIGNATURE.every((byte, index) => bytes[index] === byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: Header | undefined;
  let palette = new Uint8Array();
  let alphas = new Uint8Array();
  const data: Uint8Array<ArrayBuffer>[] = [];
  // Each chunk has a length, a type of four letters, content, and a checksum.
  for (let at = SIGNATURE.length; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const type = view.getUint32(at + 4);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (content.length < length) return undefined;
    if (type === CHUNKS.IHDR) header = parseHeader(content);
    if (header === undefined) return undefined;
    if (type === CHUNKS.PLTE) palette = content;
    if (type === CHUNKS.tRNS) alphas = content;
    if (type === CHUNKS.IDAT) data.push(content);
    if (type === CHUNKS.IEND) break;
    at += length + 12;
  }
  return header && {...header, palette, alphas, data};
}

const CHUNKS = {
  IHDR: 0x49484452,
  PLTE: 0x504c5445,
  tRNS: 0x74524e53,
  IDAT: 0x49444154,
  IEND: 0x49454e44,
} as const;

const HEADER_BYTES = 13;

function parseHeader(content: Uint8Array): Header | undefined {
  if (content.length !== HEADER_BYTES) return undefined;
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth = 0, color = 0, compression, filter, interlace] = content.subarray(8);
  const isSized = width > 0 && height > 0 && Math.max(width, height) <= MAX_SIDE;
  const isKnown = SAMPLES[color] !== undefined && [1, 2, 4, 8, 16].includes(depth);
  const hasDepth = depth === 8 || color === 0 || (color === PALETTE ? depth < 8 : depth === 16);
  if (!isSized || width * height > MAX_PIXELS || !isKnown || !hasDepth) return undefined;
  if (compression !== 0 || filter !== 0 || interlace !== 0) return undefined;
  return {width, height, depth, color};
}

/** Collects inflated bytes into rows, and passes on each as RGBA. */
function createRows(file: PngFile, add: (row: Uint8Array) => void) {
  const {width, height, depth, color} = file;
  const bits = depth * (SAMPLES[color] ?? 1);
  const step = Math.max(1, bits >> 3);
  const length = Math.ceil((width * bits) / 8);
  const toRgba = createReader(file);
  // With the filter's type in front.
  let row = new Uint8Array(length + 1);
  let above = new Uint8Array(length + 1);
  let filled = 0;
  let done = 0;
  return {
    /** False when nothing more is needed, or a row is invalid. */
    take(piece: Uint8Array): boolean {
      for (let at = 0; at < piece.length && done < height;) {
        const part = piece.subarray(at, at + row.length - filled);
        row.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled < row.length) return true;
        if (!unfilter(row, above, step)) return false;
        add(toRgba(row.subarray(1)));
        [row, above] = [above, row];
        filled = 0;
        done++;
      }
      return done < height;
    },
    isDone: () => done === height,
  };
}

/** Reverses the filter of a row, in place; false if there is no such filter. The first byte is the filter's type. */
function unfilter(row: Uint8Array, above: Uint8Array, step: number): boolean {
  const filter = row[0] ?? 0;
  if (filter > 4) return false;
  if (filter === 0) return true;
  for (let at = 1; at < row.length; at++) {
    const left = at > step ? (row[at - step] ?? 0) : 0;
    const up = above[at] ?? 0;
    const corner = at > step ? (above[at - step] ?? 0) : 0;
    row[at] = (row[at] ?? 0) + predicted(filter, {left, up, corner});
  }
  return true;
}

function predicted(
  filter: number,
  {left, up, corner}: {readonly left: number; readonly up: number; readonly corner: number},
): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [byLeft, byUp, byCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** Returns a function that reads a row's samples as RGBA. The result is overwritten by the next call. */
function createReader({width, depth, color, palette, alphas}: PngFile): (row: Uint8Array) => Uint8Array {
  const rgba = new Uint8Array(width * 4);
  const samples = SAMPLES[color] ?? 1;
  const most = 2 ** Math.min(8, depth) - 1;
  const bytes = depth >> 3;
  const sample = (row: Uint8Array, index: number): number => {
    // Of 16 bits, the first byte is enough.
    if (depth >= 8) return row[index * bytes] ?? 0;
    const bit = index * depth;
    return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & most;
  };
  return (row) => {
    for (let x = 0; x < width; x++) {
      const first = sample(row, x * samples);
      const at = x * 4;
      if (color === PALETTE) {
        for (let part = 0; part < 3; part++) rgba[at + part] = palette[first * 3 + part] ?? 0;
        rgba[at + 3] = alphas[first] ?? 255;
        continue;
      }
      const isGray = samples < 3;
      const level = (value: number) => (value * 255) / most;
      for (let part = 0; part < 3; part++)
        rgba[at + part] = level(isGray ? first : sample(row, x * samples + part));
      rgba[at + 3] = samples % 2 === 0 ? sample(row, x * samples + samples - 1) : 255;
    }
    return rgba;
  };
}
