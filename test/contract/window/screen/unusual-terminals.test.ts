import {expect, test} from 'vitest';
import {fakeAgent, openReady, untilTurnsEnd} from '../../../support/driver/chat.ts';
import {askToRun, openPuppet} from '../../../support/driver/puppet.ts';

test('20 columns and 5 rows are enough to type, send and answer', async () => {
  const chat = await openPuppet({columns: 20, rows: 5});
  chat.type('go\r');
  await chat.hasSeen('▌ go');
  chat.report(askToRun('make'), {end: 'end_turn'});
  await chat.sees('❯ 1  y  Allow once');
  // Enter shows the next part of it, and allows it after the last one.
  while (chat.screen().includes('❯ 1  y  Allow once')) {
    const before = chat.screen();
    chat.press('enter');
    await chat.until(() => chat.screen() !== before, 'for the next part');
  }
  await chat.hasSeen('request: yes');
  await untilTurnsEnd(chat);
  chat.type('a draft that is longer than the screen is wide');
  await chat.sees('wide');
  const lines = chat.screen().split('\n');
  expect(lines.length).toBeLessThanOrEqual(5);
  expect(chat.history()).not.toMatch(/.{21,}/);
});

/** The color of dimmed text, in the two themes. */
const DIM = {dark: '38;2;139;147;158', light: '38;2;95;103;113'};

test.each([
  ['light if the terminal says so', {background: 'rgb:ffff/ffff/ffff'}, DIM.light],
  ['dark if the terminal says so', {background: 'rgb:1616/1818/1d1d', env: {COLORFGBG: '0;15'}}, DIM.dark],
  ['as in COLORFGBG if the terminal does not respond', {env: {COLORFGBG: '0;15'}}, DIM.light],
  ['dark by default', {}, DIM.dark],
])('output has the colors for its background: %s', async (_, options, color) => {
  const chat = await openReady({agent: 'demo', ...options});
  chat.type('/markdown\r');
  await untilTurnsEnd(chat);
  const other = color === DIM.dark ? DIM.light : DIM.dark;
  const end = chat.raw.split('\n').findLast((line) => / (?:ms|s)\b/.test(line));
  expect(end).toContain(color);
  expect(end).not.toContain(other);
});

test('--no-color is honored', async () => {
  const chat = await openReady({agent: fakeAgent('tools'), args: ['--no-color']});
  chat.type('go\r');
  await untilTurnsEnd(chat);
  expect(chat.raw).not.toMatch(/\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]/);
});

test('a dumb terminal gets lines, one below the other, without escape sequences', async () => {
  const chat = await openPuppet({env: {TERM: 'dumb', COLORTERM: ''}});
  await chat.begin();
  chat.report({say: 'An **answer** of the agent.\n\n'}, askToRun('make'), {end: 'end_turn'});
  await chat.hasSeen('An answer of the agent.');
  await chat.hasSeen('1  y  Allow once');
  await chat.hasSeen('why am I asked');
  chat.press('enter');
  await chat.hasSeen('request: yes');
  await untilTurnsEnd(chat);
  // The transcript is above: its own screen is closed at once.
  chat.press('ctrl+o');
  chat.type('/');
  await chat.hasSeen('> /');
  await chat.hasSeen('Keys and commands');
  // The first one clears the prompt, of which no line says anything.
  chat.press('ctrl+c', 'ctrl+c');
  await chat.hasSeen('again to quit');
  chat.press('ctrl+c');
  await chat.ended();
  expect(chat.raw).not.toContain('\x1b');
});
