import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {encodePng} from '../../../../src/text/pictures/encode.ts';
import {readPng} from '../../../../src/text/pictures/png.ts';
import {plainPicture, pngFile, type Header} from '../../../support/text/png-file.ts';

const read = (file: Buffer) => readPng(new Uint8Array(file));

async function pixelsOf(file: Buffer): Promise<number[] | undefined> {
  const found = await read(file);
  return found && [...found.pixels.rgba];
}

describe('a PNG file', () => {
  test.each<readonly [string, Partial<Header>, readonly number[], readonly number[]]>([
    ['gray', {color: 0}, [0, 255], [0, 0, 0, 255, 255, 255, 255, 255]],
    ['gray of one bit', {color: 0, depth: 1}, [0b0100_0000], [0, 0, 0, 255, 255, 255, 255, 255]],
    ['gray of 16 bits', {color: 0, depth: 16}, [7, 9, 200, 1], [7, 7, 7, 255, 200, 200, 200, 255]],
    ['gray with alpha', {color: 4}, [9, 128, 8, 255], [9, 9, 9, 128, 8, 8, 8, 255]],
    ['color', {}, [1, 2, 3, 4, 5, 6], [1, 2, 3, 255, 4, 5, 6, 255]],
    ['color with alpha', {color: 6}, [1, 2, 3, 255, 4, 5, 6, 0], [1, 2, 3, 255, 0, 0, 0, 0]],
    ['a palette with alpha', {color: 3, depth: 4}, [0x10], [4, 5, 6, 100, 1, 2, 3, 255]],
  ])('in %s is read', async (...[, header, row, pixels]) => {
    const palette = [
      ['PLTE', [1, 2, 3, 4, 5, 6]],
      ['tRNS', [255, 100]],
    ] as const;
    const file = pngFile({width: 2, height: 1, ...header}, [[0, ...row]], header.color === 3 ? palette : []);
    expect(await pixelsOf(file)).toEqual(pixels);
  });

  test('is read with every filter', async () => {
    const rows = [
      [0, 10, 20, 30, 40, 50, 60],
      [1, 1, 1, 1, 1, 1, 1],
      [2, 1, 1, 1, 1, 1, 1],
      [3, 0, 0, 0, 0, 0, 0],
      [4, 1, 1, 1, 1, 1, 1],
    ];
    const lines = (await pixelsOf(pngFile({width: 2, height: 5}, rows))) ?? [];
    const colors = Array.from({length: 10}, (_, index) => lines.slice(index * 4, index * 4 + 3));
    expect(colors).toEqual([
      [10, 20, 30],
      [40, 50, 60],
      [1, 1, 1],
      [2, 2, 2],
      [2, 2, 2],
      [3, 3, 3],
      [1, 1, 1],
      [2, 2, 2],
      [2, 2, 2],
      [3, 3, 3],
    ]);
  });

  test('is shrunk to what twelve rows of cells show, with its proportions', async () => {
    const found = await read(plainPicture(1920, 1080, [10, 200, 30]));
    expect(found).toMatchObject({columns: 43, rows: 12, pixels: {width: 688, height: 384}});
    expect(found?.pixels.rgba.every((value, index) => value === [10, 200, 30, 255][index % 4])).toBe(true);
  });

  test.each([
    ['is interlaced', pngFile({width: 1, height: 1, interlace: 1}, [[0, 1, 2, 3]])],
    ['is too wide', pngFile({width: 20_000, height: 1}, [[0]])],
    ['has too many pixels', pngFile({width: 16_000, height: 16_000}, [[0]])],
    ['has no pixels', pngFile({width: 0, height: 5}, [])],
    ['has fewer rows than it says', pngFile({width: 1, height: 3}, [[0, 1, 2, 3]])],
    ['has an unknown filter', pngFile({width: 1, height: 1}, [[9, 1, 2, 3]])],
    ['is cut off', plainPicture(9, 9, [1, 2, 3]).subarray(0, 50)],
    ['is of another type', Buffer.from('GIF89a')],
  ])('is not shown if it %s', async (_, file) => {
    expect(await read(file)).toBeUndefined();
  });

  test('that inflates to more than its size is read no further', async () => {
    const bomb = pngFile({width: 1, height: 1}, [[0, 1, 2, 3], Array.from({length: 100_000}, () => 0)]);
    expect(await pixelsOf(bomb)).toEqual([1, 2, 3, 255]);
  });

  test('never fails, whatever its bytes are', async () => {
    const good = plainPicture(3, 3, [1, 2, 3]);
    const change = fc.record({at: fc.nat(good.length - 1), byte: fc.nat(255)});
    await fc.assert(
      fc.asyncProperty(fc.array(change, {minLength: 1, maxLength: 5}), async (changes) => {
        const file = Buffer.from(good);
        for (const {at, byte} of changes) file[at] = byte;
        await expect(read(file)).resolves.not.toBeNull();
      }),
    );
  });

  test('written by acp-tui has the same pixels', async () => {
    const rgba = Uint8Array.from({length: 5 * 3 * 4}, (_, index) => (index % 4 === 3 ? 255 : index * 3));
    const file = await encodePng({width: 5, height: 3, rgba});
    expect(await pixelsOf(Buffer.from(file))).toEqual([...rgba]);
  });
});
