import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {fakeAgent, openReady, untilTurnsEnd, type Chat} from '../../../support/driver/chat.ts';

const SIZE = {agent: 'demo', columns: 80, rows: 24};

/** Waits until the terminal's cursor is right behind a text, where an input method composes. */
async function cursorIsBehind(chat: Chat, text: string): Promise<void> {
  await chat.sees(text);
  const width = Array.from(text, (letter) => (letter > '\u2e80' ? 2 : 1)).reduce(
    (sum, each) => sum + each,
    0,
  );
  const place = () => {
    const rows = chat.screen().split('\n');
    const row = rows.findIndex((line) => line.includes(text));
    const before = rows[row]?.split(text)[0] ?? '';
    return {row, column: before.length + width};
  };
  await chat.until(
    () => JSON.stringify(chat.cursor) === JSON.stringify(place()),
    `for the cursor behind ${text}`,
  );
  expect(chat.cursor).toEqual(place());
}

test.each(['word', '漢字かな', '한국어'])(
  'the cursor is after %s in the prompt, the search of the transcript, a filter and a form',
  async (text) => {
    const chat = await openReady(SIZE);
    chat.type(text);
    await cursorIsBehind(chat, text);
    chat.press('ctrl+u');
    await chat.noLongerSees(text);

    chat.press('ctrl+o');
    await chat.sees('/ search');
    chat.type('/');
    await chat.sees('╰─ / ');
    chat.type(text);
    await cursorIsBehind(chat, text);
    chat.press('escape');
    await chat.noLongerSees(text);
    chat.press('escape');
    await chat.noLongerSees('/ search');

    chat.type('/settings\r');
    await chat.sees('─ Settings');
    chat.type(text);
    await cursorIsBehind(chat, text);
    chat.press('escape');
    await chat.noLongerSees('─ Settings');

    chat.type('/form\r');
    await chat.sees("Answer the agent's questions?");
    await chat.sees('(type your answer)');
    await chat.sees('Ctrl+S submit');
    chat.press('tab');
    await chat.sees('❯ Your address');
    chat.type(text);
    await cursorIsBehind(chat, text);
  },
);

test('the cursor is after words of any width in a comment of the review', async () => {
  const chat = await openReady({...SIZE, agent: fakeAgent('echo'), snapshots: true});
  chat.type('hello\r');
  await untilTurnsEnd(chat, 1);
  writeFileSync(path.join(chat.cwd, 'new.txt'), 'new\n');
  chat.type('/review\r');
  await chat.sees('hunk 1 of 1');
  chat.type('c');
  await chat.sees('Comment on line 1:');
  for (const text of ['word', '漢字かな']) {
    chat.type(text);
    await cursorIsBehind(chat, text);
    chat.press('left');
    const before = Array.from(text).slice(0, -1).join('');
    await cursorIsBehind(chat, before);
    chat.press('ctrl+e', 'ctrl+u');
    await chat.noLongerSees(text);
  }
});
