import {expect, test} from 'vitest';
import {fakeAgent, openReady, READY, untilWaiting, say} from '../../../support/driver/chat.ts';

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

test('Shift+Tab selects the next mode, and a rejected one is reported', async () => {
  const chat = await openReady({agent: fakeAgent('modes')});
  await chat.sees(/Fake agent · (?:[^─]*· )?Ask ─/);
  chat.press('shift+tab');
  await chat.sees(/Fake agent · (?:[^─]*· )?Code ─/);
  chat.press('shift+tab');
  await chat.hasSeen('this mode is locked');
  await chat.sees(/Fake agent · (?:[^─]*· )?Code ─/);
});

test('Ctrl+L redraws the same screen', async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  await say(chat, 'hello');
  await chat.noLongerSees('Esc cancel');
  const before = chat.screen();
  const written = chat.raw.length;
  chat.press('ctrl+l');
  await chat.until(() => chat.raw.length > written && chat.screen() === before, 'for the same screen');
});
