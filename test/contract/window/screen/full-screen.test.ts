import {expect, test} from 'vitest';
import {openReady, untilTurnsEnd} from '../../../support/driver/chat.ts';
import {chatWithRows} from '../../../support/driver/running-chat.ts';
import {untouched} from '../../../support/driver/modes.ts';

test('uses the alternate screen from the first frame, scrolls from the prompt, and leaves its end in the terminal', async () => {
  const chat = await chatWithRows(60);
  expect(chat.modes).toMatchObject({alternateScreen: true});
  const first = chat.raw.indexOf('messages are queued');
  expect(chat.raw.lastIndexOf('\x1b[?1049h', first)).toBeGreaterThan(-1);
  chat.type('a draft');
  await chat.sees('a draft');
  chat.press('ctrl+o');
  await chat.sees('q or Esc close');
  chat.type('f');
  await chat.sees(/row 60\.[^]*a draft/);
  chat.press('escape');
  await chat.noLongerSees('q or Esc close');
  chat.press('pageup');
  await chat.sees('row 20.');
  await chat.sees('Shift+End end');
  chat.type(' goes on');
  await chat.sees('a draft goes on');
  chat.press('pagedown', 'pagedown');
  await chat.noLongerSees('Shift+End end');
  chat.type('\x15/quit\r');
  expect(await chat.ended()).toBe(0);
  expect(chat.modes).toEqual(untouched);
  await expect.poll(() => chat.history()).toContain('The command printed 60 lines');
});

test('is switched on and off during a turn without losing output', async () => {
  const chat = await openReady({agent: 'demo', args: ['--approve', 'all']});
  chat.type('/run for i in 1 2 3 4 5 6; do sleep 0.4; echo "row $i."; done');
  await chat.sees('done');
  chat.type('\r');
  await chat.sees('row 1.');
  chat.press('ctrl+x');
  await chat.sees('change to the full screen, or back');
  chat.type('f');
  await chat.until(() => chat.modes.alternateScreen, 'the full screen');
  await chat.sees('row 3.');
  chat.press('ctrl+x');
  await chat.sees('change to the full screen, or back');
  chat.type('f');
  await chat.until(() => !chat.modes.alternateScreen, 'the inline screen');
  await chat.hasSeen('The command printed 6 lines');
  await expect.poll(() => chat.history().match(/row 6\./g)).toHaveLength(1);
});

test('fits small terminals and follows a resize', async () => {
  const chat = await chatWithRows(30, {columns: 40, rows: 12});
  chat.resize(90, 24);
  await chat.until(() => chat.screen().trimEnd().split('\n').length === 23, 'all rows to be used');
  chat.resize(24, 6);
  await chat.sees('Ask');
  await chat.until(() => chat.screen().trimEnd().split('\n').length < 6, 'a row to be free');
});

test('uses the mouse and the modern keyboard protocol on the alternate screen only, and copies the selection', async () => {
  const chat = await chatWithRows(40, {rows: 20, kitty: true, env: {SSH_TTY: '/dev/none', TMUX: ''}});
  await untilTurnsEnd(chat);
  const rowOf = (text: string) =>
    chat
      .screen()
      .split('\n')
      .findIndex((line) => line.includes(text));
  // Drawn after the rows above it, which it moves.
  await chat.sees(/tokens · \$.* · \d\d:\d\d/);
  await chat.until(() => chat.modes.kittyLevels > 0, 'for the kitty keyboard');
  expect(chat.modes).toMatchObject({mouse: true});
  const atEnd = rowOf('row 40.');
  chat.type('\x1b[<64;5;5M');
  await chat.sees('Shift+End end');
  await chat.until(() => rowOf('row 40.') !== atEnd, 'to be scrolled up');
  chat.type('\x1b[<65;5;5M\x1b[<65;5;5M');
  await chat.noLongerSees('Shift+End end');
  await chat.until(() => rowOf('row 40.') === atEnd, 'to be at the end again');
  const row = atEnd + 1;
  chat.type(`\x1b[<0;1;${row}M\x1b[<32;20;${row}M\x1b[<0;20;${row}m`);
  await chat.until(() => chat.clipboard.length > 0, 'something to be copied');
  expect(chat.clipboard.splice(0)).toEqual([`c;${Buffer.from('row 40.').toString('base64')}`]);
  chat.press('ctrl+x');
  await chat.sees('change to the full screen, or back');
  chat.type('f');
  await chat.until(() => !chat.modes.alternateScreen, 'the inline screen');
  expect(chat.modes).toMatchObject({mouse: false});
  await chat.until(() => chat.modes.kittyLevels === 1, 'for the kitty keyboard on the inline screen');
  chat.type('/quit');
  await chat.sees('❯ /quit');
  chat.press('enter');
  await chat.ended();
  expect(chat.modes).toEqual(untouched);
});
