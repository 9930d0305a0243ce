import {expect, test} from 'vitest';
import {
  fakeAgent,
  openReady,
  untilTurnsEnd,
  type Chat,
  promptWith,
  untilWaiting,
  newHome,
} from '../../../support/driver/chat.ts';

async function openWith(settings: object, agent = fakeAgent('echo')): Promise<Chat> {
  return openReady({agent, home: newHome(settings)});
}

test('Vim keys edit the draft, and Esc leaves the mode before it cancels the turn', async () => {
  const chat = await openWith({editing: 'vim'}, fakeAgent('waits'));
  await chat.sees('INSERT');
  chat.type('one two three');
  await chat.sees('one two three');
  chat.press('escape');
  await chat.sees('NORMAL');
  chat.type('0dwd');
  await chat.sees('NORMAL d');
  await chat.sees(promptWith('two three'));
  chat.press('escape');
  await chat.noLongerSees('NORMAL d');
  chat.type('vey$p');
  await chat.sees(promptWith('two threetwo'));
  chat.press('enter');
  await chat.sees('INSERT');
  chat.type('next');
  await chat.sees(promptWith('next'));
  chat.press('escape');
  await chat.sees('NORMAL');
  expect(chat.history()).not.toContain('Cancelled');
  await untilWaiting(chat);
  chat.press('escape');
  await chat.hasSeen('Cancelled');
});

test('custom keys apply, also in the hints, and invalid ones are reported', async () => {
  const chat = await openWith({
    keys: {send: ['alt+enter'], new_line: ['enter'], undoo: 'ctrl+u', yank: 'ctrl+w'},
  });
  await chat.hasSeen('Unknown action "undoo"');
  await chat.hasSeen('Ctrl+W is bound to yank and to kill_blank_word_backward');
  chat.type('one');
  await chat.sees(promptWith('one'));
  chat.press('enter');
  chat.type('two');
  await chat.sees(promptWith('one\ntwo'));
  chat.press('alt+enter');
  await untilTurnsEnd(chat);
  await chat.hasSeen('▌ one\n▌ two\n');
});
