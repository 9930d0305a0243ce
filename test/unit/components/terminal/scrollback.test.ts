import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createScrollback} from '../../../../components/terminal/scrollback.ts';

const ROWS = 10;
const frame = (height: number, panel = 0) => ({rows: ROWS, height, panel});
const numbered = (from: number, to: number) =>
  Array.from({length: to - from}, (_, index) => `line ${from + index}`);

/** Lines above a frame of three rows, with room for six. */
function full() {
  const scrollback = createScrollback(true);
  scrollback.print(numbered(0, 20), frame(3));
  return scrollback;
}

/** The lines of the output. */
const written = (text: string) => text.match(/line \d+/g) ?? [];

describe('lines above a frame', () => {
  test('are written once, as they arrive, while nothing covers them', () => {
    const scrollback = createScrollback(true);
    expect(scrollback.print(['line 1', 'line 2'], frame(3))).toBe('line 1\nline 2\n');
    expect(scrollback.print(['line 3'], frame(3))).toBe('line 3\n');
    expect(scrollback.print(numbered(4, 40), frame(3))).not.toContain('\x1b');
  });

  test('are not moved by a frame that grows by itself', () => {
    expect(full().hasToMove(frame(5))).toBe(false);
  });

  test('are covered by a panel that takes their rows, and restored when it closes', () => {
    const scrollback = full();
    expect(scrollback.hasToMove(frame(7, 4))).toBe(true);
    expect(written(scrollback.print([], frame(7, 4)))).toEqual(numbered(18, 20));
    expect(scrollback.hasToMove(frame(7, 4))).toBe(false);
    expect(scrollback.hasToMove(frame(3))).toBe(true);
    expect(written(scrollback.print([], frame(3)))).toEqual(numbered(14, 20));
  });

  test('are not covered while there is space for both', () => {
    const scrollback = createScrollback(true);
    scrollback.print(numbered(0, 2), frame(3));
    expect(scrollback.hasToMove(frame(7, 4))).toBe(false);
  });

  test('are covered as well when the frame moves over them within the screen', () => {
    const scrollback = createScrollback(true);
    scrollback.print(numbered(0, 4), frame(3));
    const moved = scrollback.print([], frame(7, 4));
    expect(moved).toMatch(/^\x1b\[4A\r/);
    expect(written(moved)).toEqual(numbered(2, 4));
    expect(written(scrollback.print([], frame(3)))).toEqual(numbered(0, 4));
  });

  test('are written again when the screen is uncertain', () => {
    const scrollback = full();
    scrollback.doubt();
    expect(written(scrollback.print([], frame(3)))).toEqual(numbered(14, 20));
    expect(scrollback.print([], frame(3))).toBe('');
  });

  test('are unknown after something else had the screen', () => {
    const scrollback = full();
    scrollback.forget();
    expect(scrollback.hasToMove(frame(7, 4))).toBe(false);
    scrollback.doubt();
    expect(written(scrollback.print([], frame(3)))).toEqual([]);
  });
});

/** A minimal terminal: lines, cursor up, home, and the scrollback. */
function terminal() {
  let screen: string[] = [];
  let row = 0;
  const gone: string[] = [];
  return {
    write(text: string) {
      for (const token of text.match(/\x1b\[\d*[A-Z]|\n|\r|[^\x1b\n\r]+/g) ?? [])
        if (token === '\n') {
          if (row < ROWS - 1) row++;
          else gone.push(screen.shift() ?? '');
        } else if (token === '\x1b[H') row = 0;
        else if (token.endsWith('A')) row -= Number(token.slice(2, -1));
        else if (token === '\x1b[J') screen = screen.slice(0, row);
        else if (token === '\x1b[K') screen[row] = '';
        else if (token !== '\r') screen[row] = token;
    },
    lines: () => [...gone, ...screen].filter((line) => line.startsWith('line')),
  };
}

const step = fc.record({
  lines: fc.integer({min: 0, max: 15}),
  rest: fc.integer({min: 1, max: 4}),
  panel: fc.integer({min: 0, max: 5}),
});

test('each line is kept once and in order, whatever is printed over and under panels', () => {
  fc.assert(
    fc.property(fc.array(step, {maxLength: 20}), (steps) => {
      const scrollback = createScrollback(true);
      const screen = terminal();
      let count = 0;
      let height = 0;
      for (const {lines, rest, panel} of [...steps, {lines: 0, rest: 1, panel: 0}]) {
        const size = frame(rest + panel, panel);
        screen.write(`${height > 0 ? `\x1b[${height}A` : ''}\x1b[J`);
        screen.write(scrollback.print(numbered(count, count + lines), size));
        height = rest + panel;
        screen.write('frame\n'.repeat(height));
        count += lines;
      }
      expect(screen.lines()).toEqual(numbered(0, count));
    }),
  );
});
