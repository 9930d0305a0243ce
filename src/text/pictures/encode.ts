import type {Packed} from './cells.ts';
import {shrunkFurther, type Pixels} from './pixels.ts';

/** Compresses bytes in zlib's format (RFC 1950). */
async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns the pixels in kitty's format. */
export async function packed({width, height, rgba}: Pixels): Promise<Packed> {
  return {width, height, data: base64(await deflated(new Uint8Array(rgba)))};
}

/** Maximum base64 of a picture, because it is written again whenever it moves. */
const MAX_WRITTEN = 256 * 1024;

/** Returns the pixels as PNG files in base64, one for each row of cells; fewer pixels if these would be large. */
export async function strips(pixels: Pixels, rows: number): Promise<readonly string[]> {
  const whole = await stripsOf(pixels, rows);
  const size = whole.reduce((sum, {length}) => sum + length, 0);
  return size > MAX_WRITTEN ? stripsOf(shrunkFurther(pixels), rows) : whole;
}

async function stripsOf({width, height, rgba}: Pixels, rows: number): Promise<readonly string[]> {
  const edge = (row: number) => Math.round((row * height) / rows);
  const parts = Array.from({length: rows}, (_, row) => ({
    width,
    height: edge(row + 1) - edge(row),
    rgba: rgba.subarray(edge(row) * width * 4, edge(row + 1) * width * 4),
  }));
  return Promise.all(parts.map(async (part) => base64(await encodePng(part))));
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** Returns a PNG file: https://www.w3.org/TR/png-3/ */
export async function encodePng({width, height, rgba}: Pixels): Promise<Uint8Array<ArrayBuffer>> {
  const line = width * 4;
  // Each row begins with its filter: none.
  const rows = new Uint8Array(height * (line + 1));
  for (let y = 0; y < height; y++) rows.set(rgba.subarray(y * line, (y + 1) * line), y * (line + 1) + 1);
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // 8 bits each of red, green, blue and alpha.
  header.set([8, 6], 8);
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', await deflated(rows)),
    chunk('IEND', new Uint8Array()),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(content, 8);
  view.setUint32(content.length + 8, crc(bytes.subarray(4, content.length + 8)));
  return bytes;
}

/** The checksum of a PNG chunk. */
function crc(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}
