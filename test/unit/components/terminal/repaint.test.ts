import {describe, expect, test} from 'vitest';
import {rowsAroundCursor} from '../../../../components/terminal/painter.ts';
import {eraseFrame} from '../../../../components/terminal/output.ts';

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
