import {Terminal} from '@xterm/headless';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {patchRows} from '../../../../components/terminal/row-patch.ts';

const COLUMNS = 30;
const ROWS = 12;
const ABOVE = ['above 1', 'above 2', 'above 3', 'above 4'];

/** Rows of a terminal that were turned into others: everything that it keeps, and the row of its cursor. */
async function patched(before: readonly string[], after: readonly string[], blank = 0) {
  const terminal = new Terminal({cols: COLUMNS, rows: ROWS, convertEol: true, allowProposedApi: true});
  const middle = Math.floor(before.length / 2);
  const sequence = patchRows(before, after, {from: middle, to: after.length});
  const above = '\n'.repeat(blank) + [...ABOVE, ...before].map((row) => `${row}\n`).join('');
  await new Promise<void>((written) =>
    terminal.write(`${above}${cursorUp(before.length - middle)}${sequence}`, written),
  );
  const {active} = terminal.buffer;
  const rows = Array.from(
    {length: active.length},
    (_, row) => active.getLine(row)?.translateToString(true) ?? '',
  );
  while (rows.at(-1) === '') rows.pop();
  const lines = rows.slice(blank).map((row) => row.trimEnd());
  return {lines, cursor: active.baseY + active.cursorY - blank, sequence};
}

const cursorUp = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : '');
const withoutStyles = (row: string) => row.replaceAll(/\x1b\[[\d;]*m/g, '').trimEnd();

const word = fc.constantFrom(
  'one',
  'two ',
  '  three',
  '漢字',
  'e\u0301',
  'e',
  '👩‍👩‍👧',
  '\x1b[1mbold\x1b[22m',
  '\x1b[38;5;1m• red\x1b[39m',
  '\x1b[48;5;4m   \x1b[49m',
);
const row = fc.array(word, {maxLength: 3}).map((words) => words.join(''));
const frame = fc.array(row, {maxLength: ROWS - 1});

/** Frames as they follow each other: some rows are inserted, removed or replaced. */
const change = fc.record({
  before: frame,
  at: fc.nat(),
  removed: fc.integer({min: 0, max: 4}),
  added: fc.array(row, {maxLength: 4}),
  last: row,
});

test('inserted rows are erased, also if they stay empty: foot shows the pictures that were there', () => {
  expect(patchRows(['a'], ['one', '', 'a'], {from: 0, to: 0})).toContain('\x1b[2L\r\x1b[Kone\n\x1b[K');
});

describe('rows on the screen', () => {
  test('become any others, wherever they are, and nothing above them is lost or repeated', async () => {
    await fc.assert(
      fc.asyncProperty(
        change,
        fc.integer({min: 0, max: 20}),
        async ({before, at, removed, added, last}, blank) => {
          const after = before.toSpliced(at % (before.length + 1), removed, ...added);
          const next = [...after.slice(0, ROWS - 2), last];
          const {lines, cursor} = await patched(before, next, blank);
          const wanted = [...ABOVE, ...next.map(withoutStyles)];
          expect(lines.concat(Array.from({length: wanted.length}, () => '')).slice(0, wanted.length)).toEqual(
            wanted,
          );
          expect(lines.slice(wanted.length)).toEqual([]);
          expect(cursor).toBe(wanted.length);
        },
      ),
    );
  });

  test('are not written again if they only move', async () => {
    const box = ['+------+', '| text |', '+------+'];
    const {sequence} = await patched(['first', 'spinner', ...box], ['first', 'second', 'spinner', ...box]);
    expect(sequence).toContain('second');
    for (const moved of ['first', 'spinner', ...box]) expect(sequence).not.toContain(moved);
  });

  // GNU screen would put the removed row into its scrollback.
  test('are never removed in the first row', async () => {
    const next = await patched(
      ['first line of the text', 'second', 'third', 'box'],
      ['second', 'third', 'box'],
    );
    expect(next.sequence.split('M')[0]).toMatch(/\r\n?\x1b\[1$/);
    expect(next.sequence.split('M')[0]).toMatch(/^\x1b\[1A/);
  });
});
