import {expect, test} from 'vitest';
import type {Pixels} from '../../../../src/text/pictures/pixels.ts';
import {sixelRows} from '../../../../src/text/pictures/sixel.ts';

type Color = readonly [number, number, number];

/** A picture with these pixels; undefined for a transparent one. */
function painted(
  width: number,
  height: number,
  colorAt: (x: number, y: number) => Color | undefined,
): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const color = colorAt(at % width, Math.floor(at / width));
    if (color) rgba.set([...color, 255], at * 4);
  }
  return {width, height, rgba};
}

/** Returns the pixels of a sixel picture by their place, in percent, as a terminal would draw them. */
function drawn(sixels: string): {width: number; height: number; pixels: Map<string, Color>} {
  const [, width, height, body = ''] = /^\x1bP0;1;0q"1;1;(\d+);(\d+)([^\x1b]*)\x1b\\$/.exec(sixels) ?? [];
  const palette = new Map<string, Color>();
  const pixels = new Map<string, Color>();
  let color: Color = [0, 0, 0];
  let [x, y] = [0, 0];
  for (const [token, index = '', parts, count, character] of body.matchAll(
    /#(\d+)(?:;2;([\d;]+))?|(?:!(\d+))?([?-~])|[$-]/g,
  )) {
    if (token === '$') x = 0;
    else if (token === '-') [x, y] = [0, y + 6];
    else if (parts !== undefined)
      palette.set(index, parts.split(';').map(Number) as [number, number, number]);
    else if (index !== '') color = palette.get(index) ?? color;
    else if (character !== undefined)
      for (let left = Number(count ?? 1); left > 0; left--, x++)
        for (let bit = 0; bit < 6; bit++)
          if (((character.charCodeAt(0) - 63) >> bit) % 2 === 1) pixels.set(`${x} ${y + bit}`, color);
  }
  return {width: Number(width), height: Number(height), pixels};
}

const percent = (color: Color) => color.map((part) => (part * 100) / 255);

test('a row of cells is a picture of its pixels, with the exact colors of few', () => {
  const colors: readonly Color[] = [
    [255, 0, 0],
    [0, 255, 255],
    [255, 255, 255],
  ];
  const at = (x: number, y: number) => colors[(x * 7 + y * 3) % 4];
  const rows = sixelRows(painted(12, 26, at), {columns: 2, rows: 2}, {width: 6, height: 13}).map(drawn);
  expect(rows.map(({width, height}) => [width, height])).toEqual([
    [12, 13],
    [12, 13],
  ]);
  for (const [row, {pixels}] of rows.entries())
    for (let x = 0; x < 12; x++)
      for (let y = 0; y < 13; y++) {
        const color = at(x, row * 13 + y);
        expect(pixels.get(`${x} ${y}`)).toEqual(color && percent(color));
      }
});

test('a picture is scaled to its cells', () => {
  const at = (x: number): Color => (x < 2 ? [255, 0, 0] : [0, 0, 255]);
  const [row = ''] = sixelRows(painted(4, 2, at), {columns: 1, rows: 1}, {width: 8, height: 12});
  const {pixels} = drawn(row);
  expect(pixels.size).toBe(8 * 12);
  expect([pixels.get('3 11'), pixels.get('4 0')]).toEqual([
    [100, 0, 0],
    [0, 0, 100],
  ]);
});

test('of many colors, similar ones become one', () => {
  const at = (x: number, y: number): Color => [x * 4, y * 4, (x * y) % 256];
  const [row = ''] = sixelRows(painted(64, 64, at), {columns: 1, rows: 1}, {width: 64, height: 64});
  const {pixels} = drawn(row);
  expect(new Set([...pixels.values()].map(String)).size).toBeGreaterThan(200);
  for (const [place, color] of pixels) {
    const [x = 0, y = 0] = place.split(' ').map(Number);
    const errors = percent(at(x, y)).map((part, index) => Math.abs(part - (color[index] ?? 0)));
    expect(Math.max(...errors)).toBeLessThan(20);
  }
});

test('a transparent picture draws nothing', () => {
  const [row = ''] = sixelRows(
    painted(4, 4, () => undefined),
    {columns: 1, rows: 1},
    {width: 4, height: 4},
  );
  expect(drawn(row).pixels.size).toBe(0);
});
