import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {createGatedOutput, eraseFrame} from '../../../../components/terminal/output.ts';
import {createScreenRepair, rowsAroundCursor} from '../../../../components/terminal/painter.ts';
import {createScrollback} from '../../../../components/terminal/scrollback.ts';

describe('the rows between the cursor and the first line of its frame', () => {
  test('are the lines above it if nothing was wrapped', () => {
    expect(rowsAroundCursor({widths: [10, 20, 5], cursor: {up: 1, column: 3}}, 80)).toEqual({
      above: 2,
      below: 1,
    });
    expect(rowsAroundCursor({widths: [10, 20, 5], cursor: {up: 0, column: 0}}, 80)).toEqual({
      above: 3,
      below: 0,
    });
  });

  test('grow with each line that the terminal has wrapped', () => {
    expect(rowsAroundCursor({widths: [80, 41, 40, 0], cursor: {up: 1, column: 0}}, 40)).toEqual({
      above: 2 + 2 + 1,
      below: 1,
    });
  });

  test('grow when the cursor itself moved to a later row of its line', () => {
    expect(rowsAroundCursor({widths: [80], cursor: {up: 1, column: 50}}, 40)).toEqual({above: 1, below: 1});
  });

  test('stay the same in a terminal that cuts lines instead of wrapping them', () => {
    expect(rowsAroundCursor({widths: [80, 41, 40], cursor: {up: 1, column: 50}}, undefined)).toEqual({
      above: 2,
      below: 1,
    });
  });
});

test('erasing a frame clears neither the screen nor the scrollback', () => {
  expect(eraseFrame(3)).toBe('\x1b[3A\r\x1b[J');
  expect(eraseFrame(0)).not.toContain('A');
});

describe('the lines above a frame after a resize', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Returns how many lines are written again after the last of these sizes, in which the cursor is on the last row. */
  function linesAfter(...sizes: readonly {readonly columns: number; readonly rows: number}[]): number {
    const terminal = {columns: 36, rows: 8, write: () => true};
    const scrollback = createScrollback(true);
    const above = {scrollback, panelRows: () => 0};
    const output = createGatedOutput({terminal, charset: 'unicode', above});
    output.setCaret({x: 0, y: 2});
    output.stream.write('one\ntwo\nthree\nfour');
    output.frameDrawn();
    const frame = (rows: number) => ({rows, height: 4, panel: 0});
    scrollback.print(
      Array.from({length: 50}, (_, index) => `line ${index}`),
      frame(8),
    );
    const painter = createScreenRepair({output, terminal, ask: () => undefined, reflows: true, scrollback});
    for (const size of sizes) {
      Object.assign(terminal, size);
      painter.resized();
    }
    vi.advanceTimersByTime(200);
    painter.handleReport(`\x1b[${terminal.rows};1R`);
    return scrollback.print([], frame(terminal.rows)).match(/line/g)?.length ?? 0;
  }

  test('are as many as fit above the rows that follow the cursor if these are left', () => {
    expect(linesAfter({columns: 30, rows: 8})).toBe(3);
  });

  test('are all up to the cursor if the terminal was larger meanwhile: the rows below it may be gone', () => {
    expect(linesAfter({columns: 36, rows: 35}, {columns: 30, rows: 8})).toBe(5);
    expect(linesAfter({columns: 46, rows: 8}, {columns: 30, rows: 8})).toBe(5);
  });
});
