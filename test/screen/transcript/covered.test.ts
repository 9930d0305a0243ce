import {afterEach, describe, expect, test} from 'vitest';
import {readFields} from '../../../src/session/forms/form-schema.ts';
import {closeWindows, open, shown, type Window} from '../../support/screen/window.ts';
import {asks, ended, prompt, says, tool} from '../../support/session/conversation.ts';

afterEach(closeWindows);

const SIZE = {columns: 60, rows: 24};
const line = (number: number) => `line ${String(number).padStart(2, '0')}`;
const lines = (from: number, to: number) => Array.from({length: to - from}, (_, index) => line(from + index));

/** A window whose screen is full. */
async function full(): Promise<Window> {
  const window = open(SIZE);
  window.report(prompt(1, 'Count'), says(lines(0, 40).join('\n\n')), ended(1));
  await shown(window).toContain(line(39));
  await shown(window).not.toContain('Answering');
  return window;
}

async function openHelp(window: Window): Promise<void> {
  window.press('?');
  await shown(window).toContain('all keys');
  window.press('?');
  await shown(window).toContain('Help');
}

/** Those of the first lines that appear nowhere in scrollback and screen. */
async function lost(window: Window, count: number): Promise<string[]> {
  const all = await window.everything();
  return lines(0, count).filter((text) => !all.includes(text));
}

/** Those of the first lines that do not appear exactly once in scrollback and screen. */
async function wrong(window: Window, count: number): Promise<string[]> {
  const all = await window.everything();
  return lines(0, count).filter((text) => all.split(text).length !== 2);
}

describe('a page over the end of the transcript', () => {
  test('restores the screen when it is closed, and leaves nothing in the scrollback', async () => {
    const window = await full();
    const screen = await window.screen();
    const all = await window.everything();
    for (let time = 0; time < 3; time++) {
      await openHelp(window);
      expect(await window.screen()).not.toContain(line(35));
      window.press('\x1b');
      await shown(window).toBe(screen);
    }
    expect(await window.everything()).toBe(all);
  });

  test('lets the transcript continue above it, in order', async () => {
    const window = await full();
    await openHelp(window);
    window.report(prompt(2, 'More'), says(lines(40, 60).join('\n\n')), ended(2));
    await expect.poll(() => window.everything()).toContain(line(45));
    window.press('\x1b');
    await shown(window).toContain(line(59));
    await expect.poll(() => wrong(window, 60)).toEqual([]);
    await expect.poll(async () => (await window.screen()).split('\n').length).toBe(SIZE.rows - 1);
  });

  test('loses nothing when the window is resized', async () => {
    const window = await full();
    await openHelp(window);
    window.resize({columns: 50, rows: 24});
    await shown(window).toMatch(/^╭─{48}╮$/m);
    await expect.poll(() => window.everything()).toContain(line(39));
    window.press('\x1b');
    await shown(window).not.toContain('Help');
    // What was under way when the window changed its size may be there twice.
    await expect.poll(() => lost(window, 40)).toEqual([]);
  });

  test('loses nothing when the window closes', async () => {
    const window = await full();
    await openHelp(window);
    await window.close();
    await expect.poll(() => wrong(window, 40)).toEqual([]);
  });
});

describe('a request below the transcript', () => {
  const WAITING = 'Needs you';
  const request = (rows: number) => {
    const command = Array.from({length: rows}, (_, row) => `echo ${row}`).join('\n');
    return asks({toolCallId: 'a', kind: 'execute', rawInput: {command}, status: 'pending'});
  };
  const answered = {
    type: 'permission_resolved' as const,
    id: 'p',
    toolCallId: 'a',
    decision: {outcome: 'allowed' as const, option: 'Yes', by: 'user' as const},
  };

  async function asked(rows: number): Promise<Window> {
    const window = await full();
    window.report(prompt(2, 'Go on'), tool('a', 'pending'), request(rows));
    await shown(window).toContain('Yes');
    return window;
  }

  test.each([1, 8, 40])('of %i rows leaves every finished row within reach', async (rows) => {
    const window = await asked(rows);
    await expect.poll(() => wrong(window, 40)).toEqual([]);
    // The last one is not finished.
    window.report(says(lines(40, 51).join('\n\n')));
    await expect.poll(() => wrong(window, 50)).toEqual([]);
    window.report(answered, tool('a', 'completed'), says(`\n\n${lines(51, 55).join('\n\n')}`), ended(2));
    await shown(window).toContain('Ask anything');
    await shown(window).toContain(line(54));
    await expect.poll(() => wrong(window, 55)).toEqual([]);
  });

  test('that is a form leaves every finished row within reach', async () => {
    const window = await full();
    const fields = readFields({properties: {a: {type: 'string', title: 'Name'}}});
    window.report(prompt(2, 'Go on'), {
      type: 'elicitation_requested',
      id: 'f',
      asked: {mode: 'form', message: 'Who is it?', fields},
    });
    await shown(window).toContain('Who is it?');
    await expect.poll(() => wrong(window, 40)).toEqual([]);
  });

  test('takes no more rows from the transcript when it opens again', async () => {
    const window = await asked(8);
    const height = (await window.everything()).split('\n').length;
    window.report(answered);
    await shown(window).not.toContain(WAITING);
    window.report(request(8));
    await shown(window).toContain('Yes');
    expect((await window.everything()).split('\n').length).toBe(height);
  });

  test('gives up what a page has covered', async () => {
    const window = await full();
    await openHelp(window);
    window.report(prompt(2, 'Go on'), tool('a', 'pending'), request(8));
    await shown(window).toContain(WAITING);
    window.press('\x1b');
    await shown(window).toContain('Yes');
    await expect.poll(() => wrong(window, 40)).toEqual([]);
  });

  test('loses nothing when the window is resized', async () => {
    const window = await asked(40);
    window.resize({columns: 50, rows: 24});
    await shown(window).toMatch(/^╰─.{46}─╯$/m);
    await expect.poll(() => lost(window, 40)).toEqual([]);
    window.report(answered);
    await shown(window).not.toContain(WAITING);
    await expect.poll(() => lost(window, 40)).toEqual([]);
  });
});

test('? shows the other keys of the transcript, from the first ones each time that it is opened', async () => {
  const window = await full();
  window.press('\x0f');
  await shown(window).toContain('/ search');
  window.press('?');
  await shown(window).not.toContain('/ search');
  await shown(window).toContain('? more');
  window.press('\x0f', '\x0f');
  await shown(window).toContain('/ search');
});
