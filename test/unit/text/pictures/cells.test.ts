import {inflateSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {
  blockRows,
  placeholderRows,
  writtenPictures,
  type Picture,
} from '../../../../src/text/pictures/cells.ts';
import {packPixels, pngStrips} from '../../../../src/text/pictures/encode.ts';
import type {ShrunkenPicture} from '../../../../src/text/pictures/pixels.ts';
import {readPng} from '../../../../src/text/pictures/png.ts';
import {sanitize} from '../../../../src/text/sanitize.ts';
import {width} from '../../../../src/text/width.ts';
import {plainPicture} from '../../../support/text/png-file.ts';

const ID = 0x01_02_03;

async function picture(pixelColumns = 80, pixelRows = 48): Promise<Picture & ShrunkenPicture> {
  const found = await readPng(new Uint8Array(plainPicture(pixelColumns, pixelRows, [255, 0, 9])));
  if (found === undefined) throw new Error('not read');
  return {id: ID, ...found};
}

test('a picture takes as many cells as its rows are wide', async () => {
  const rows = placeholderRows(await picture());
  expect(rows.map(width)).toEqual([10, 10, 10]);
});

test('for kitty, a picture is sent once, in pieces, and its cells stay text', async () => {
  const found = await picture();
  const sent = new Set<number>();
  const rows = placeholderRows(found).join('\n');
  const whole = {...found, packed: await packPixels(found.pixels)};
  const written = writtenPictures(rows, sent, () => whole);
  const [, keys, data] = /^\x1b_G(a=T,[^;]*),m=0;([\w+/=]*)\x1b\\/.exec(written) ?? [];
  expect(keys).toBe(`a=T,q=2,U=1,f=32,o=z,i=${ID},s=80,v=48,c=10,r=3`);
  expect([...inflateSync(Buffer.from(data ?? '', 'base64'))]).toEqual([...found.pixels.rgba]);
  expect(written.endsWith(rows)).toBe(true);
  expect(writtenPictures(rows, sent, () => whole)).toBe(rows);
  const long = {...found, packed: {width: 80, height: 48, data: 'A'.repeat(10_000)}};
  const pieces = writtenPictures(rows, new Set(), () => long).match(/\x1b_G[^\x1b]*\x1b\\/g) ?? [];
  expect(pieces.map((piece) => piece.length > 4200)).toEqual([false, false, false]);
  expect(pieces.map((piece) => /m=([01]);/.exec(piece)?.[1])).toEqual(['1', '1', '0']);
});

test('for sixel, each row is drawn with a row below it, and the cursor ends behind it', async () => {
  const found = await picture();
  const whole = {...found, sixels: ['<1>', '<2>', '<3>']};
  const written = writtenPictures(placeholderRows(found).join('\n'), new Set(), () => whole);
  const rows = written.split('\n').map((row) => row.replaceAll(/\x1b\[38[^m]*m|\x1b\[39m/g, ''));
  expect(rows).toEqual(['<1>', '<2>', '<3>'].map((row) => `\x1bD\x1b[A\x1b7${row}\x1b8\x1b[10C`));
});

test('for iTerm2, each row is a file of its own, and the cursor ends behind it', async () => {
  const found = await picture();
  const whole = {...found, strips: await pngStrips(found.pixels, found.rows)};
  const written = writtenPictures(placeholderRows(found).join('\n'), new Set(), () => whole);
  const rows = written.split('\n').map((row) => {
    const [, size, file = ''] =
      /\x1b7\x1b\]1337;File=inline=1;([^:]*):([\w+/=]*)\x07\x1b8\x1b\[10C/.exec(row) ?? [];
    return {size, file};
  });
  expect(rows.map(({size}) => size)).toEqual(Array(3).fill('width=10;height=1;preserveAspectRatio=0'));
  for (const {file} of rows) {
    const strip = await readPng(new Uint8Array(Buffer.from(file, 'base64')));
    expect(strip?.pixels).toMatchObject({width: 80, height: 16});
  }
});

test('for iTerm2, a picture that would be large has fewer pixels, in as many rows', async () => {
  const [columns, lines] = [960, 384];
  // Hardly compressible.
  let seed = 1;
  const rgba = Uint8Array.from(
    {length: columns * lines * 4},
    () => (seed = (seed * 48_271) % 0x7fffffff) & 255,
  );
  const files = await pngStrips({width: columns, height: lines, rgba}, 12);
  expect(files).toHaveLength(12);
  expect(files.join('').length).toBeLessThan(500 * 1024);
  const first = await readPng(new Uint8Array(Buffer.from(files[0] ?? '', 'base64')));
  expect(first?.pixels).toMatchObject({width: 480, height: 16});
});

test('a picture that is no longer kept leaves its cells empty', async () => {
  const rows = placeholderRows(await picture()).join('\n');
  expect(writtenPictures(rows, new Set(), () => undefined)).toBe(rows);
});

test('as half blocks, a cell has two pixels', async () => {
  const found = await picture(8, 16);
  const style = (cell: string, above: readonly number[], below: readonly number[]) =>
    `${cell} ${above.join()} ${below.join()}`;
  expect(blockRows(found, found.pixels, style)).toEqual(['▀ 255,0,9 255,0,9']);
});

test('an agent cannot write a cell of a picture', () => {
  expect(sanitize('a\u{10eeee}\u0305\u0305b')).toBe('a\ufffd\u0305\u0305b');
});
