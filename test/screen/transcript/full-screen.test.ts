import {afterEach, describe, expect, test} from 'vitest';
import {closeWindows, open, shown, type Window} from '../window.ts';
import {ended, prompt, says} from '../../unit/components/transcript/conversation.ts';

afterEach(closeWindows);

const SIZE = {columns: 60, rows: 16};
const line = (number: number) => `line ${String(number).padStart(3, '0')}`;
const lines = (from: number, to: number) => Array.from({length: to - from}, (_, index) => line(from + index));

/** A window in full screen, with many lines of an answer. */
async function full(count = 60): Promise<Window> {
  const window = open(SIZE);
  window.store.dispatch({type: 'screen_changed', screen: 'full'}, 'urgent');
  window.tell(prompt(1, 'Count'), says(lines(0, count).join('\n\n')), ended(1));
  await shown(window).toContain(line(count - 1));
  return window;
}

describe('the full screen', () => {
  test('shows the end of the transcript above the prompt, and follows it', async () => {
    const window = await full();
    const screen = (await window.screen()).split('\n');
    expect(screen.length).toBe(SIZE.rows - 1);
    expect(screen.at(-1)).toContain('test agent');
    window.tell(prompt(2, 'More'), says('The very end.'));
    await shown(window).toContain('The very end.');
  });

  test('begins with the start card, which goes when something is said', async () => {
    const window = open(SIZE);
    window.store.dispatch({type: 'screen_changed', screen: 'full'}, 'urgent');
    await shown(window).toMatch(/^\n {2}acp-tui 0\.0\.0 · test agent\n/);
    expect((await window.screen()).split('\n').length).toBe(SIZE.rows - 1);
    window.tell(prompt(1, 'Hello'), says('Hi.'));
    await shown(window).toContain('Hi.');
    expect(await window.screen()).not.toContain('acp-tui');
  });

  test('opens when the program that has the terminal returns it', async () => {
    const window = open(SIZE);
    await shown(window).toContain('test agent');
    const {promise, resolve} = Promise.withResolvers<void>();
    const lent = window.lend(() => promise);
    window.store.dispatch({type: 'screen_changed', screen: 'full'}, 'urgent');
    setImmediate(resolve);
    await lent;
    await expect.poll(() => window.bytes()).toContain('\x1b[?1049h');
  });
});
