import {afterEach, expect, test} from 'vitest';
import {closeWindows, open, shown} from '../../support/screen/window.ts';
import {ended, prompt, says} from '../../support/session/conversation.ts';

afterEach(closeWindows);

test('each prompt is marked where it is printed, and ends before the answer', async () => {
  const window = open({columns: 60, rows: 24});
  window.report(prompt(1, 'First question'), says('First answer'), ended(1));
  window.report(prompt(2, 'Second question'), says('Second answer'), ended(2));
  await shown(window).toContain('Second answer');
  await expect.poll(() => window.marks()).toEqual(['A ▌ First question', 'C', 'A ▌ Second question', 'C']);
  expect(await window.everything()).toMatch(/First question\n\n  First answer/);
});

test('lines for screen readers have no marks', async () => {
  const window = open({columns: 60, rows: 24}, {isLinear: true});
  window.report(prompt(1, 'First question'), says('First answer'), ended(1));
  await expect.poll(() => window.bytes()).toContain('First answer');
  expect(window.bytes()).not.toContain('133;');
});
