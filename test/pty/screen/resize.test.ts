import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {openShell, PROGRAM, quoted, READY, untilTurnsEnd} from '../../support/driver/chat.ts';
import {openPuppet} from '../../support/driver/puppet.ts';

/** Set by `npm run fuzz`. */
const RUNS = Math.ceil(Number(process.env['FUZZ_STREAMS'] ?? 100) / 100);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_101);

const PARAGRAPHS = 300;
/** So many paragraphs the agent is ahead of the screen, so that output is under way at each resize. */
const AHEAD = 8;

interface Resize {
  /** The number of paragraphs that are on the screen before it. */
  readonly after: number;
  /** One size, or several in a row as while a window is dragged. */
  readonly sizes: readonly {readonly columns: number; readonly rows: number}[];
}

const resizes: fc.Arbitrary<readonly Resize[]> = fc.array(
  fc.record({
    after: fc.integer({min: 0, max: PARAGRAPHS - AHEAD}),
    sizes: fc.array(
      fc.record({columns: fc.integer({min: 30, max: 160}), rows: fc.integer({min: 10, max: 50})}),
      {minLength: 1, maxLength: 3},
    ),
  }),
  {minLength: 10, maxLength: 10},
);

const lengths = fc.array(fc.integer({min: 0, max: 40}), {minLength: PARAGRAPHS, maxLength: PARAGRAPHS});

const start = (number: number) => `Start${String(number).padStart(3, '0')}`;
const end = (number: number) => `End${String(number).padStart(3, '0')}`;

test.each(fc.sample(fc.tuple(resizes, lengths), {numRuns: RUNS, seed: SEED}))(
  'no paragraph of an answer is lost when the terminal is resized while it streams: run %#',
  async (steps, words) => {
    const chat = await openPuppet({columns: 100, rows: 30});
    await chat.begin();
    let said = 0;
    const say = (until: number) => {
      for (; said < Math.min(until, PARAGRAPHS); said++)
        chat.report({say: `${start(said)} ${'word '.repeat(words[said] ?? 0)}${end(said)}\n\n`});
    };
    /** Without blanks: a terminal may break a word. */
    const text = () => chat.history().replaceAll(/\s/g, '');
    const sees = async (number: number) =>
      chat.until(() => text().includes(start(number)), `for paragraph ${number}`);
    for (const {after, sizes} of steps.toSorted((one, other) => one.after - other.after)) {
      say(after + AHEAD);
      await sees(after);
      for (const {columns, rows} of sizes) chat.resize(columns, rows);
    }
    say(PARAGRAPHS);
    await sees(PARAGRAPHS - 1);
    chat.report({end: 'end_turn'});
    await untilTurnsEnd(chat);
    const numbers = Array.from({length: PARAGRAPHS}, (_, number) => number);
    const marks = numbers.flatMap((number) => [start(number), end(number)]);
    const missing = () => {
      const all = text();
      return marks.filter((mark) => !all.includes(mark));
    };
    // On a busy machine its end is on the screen before all above it is printed.
    await expect.poll(missing).toEqual([]);
  },
);

test.each(['', '--fullscreen'])(
  'draws for the new size after a resize while it was suspended %s',
  async (option) => {
    const shell = await openShell({columns: 100, rows: 30});
    const args = option === '' ? [] : [option];
    const command = quoted([process.execPath, PROGRAM, '--agent', 'demo', ...args]);
    // Below another process, as with `npm start`: the shell waits for that one.
    shell.type(`set -m; sh -c ${quoted([`${command}; :`])}\r`);
    await shell.sees(READY);
    shell.type('\x1a');
    await shell.sees(/\$$/);
    // The shell gets the signal, not the stopped job.
    shell.resize(60, 20);
    shell.type('fg\r');
    await shell.sees(/^╭─{58}╮\n│ ❯ Ask anything/m);
    await expect.poll(() => shell.screen()).not.toMatch(/─{60}/);
  },
);
