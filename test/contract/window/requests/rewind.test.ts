import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readFileIfAny} from '../../../../src/shared/files/safe-files.ts';
import {
  fakeAgent,
  openChat,
  openReady,
  READY,
  say,
  untilTurnsEnd,
  type Chat,
  selectHighlighted,
} from '../../../support/driver/chat.ts';

/** Opens the list of what to restore. */
async function goBackTo(chat: Chat, prompt: string): Promise<void> {
  chat.type('/rewind\r');
  await chat.sees('Select one to see what would change');
  chat.type(prompt);
  await chat.sees(`❯ ${prompt}`);
  chat.press('enter');
  await chat.sees('Change nothing');
}

async function write(chat: Chat, name: string, text: string): Promise<void> {
  chat.type(`write ${name} ${text}\r`);
  await chat.hasSeen(`Write ${name}`);
  await untilTurnsEnd(chat);
}

const rewindable = (columns: number) => ({
  agent: fakeAgent('fs'),
  columns,
  rows: 40,
  args: ['--approve', 'edits'],
  snapshots: true,
});

/** Lists the prompts, previews the changes of two of them, and restores what was before. */
async function restoresTwo(chat: Chat): Promise<void> {
  const file = (name: string) => join(chat.cwd, name);
  writeFileSync(file('a.txt'), 'zero\n');
  await write(chat, 'a.txt', 'one');
  await write(chat, 'b.txt', 'two');
  await goBackTo(chat, 'write a.txt one');
  await chat.sees('Not covered: ignored files');
  await chat.sees('a.txt');
  await chat.sees('b.txt');
  chat.press('down');
  await selectHighlighted(chat, '❯ Restore 2 files');
  await chat.sees('restored a.txt');
  expect(readFileSync(file('a.txt'), 'utf8')).toBe('zero\n');
  expect(existsSync(file('b.txt'))).toBe(false);
  // The prompt is restored.
  await chat.sees('❯ write a.txt one');
}

/** Clears the prompt, and undoes that after another turn. Returns the three files, as they are then. */
async function undoesIt(chat: Chat): Promise<readonly (string | undefined)[]> {
  chat.press('ctrl+c');
  await chat.sees(READY);
  await write(chat, 'c.txt', 'three');
  await goBackTo(chat, 'Before files were restored');
  chat.press('down');
  await selectHighlighted(chat, '❯ Restore 3 files');
  await chat.sees(/before\s+the restore/);
  return ['a.txt', 'b.txt', 'c.txt'].map((name) => readFileIfAny(join(chat.cwd, name), 100));
}

test('/rewind lists the prompts, previews the changes, restores them, and is undone, in 40 columns', async () => {
  const chat = await openReady(rewindable(40));
  await restoresTwo(chat);
  expect(await undoesIt(chat)).toEqual(['one', 'two', undefined]);
});

test('/rewind does so in 200 columns, and is undone after kill -9', async () => {
  const chat = await openReady({...rewindable(200), ownProcess: true});
  await restoresTwo(chat);
  chat.signal('SIGKILL');
  await chat.ended();

  const {home, cwd} = chat;
  const again = openChat({...rewindable(200), home, cwd});
  await again.sees('A session of this folder was interr');
  again.press('escape');
  await again.noLongerSees('A session of this folder was interr');
  // The earlier draft.
  await again.sees('❯ write a.txt one');
  expect(await undoesIt(again)).toEqual(['one', 'two', undefined]);
});

test('Esc twice on an empty prompt rewinds the conversation into a new session', async () => {
  const chat = await openReady({
    agent: fakeAgent('fs'),
    args: ['--approve', 'edits'],
    snapshots: true,
    kitty: true,
  });
  await write(chat, 'a.txt', 'one');
  await write(chat, 'b.txt', 'two');
  // In one write, so that they arrive fast enough; in kitty's encoding, which differs from Alt+Esc.
  chat.type('\u001b[27u\u001b[27u');
  await chat.sees('Select one to see what would change');
  await chat.sees('❯ write b.txt two');
  chat.press('enter');
  await chat.sees('Change nothing');
  chat.press('down', 'down', 'down');
  await selectHighlighted(chat, '❯ Rewind the conversation only');
  await chat.sees('write b.txt two');
  expect(existsSync(join(chat.cwd, 'b.txt'))).toBe(true);
});

test('/rewind is read line by line on an append-only terminal', async () => {
  const chat = await openReady({
    agent: fakeAgent('fs'),
    args: ['--approve', 'edits'],
    snapshots: true,
    env: {TERM: 'dumb'},
  });
  const file = join(chat.cwd, 'a.txt');
  writeFileSync(file, 'zero\n');
  await write(chat, 'a.txt', 'one');
  // Another Enter sends the prompt again, which is back in the editor then: its write is asked about.
  chat.type('/permissions none');
  await chat.hasSeen('Selected: /permissions none');
  chat.press('enter');
  await chat.hasSeen('> /permissions none\n');
  chat.type('/rewind\r');
  await chat.hasSeen('Select one to see what would change');
  chat.press('enter');
  await chat.hasSeen('Change nothing');
  await chat.hasSeen('Not covered: ignored files');
  const whole = 'conversation  A new session with the conversation so far as context.';
  await chat.until(
    () => chat.history().replaceAll('\n', '').includes(whole),
    'for a description, not cut off',
  );
  chat.press('down');
  await chat.hasSeen('Selected: Restore 1 file');
  await chat.hasSeen(/Change nothing[^]*Enter select/);
  chat.press('enter');
  await chat.hasSeen('restored a.txt');
  // It is moved away first, and not there for a moment.
  await chat.until(() => readFileIfAny(file, 100) === 'zero\n', 'the file to be restored');
});

test('rewinding the conversation of an agent that can go back itself continues in a copy of the session', async () => {
  const chat = await openReady({agent: fakeAgent('forks')});
  await say(chat, 'first');
  await say(chat, 'second', 2);
  await say(chat, 'third', 3);
  await goBackTo(chat, 'second');
  await chat.sees('A copy of the session up to there');
  chat.press('down');
  await selectHighlighted(chat, '❯ Rewind the conversation only');
  await chat.sees('Rewound to before turn 2');
  chat.type(' again\r');
  await chat.sees('second again in copy, copied up to m1');
});
