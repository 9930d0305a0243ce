import {expect, test} from 'vitest';
import {fakeAgent, openReady, READY, untilTurnsEnd, promptWith} from '../../../support/driver/chat.ts';

const echo = fakeAgent('echo');

test('Alt+Enter, Ctrl+J and a backslash before Enter start a new line', async () => {
  const chat = await openReady({agent: echo});
  chat.type('one');
  chat.press('alt+enter');
  chat.type('two');
  chat.press('ctrl+j');
  chat.type('three\\');
  await chat.sees('three\\');
  chat.press('enter');
  await chat.noLongerSees('\\');
  chat.type('four');
  await chat.sees(promptWith('one\ntwo\nthree\nfour'));
  chat.press('enter');
  await untilTurnsEnd(chat);
  await chat.hasSeen(/▌ one\n▌ two\n▌ three\n▌ four\n/);
});

test('Shift+Enter starts a new line if the terminal reports it', async () => {
  const chat = await openReady({agent: echo, kitty: true});
  await chat.until(() => chat.modes.kittyLevels === 1, 'for the kitty keyboard');
  chat.type('one');
  chat.press('shift+enter');
  chat.type('two');
  await chat.sees(promptWith('one\ntwo'));
});

test('readline keys edit the draft', async () => {
  const chat = await openReady({agent: echo});
  chat.type('brown fox jumps');
  await chat.sees('brown fox jumps');
  chat.press('ctrl+a');
  chat.type('the ');
  chat.press('ctrl+e', 'ctrl+w');
  await chat.sees(promptWith('the brown fox'));
  chat.press('ctrl+y', 'alt+b', 'ctrl+k');
  await chat.sees(promptWith('the brown fox'));
  chat.press('ctrl+u');
  await chat.sees(READY);
  chat.press('ctrl+_');
  await chat.sees(promptWith('the brown fox'));
});

test("the terminal's cursor is at the caret", async () => {
  const chat = await openReady({agent: echo});
  const row = () =>
    chat
      .screen()
      .split('\n')
      .findIndex((line) => line.includes('日本'));
  chat.type('日本語 ok');
  await chat.sees('日本語 ok');
  await chat.until(() => chat.cursor.column === 13 && chat.cursor.row === row(), 'for the cursor at the end');
  chat.press('home', 'right', 'right');
  await chat.until(() => chat.cursor.column === 8, 'for the cursor behind two wide characters');
  expect(chat.modes.hiddenCursor).toBe(false);
});

test('↑ recalls earlier prompts, and ↓ the draft', async () => {
  const chat = await openReady({agent: echo});
  chat.type('first\r');
  await untilTurnsEnd(chat, 1);
  chat.type('second\r');
  await untilTurnsEnd(chat, 2);
  chat.type('a draft');
  chat.press('up');
  await chat.sees(promptWith('second'));
  chat.press('up');
  await chat.until(() => promptWith('first').test(chat.screen()), 'for the first prompt');
  chat.press('down', 'down');
  await chat.sees(promptWith('a draft'));
});

test('the history of a folder is available on the next start', async () => {
  const first = await openReady({agent: echo});
  first.type('remember this\r');
  await untilTurnsEnd(first);
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

test('a short paste is text, and is never submitted', async () => {
  const chat = await openReady({agent: echo});
  chat.paste('one\rtwo\r');
  await chat.sees(promptWith('one\ntwo'));
  expect(chat.history()).not.toContain('▌');
});

test('lines that arrive at once without brackets are a paste as well', async () => {
  const chat = await openReady({agent: echo});
  chat.type('line1\rline2');
  await chat.sees(promptWith('line1\nline2'));
  expect(chat.history()).not.toContain('▌');
});

test('text followed by Enter in one write is sent', async () => {
  const chat = await openReady({agent: echo});
  chat.type('hello\r');
  await untilTurnsEnd(chat);
  await chat.hasSeen(/▌ hello\n\n {2}hello\n/);
});

test('a paste without an end does not freeze the window', async () => {
  const chat = await openReady({agent: echo});
  chat.type('\x1b[200~cut off');
  await chat.sees('cut off');
  chat.type(' and typed\r');
  await untilTurnsEnd(chat);
  await chat.hasSeen(/▌ cut off and typed/);
});

test('a draft taller than a third of the screen scrolls', async () => {
  const chat = await openReady({agent: echo, rows: 15});
  for (let line = 0; line < 12; line++) {
    chat.type(`draft ${line}`);
    chat.press('alt+enter');
  }
  await chat.sees(/\d+ above/);
  await chat.sees('draft 11');
  expect(chat.screen()).not.toContain('draft 0\n');
});

test('wide characters wrap before the last column, with the cursor', async () => {
  const chat = await openReady({agent: echo, columns: 21});
  // Nine of them leave a column too narrow for another; the caret is after it.
  chat.type('漢'.repeat(10));
  await chat.sees('漢'.repeat(10));
  await chat.until(() => chat.cursor.column === 20, 'for the cursor in the last column');
  chat.type('字');
  await chat.sees(promptWith('字'));
  await chat.until(() => chat.cursor.column === 2, 'for the cursor in the next row');
  chat.press('backspace');
  await chat.until(() => chat.cursor.column === 20, 'for the cursor back in the row before');
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
