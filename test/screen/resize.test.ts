import {afterEach, describe, expect, test} from 'vitest';
import {closeWindows, open, shown} from './window.ts';
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
