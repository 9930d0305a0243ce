import * as fc from 'fast-check';
import {afterEach, describe, expect, test} from 'vitest';
import {closeWindows, open, shown, type Size, type Window} from './window.ts';
import {ended, prompt, says} from '../unit/components/transcript/conversation.ts';

afterEach(closeWindows);

describe('a resize', () => {
  test('leaves one frame and no rest of another', async () => {
    const window = open({columns: 60, rows: 16});
    window.tell(
      prompt(1, 'Hi'),
      says('A paragraph that goes on for more than one line when the screen gets narrow.'),
    );
    await shown(window).toContain('A paragraph');
    window.press('d', 'raft');
    await shown(window).toContain('draft');
    for (const columns of [50, 40, 30, 25, 45, 70, 33]) window.resize({columns, rows: 14});
    await shown(window).toMatch(/A paragraph that goes on for\b/);
    const all = await window.everything();
    for (const once of ['A paragraph', 'draft', 'Answering', '▌ Hi', 'test agent']) {
      expect(all.split(once)).toHaveLength(2);
    }
    expect(window.bytes()).not.toMatch(/\x1b\[[23]J/);
  });

  test('to 20 by 5 during a stream keeps the prompt on the screen', async () => {
    const window = open();
    window.tell(prompt(1), says('one two three '.repeat(30)));
    await shown(window).toContain('one two');
    window.resize({columns: 20, rows: 5});
    window.tell(says('and more '.repeat(30)));
    await shown(window).toContain('Ask any');
    await shown(window).toContain('and more');
    expect((await window.screen()).split('\n').length).toBeLessThanOrEqual(5);
  });

  test('loses nothing that finished meanwhile', async () => {
    const window = open();
    window.tell(prompt(1));
    window.resize({columns: 40, rows: 10});
    window.tell(says('Finished meanwhile'), ended(1));
    await expect.poll(() => window.everything()).toContain('Finished meanwhile');
    expect((await window.everything()).split('Finished meanwhile')).toHaveLength(2);
  });
});

const LINES = 200;
const AT_LAST = {columns: 90, rows: 30};
const line = (number: number) => `line ${String(number).padStart(3, '0')}`;
const randomSize = fc.record({columns: fc.integer({min: 20, max: 160}), rows: fc.integer({min: 8, max: 50})});

/** Resizes a window after each line of a stream; what was written before reaches the terminal before its new size. */
async function resizeWhileItStreams(window: Window, sizes: readonly Size[]): Promise<void> {
  window.tell(prompt(1, 'Count'));
  for (const [number, size] of sizes.entries()) {
    window.tell(says(`${line(number)}\n\n`));
    await window.screen();
    window.resize(size);
    // Some come in a burst, others when the last frame is finished.
    if (number % 8 === 7) await shown(window).toContain(line(number));
  }
  window.tell(ended(1));
  await window.screen();
  window.resize(AT_LAST);
}

describe('200 random resizes during a stream', () => {
  const seed = Number(process.env['PROPERTY_SEED'] ?? 1);
  const sizes = fc.sample(randomSize, {numRuns: LINES, seed});

  test('end in one clean frame on the full screen', async () => {
    const window = open();
    window.store.dispatch({type: 'screen_changed', screen: 'full'}, 'urgent');
    await resizeWhileItStreams(window, sizes);
    await shown(window).toContain(line(LINES - 1));
    await shown(window).not.toContain('Answering');
    const rows = (await window.screen()).split('\n');
    expect(rows.length).toBe(AT_LAST.rows - 1);
    const numbers = rows.flatMap((row) => /^ {2}line (\d+)$/.exec(row)?.[1] ?? []).map(Number);
    expect(numbers).toEqual(
      Array.from({length: numbers.length}, (_, index) => LINES - numbers.length + index),
    );
    expect(rows.filter((row) => /[╭╰]/.test(row))).toHaveLength(2);
  });
});
