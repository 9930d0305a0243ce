import {crc32, deflateSync} from 'node:zlib';

/** The fields of a PNG's header; 8 bits of red, green and blue by default. */
export interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  readonly color?: number;
  readonly interlace?: number;
}

/** A PNG file, independent of acp-tui's own encoder. `rows` have their filter in front; `chunks` come before the pixels. */
export function pngFile(
  {width, height, depth = 8, color = 2, interlace = 0}: Header,
  rows: readonly (readonly number[])[],
  chunks: readonly (readonly [string, readonly number[]])[] = [],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, color, 0, 0, interlace], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...chunks.map(([type, content]) => chunk(type, Buffer.from(content))),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

/** A picture of one color. */
export function plainPicture(width: number, height: number, color: readonly number[]): Buffer {
  const row = [0, ...Array.from({length: width}, () => color).flat()];
  return pngFile(
    {width, height},
    Array.from({length: height}, () => row),
  );
}
