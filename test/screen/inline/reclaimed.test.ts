import {afterEach, expect, test} from 'vitest';
import {closeWindows, open, shown, type Window} from '../../support/screen/window.ts';
import {asks, ended, prompt, says, tool} from '../../support/session/conversation.ts';

afterEach(closeWindows);

const numbered = (name: string, count: number) =>
  Array.from({length: count}, (_, index) => `${name} ${String(index).padStart(2, '0')}`);
const OF_SHELL = numbered('file', 8);
const command = numbered('echo', 10).join('\n');

/** A window whose screen is full. */
async function full(): Promise<Window> {
  const window = open({columns: 60, rows: 24});
  window.report(prompt(1, 'Count'), says(numbered('line', 40).join('\n\n')), ended(1));
  await shown(window).toContain('line 39');
  await shown(window).not.toContain('Answering');
  return window;
}

/** What a shell writes after a program was stopped from outside, until `fg` continues it. */
async function stopAndContinue(window: Window): Promise<void> {
  window.isWritten(['', '[1]+  Stopped', ...OF_SHELL, ''].join('\r\n'));
  await window.reclaim(async () => undefined);
}

/** How often each text is in scrollback and screen. */
async function counts(window: Window, texts: readonly string[]): Promise<readonly number[]> {
  const all = await window.everything();
  return texts.map((text) => all.split(text).length - 1);
}

const once = (texts: readonly string[]) => texts.map(() => 1);

test('what a shell has written stays, and the window is drawn below it', async () => {
  const window = await full();
  window.report(
    prompt(2, 'Go on'),
    tool('a', 'pending'),
    asks({toolCallId: 'a', kind: 'execute', rawInput: {command}, status: 'pending'}),
  );
  await shown(window).toContain('echo 09');
  await stopAndContinue(window);
  await shown(window).toMatch(/file 07\n(?:.*\n)*.*echo 09/);
  expect(await counts(window, OF_SHELL)).toEqual(once(OF_SHELL));
});

test('the window goes on below it', async () => {
  const window = await full();
  await stopAndContinue(window);
  await shown(window).toMatch(/file 07\n+╭(?:.*\n)+.*test agent/);
  const more = numbered('more', 30);
  window.report(prompt(2, 'More'), says(more.join('\n\n')), ended(2));
  await shown(window).toContain('more 29');
  const all = [...numbered('line', 40), ...OF_SHELL, ...more];
  await expect.poll(() => counts(window, all)).toEqual(once(all));
});

test('what a page covers is written below it', async () => {
  const window = await full();
  window.press('?');
  await shown(window).toContain('all keys');
  window.press('?');
  await shown(window).toContain('Help');
  await stopAndContinue(window);
  await shown(window).toContain('Help');
  window.press('\x1b');
  await shown(window).not.toContain('Help');
  expect(await counts(window, OF_SHELL)).toEqual(once(OF_SHELL));
  const lines = numbered('line', 40);
  const all = await window.everything();
  expect(lines.filter((line) => !all.includes(line))).toEqual([]);
});
