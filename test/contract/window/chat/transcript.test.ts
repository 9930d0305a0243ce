import {expect, test, vi} from 'vitest';
import {openReady, untilTurnsEnd, type Chat} from '../../../support/driver/chat.ts';
import {untouched} from '../../../support/driver/modes.ts';

/** The keys below the transcript while it has the focus. */
const OPEN = 'q or Esc close';

/** A chat in which a command has printed 300 lines. */
async function chatWithOutput(): Promise<Chat> {
  const chat = await openReady({agent: 'demo', args: ['--approve', 'all']});
  chat.type('/run for i in $(seq 300); do echo "row $i."; done');
  await chat.sees('done');
  chat.type('\r');
  await chat.hasSeen('The command printed 300 lines');
  await untilTurnsEnd(chat);
  // The card has its last rows from the terminal's emulator, which may be behind the answer.
  await chat.sees('row 300.');
  return chat;
}

test('Ctrl+O opens the transcript in its own screen, which scrolls and restores everything on exit', async () => {
  const chat = await chatWithOutput();
  chat.type('a draft');
  await chat.sees('a draft');
  await chat.sees('% of 64k');
  const [screen, history, cursor] = [chat.screen(), chat.history(), chat.cursor];
  chat.type('\x0f');
  await chat.sees(OPEN);
  await chat.sees('row 300.');
  chat.press('home');
  await chat.sees('0 % ·');
  chat.press('pagedown');
  await chat.sees('row 40.');
  chat.press('end');
  await chat.sees('row 300.');
  chat.type('/');
  await chat.sees('╰─ / ─');
  chat.type('row 12');
  await chat.sees(/row 12\.[^]*1 of 11/);
  chat.press('enter');
  await chat.sees(OPEN);
  chat.type('n');
  await chat.sees(/row 120\.[^]*2 of 11/);
  chat.press('end');
  await chat.sees('row 300.');
  chat.type('f');
  await chat.sees('earlier lines');
  chat.type('f');
  await chat.noLongerSees('earlier lines');
  chat.press('end');
  await chat.sees('row 300.');
  chat.type('q');
  await chat.noLongerSees(OPEN);
  await chat.sees('a draft');
  await expect.poll(() => chat.history()).toBe(history);
  expect([chat.screen(), chat.cursor]).toEqual([screen, cursor]);
});

test('the terminal stays in raw mode between the screens: it would echo what is typed', async () => {
  const chat = await openReady({agent: 'demo'});
  const setRawMode = vi.spyOn(process.stdin, 'setRawMode');
  chat.type('\x0f');
  await chat.sees(OPEN);
  chat.type('q');
  await chat.noLongerSees(OPEN);
  chat.type('a draft');
  await chat.sees('a draft');
  expect(setRawMode.mock.calls).toContainEqual([true]);
  expect(setRawMode.mock.calls).not.toContainEqual([false]);
});

test('output that arrives while it is open is in it, and in the scrollback afterwards', async () => {
  const chat = await openReady({agent: 'demo', args: ['--approve', 'all']});
  chat.type('/run for i in 1 2 3 4; do sleep 0.4; echo "row $i."; done');
  await chat.sees('done');
  chat.type('\r');
  await chat.sees('row 1.');
  chat.type('\x0f');
  await chat.sees(OPEN);
  await chat.sees('The command printed 4 lines');
  chat.press('escape');
  await chat.sees('Ask anything');
  await chat.hasSeen('The command printed 4 lines');
  await expect.poll(() => chat.history().match(/row 4\./g)).toHaveLength(1);
});

test('it survives a resize, and quitting from it restores the terminal', async () => {
  const chat = await chatWithOutput();
  chat.type('\x0f');
  await chat.sees(OPEN);
  chat.resize(60, 20);
  await chat.sees(OPEN);
  await chat.until(() => chat.screen().trimEnd().split('\n').length === 19, 'all rows to be used');
  chat.signal('SIGTERM');
  expect(await chat.ended()).toBe(143);
  expect(chat.modes).toEqual(untouched);
});
