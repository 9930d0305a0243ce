import {expect, test} from 'vitest';
import {fakeAgent, openReady, untilTurnsEnd, promptWith, say} from '../../../support/driver/chat.ts';

const echo = fakeAgent('echo');

test('Shift+Enter starts a new line if the terminal reports it', async () => {
  const chat = await openReady({agent: echo, kitty: true});
  await chat.until(() => chat.modes.kittyLevels === 1, 'for the kitty keyboard');
  chat.type('one');
  chat.press('shift+enter');
  chat.type('two');
  await chat.sees(promptWith('one\ntwo'));
});

test('the history of a folder is available on the next start', async () => {
  const first = await openReady({agent: echo});
  await say(first, 'remember this');
  first.press('ctrl+d');
  await first.ended();
  const {home, cwd} = first;
  const second = await openReady({agent: echo, home, cwd});
  second.press('up');
  await second.sees(promptWith('remember this'));
});

test('a paste of 300 lines is one placeholder, and is sent whole', async () => {
  const chat = await openReady({agent: echo});
  const lines = Array.from({length: 300}, (_, index) => `pasted line ${index}`);
  chat.type('look: ');
  chat.paste(lines.join('\r'));
  await chat.sees(/look: \[.*300 lines.*\]/);
  expect(chat.history()).not.toContain('pasted line 7');
  chat.press('enter');
  await untilTurnsEnd(chat);
  // The folded prompt above has its first lines, too.
  await chat.hasSeen('pasted line 150');
  const answer = chat.history().replaceAll(/\s+/g, ' ');
  expect(answer).toContain('pasted line 298 pasted line 299');
});

test('a paste without an end does not freeze the window', async () => {
  const chat = await openReady({agent: echo});
  chat.type('\x1b[200~cut off');
  await chat.sees('cut off');
  chat.type(' and typed');
  await chat.sees('cut off and typed');
  // What follows belongs to the paste until a key does not.
  chat.press('end');
  chat.type('\r');
  await chat.hasSeen(/▌ cut off and typed/);
});

test('input method text arrives as text, also in one read with more', async () => {
  const chat = await openReady({agent: echo});
  chat.type('か');
  await chat.sees(promptWith('か'));
  // Input methods of terminals delete and rewrite text while converting.
  chat.type('\x7f漢字変換');
  await chat.sees(promptWith('漢字変換'));
  chat.type('e\u0301👩‍👩‍👧');
  await chat.sees('漢字変換e\u0301');
  chat.press('backspace');
  await chat.noLongerSees('👩');
  chat.press('backspace', 'backspace');
  await chat.sees(promptWith('漢字変'));
});

test('a menu stays open and whole when the terminal is resized', async () => {
  const chat = await openReady({agent: echo, columns: 90, rows: 30});
  chat.type('/he');
  await chat.sees('Keys and commands');
  chat.resize(40, 14);
  await chat.until(() => !chat.screen().includes('─'.repeat(41)), 'for the narrow frame');
  await chat.sees('/help');
  chat.press('tab');
  await chat.sees(promptWith('/help'));
  chat.resize(100, 30);
  await chat.sees('─'.repeat(98));
  expect(
    chat
      .screen()
      .split('\n')
      .filter((line) => promptWith('/help').test(line)),
  ).toHaveLength(1);
});
