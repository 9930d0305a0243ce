import {expect, test} from 'vitest';
import {
  fakeAgent,
  openReady,
  READY,
  untilTurnsEnd,
  promptWith,
  untilWaiting,
} from '../../../support/driver/chat.ts';

test('Ctrl+C clears the draft, then cancels the turn, then quits', async () => {
  const chat = await openReady({agent: fakeAgent('waits')});
  chat.type('go\r');
  await untilWaiting(chat);
  chat.type('a draft');
  await chat.sees('a draft');
  chat.press('ctrl+c');
  await chat.sees(READY);
  await chat.sees('Esc cancel');
  chat.press('ctrl+c');
  await chat.sees('Press Ctrl+C again to quit');
  await chat.hasSeen('Cancelled');
  chat.press('ctrl+c');
  expect(await chat.ended()).toBe(0);
});

test('a draft cleared by Ctrl+C is in the history', async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  chat.type('not lost');
  await chat.sees('not lost');
  chat.press('ctrl+c');
  await chat.sees(READY);
  chat.press('up');
  await chat.sees('not lost');
});

test('Ctrl+C quits only if pressed again soon', async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  chat.press('ctrl+c');
  await chat.sees('Press Ctrl+C again to quit');
  await chat.noLongerSees('Press Ctrl+C again to quit');
  chat.press('ctrl+c');
  await chat.sees('Press Ctrl+C again to quit');
  expect(chat.exit).toBeUndefined();
});

test('Ctrl+D deletes forward in a draft, and quits on an empty one', async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  chat.type('xyz');
  chat.press('home', 'ctrl+d');
  await chat.sees(promptWith('yz'));
  chat.press('ctrl+d', 'ctrl+d', 'ctrl+d');
  expect(await chat.ended()).toBe(0);
});

test('Esc closes the menu before it cancels the turn', async () => {
  const chat = await openReady({agent: fakeAgent('waits')});
  chat.type('go\r');
  await untilWaiting(chat);
  chat.type('/he');
  await chat.sees('Keys and commands');
  await chat.sees('Esc close menu');
  chat.press('escape');
  await chat.noLongerSees('Keys and commands');
  chat.press('escape');
  await chat.hasSeen('Cancelled');
});

test('Shift+Tab selects the next mode, and a rejected one is reported', async () => {
  const chat = await openReady({agent: fakeAgent('modes')});
  await chat.sees(/Fake agent · (?:[^─]*· )?Ask ─/);
  chat.press('shift+tab');
  await chat.sees(/Fake agent · (?:[^─]*· )?Code ─/);
  chat.press('shift+tab');
  await chat.hasSeen('this mode is locked');
  await chat.sees(/Fake agent · (?:[^─]*· )?Code ─/);
});

test('? on an empty draft shows all keys, and is text in any other', async () => {
  const chat = await openReady({agent: fakeAgent('echo'), rows: 40});
  chat.type('?');
  await chat.sees('─ Help');
  await chat.sees('Shift+Tab');
  chat.type('quit');
  await chat.sees('❯ /quit');
  chat.press('escape');
  await chat.noLongerSees('─ Help');
  chat.type('why?');
  await chat.sees(promptWith('why?'));
});

test('Ctrl+T shows and hides the plan', async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  chat.press('ctrl+t');
  await chat.sees('No plan yet.');
  chat.press('ctrl+t');
  await chat.noLongerSees('No plan yet.');
});

test('Ctrl+L redraws the same screen', async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  chat.type('hello\r');
  await untilTurnsEnd(chat);
  await chat.noLongerSees('Esc cancel');
  const before = chat.screen();
  const written = chat.raw.length;
  chat.press('ctrl+l');
  await chat.until(() => chat.raw.length > written && chat.screen() === before, 'for the same screen');
});
