import type {PackedPixels} from './cells.ts';
import {shrinkFurther, type Pixels} from './pixels.ts';

/** Compresses bytes in zlib's format (RFC 1950). */
async function deflated(bytes: Uint8Array): Promise<Buffer> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream('deflate'));
  return Buffer.from(await new Response(stream).arrayBuffer());
}

/** Returns the pixels in kitty's format. */
export async function packPixels({width, height, rgba}: Pixels): Promise<PackedPixels> {
  return {width, height, data: base64(await deflated(rgba))};
}

/** Maximum base64 of a picture, because it is written again whenever it moves. */
const MAX_WRITTEN = 256 * 1024;

/** Returns the pixels as PNG files in base64, one for each row of cells; fewer pixels if these would be large. */
export async function pngStrips(pixels: Pixels, rows: number): Promise<readonly string[]> {
  const whole = await stripsOf(pixels, rows);
  const size = whole.reduce((sum, {length}) => sum + length, 0);
  return size > MAX_WRITTEN ? stripsOf(shrinkFurther(pixels), rows) : whole;
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
export async function encodePng({width, height, rgba}: Pixels): Promise<Buffer> {
  const line = width * 4;
  // Each row begins with its filter: none.
  const rows = new Uint8Array(height * (line + 1));
  for (let y = 0; y < height; y++) rows.set(rgba.subarray(y * line, (y + 1) * line), y * (line + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits each of red, green, blue and alpha.
  header.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', await deflated(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(content.length);
  sum.writeUInt32BE(checksumOf(named));
  return Buffer.concat([size, named, sum]);
}

function checksumOf(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}
