import {afterEach, describe, expect, test} from 'vitest';
import type {SessionEvent} from '../../src/session/events.ts';
import {prompt, tool, type Untimed} from '../unit/components/transcript/conversation.ts';
import {closeWindows, open, shown} from './window.ts';

const asks = (command: string): Untimed<SessionEvent> => ({
  type: 'permission_requested',
  id: 'p1',
  request: {
    sessionId: 's',
    toolCall: {toolCallId: 'a', title: 'Clean up', kind: 'execute', rawInput: {command}},
    options: [
      {optionId: 'yes', name: 'Yes', kind: 'allow_once'},
      {optionId: 'no', name: 'No', kind: 'reject_once'},
    ],
  },
});
const asked = asks('rm -rf build');

afterEach(closeWindows);

describe('a request for permission', () => {
  test('waits beside the draft while something is typed', async () => {
    const window = open();
    await shown(window).toContain('Ask for something');
    window.press('x');
    await shown(window).toContain('x');
    window.tell(prompt(1), tool('a', 'pending'), asked);
    await shown(window).toContain('test agent asks for permission');
    await shown(window).toContain('❯ go');
    await shown(window).toContain('Tab answers it');
    // On a busy machine the turn has run for a second by now.
    expect((await window.screen()).replace(/(your answer) \d+ s/, '$1')).toMatchSnapshot();
  });

  test('leaves room for the menu of what is typed, which has the keys', async () => {
    const window = open({columns: 80, rows: 24});
    await shown(window).toContain('Ask for something');
    window.press('/ret');
    await shown(window).toContain('❯ /retry');
    window.tell(prompt(1), tool('a', 'pending'), asked);
    await shown(window).toContain('test agent asks for permission');
    await shown(window).toMatch(/❯ \/retry[^]*A request waits: Esc closes the menu, then Tab answers it\./);
    window.resize({columns: 40, rows: 8});
    await shown(window).toContain('❯ /retry');
    await shown(window).not.toContain('1. Yes');
    window.press('\x1b');
    await shown(window).toContain('1. Yes');
    expect(await window.screen()).toContain('Tab answers it');
  });

  test('is answered by its number once it has the keyboard', async () => {
    const window = open();
    window.tell(prompt(1), tool('a', 'pending'), asked);
    await shown(window).toContain('$ rm -rf build');
    window.press('\t');
    await shown(window).toContain('Enter or a number answers');
    // A key counts only some time after the request was drawn.
    await expect
      .poll(() => performance.now() > (window.store.current().request?.answerFrom ?? Infinity))
      .toBe(true);
    window.press('1');
    await expect
      .poll(() => window.effects)
      .toContainEqual({kind: 'answer', key: 'one', id: 'p1', answer: {kind: 'option', index: 0, key: '1'}});
  });

  test('can be read and answered on a screen of 20 by 5', async () => {
    const window = open({columns: 20, rows: 5});
    window.tell(prompt(1), tool('a', 'pending'), asked);
    await shown(window).toContain('1. Yes');
    const rows = (await window.screen()).split('\n');
    expect(rows.length).toBeLessThanOrEqual(5);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(20);
    expect(await window.screen()).toMatchSnapshot();
  });

  test('tells how much of it was on the screen, and that the end was', async () => {
    const window = open({columns: 60, rows: 16});
    const long = Array.from({length: 40}, (_, line) => `echo ${line}`).join('\n');
    window.tell(prompt(1), asks(long));
    await expect
      .poll(() => window.store.current().request?.scroll)
      .toMatchObject({firstRow: 0, totalRows: 41});
    expect(window.store.current().request?.endSeen).toBe(false);
    window.press('\t');
    await shown(window).toContain('Rejecting is possible now');
    window.press('\x1b[F');
    await shown(window).toContain('echo 39');
    await expect.poll(() => window.store.current().request?.endSeen).toBe(true);
  });
});
