import {afterEach, expect, test} from 'vitest';
import {closeWindows, open, shown} from '../../support/screen/window.ts';
import {ended, prompt, says} from '../../support/session/conversation.ts';

afterEach(closeWindows);

test('each prompt is marked where it is printed, and ends before the answer', async () => {
  const window = open({columns: 60, rows: 24});
  window.report(prompt(1, 'First question'), says('First answer'), ended(1));
  window.report(prompt(2, 'Second question'), says('Second answer'), ended(2));
  await shown(window).toContain('Second answer');
  await expect
    .poll(() => window.bytes().match(/\x1b\]133;[^\x1b]*\x1b\\/g))
    .toEqual([
      '\x1b]133;A;redraw=0\x1b\\',
      '\x1b]133;C\x1b\\',
      '\x1b]133;A;redraw=0\x1b\\',
      '\x1b]133;C\x1b\\',
    ]);
  expect(window.bytes()).toMatch(
    /133;A;redraw=0\x1b\\[^\n]*First question[^]*133;C\x1b\\[^]*First answer[^]*133;A;redraw=0\x1b\\[^\n]*Second question/,
  );
});

test('lines for screen readers have no marks', async () => {
  const window = open({columns: 60, rows: 24}, {isLinear: true});
  window.report(prompt(1, 'First question'), says('First answer'), ended(1));
  await expect.poll(() => window.bytes()).toContain('First answer');
  expect(window.bytes()).not.toContain('133;');
});
