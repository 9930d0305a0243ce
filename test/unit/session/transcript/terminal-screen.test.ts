import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  changeScreen,
  SCREEN_ROWS,
  type TerminalScreen,
} from '../../../../src/session/terminals/terminal-screen.ts';

const row = (text: string) => [{text}];
const change = fc.record({from: fc.nat(60), count: fc.nat(40)});

test('a screen keeps the newest rows, and counts earlier ones', () => {
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      // The expected rows, by number, if nothing were ever dropped.
      let known = new Map<number, string>();
      let screen: TerminalScreen | undefined;
      for (const [version, {from, count}] of changes.entries()) {
        const isGap = from > (known.size === 0 ? 0 : Math.max(...known.keys()) + 1);
        known = new Map([...known].filter(([index]) => index < from && !isGap));
        const rows = Array.from({length: count}, (_, index) => `${version}.${from + index}`);
        for (const [index, text] of rows.entries()) known.set(from + index, text);
        screen = changeScreen(screen, {from, rows: rows.map(row)});
        const end = Math.max(from, ...Array.from(known.keys(), (key) => key + 1));
        expect(screen.dropped + screen.rows.length).toBe(end);
        for (const [index, [run]] of screen.rows.entries())
          expect(run?.text).toBe(known.get(screen.dropped + index));
      }
    }),
  );
});

test('a screen is bounded', () => {
  const many = Array.from({length: SCREEN_ROWS + 5}, (_, index) => row(String(index)));
  const screen = changeScreen(undefined, {from: 0, rows: many});
  expect([screen.dropped, screen.rows.length, screen.rows[0]]).toEqual([5, SCREEN_ROWS, row('5')]);
});
