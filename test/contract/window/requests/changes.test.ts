import {readFileSync, writeFileSync, existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fakeAgent, openReady, type Chat, say, selectHighlighted} from '../../../support/driver/chat.ts';

/** Selects undo. */
async function confirmUndo(chat: Chat): Promise<void> {
  chat.press('down');
  await selectHighlighted(chat, '❯ Undo 1 file');
  await chat.sees('Turn 1 undone');
}

test('/review turn shows what a turn wrote, and /undo restores it after a confirmation', async () => {
  const chat = await openReady({agent: fakeAgent('fs'), args: ['--approve', 'edits'], snapshots: true});
  const file = join(chat.cwd, 'notes.txt');
  writeFileSync(file, 'mine\r\n');
  await say(chat, 'write notes.txt theirs');
  expect(readFileSync(file, 'utf8')).toBe('theirs');
  chat.type('/review turn\r');
  await chat.sees(/Review 1 file +\+1 −1[^]*Turn 1/);
  await chat.sees('- mine');
  chat.press('escape');
  await chat.noLongerSees('Review 1 file');
  chat.type('/undo\r');
  await chat.sees('Restored to its previous content');
  expect(readFileSync(file, 'utf8')).toBe('theirs');
  await confirmUndo(chat);
  await chat.sees('Turn 1 undone: restored notes.txt. The agent is informed with your next prompt.');
  expect(readFileSync(file, 'utf8')).toBe('mine\r\n');
  chat.type('/undo\r');
  await chat.sees('Nothing to undo');
});

test('/review turn shows what is known of a turn without snapshots', async () => {
  const chat = await openReady({
    agent: fakeAgent('fs'),
    args: ['--approve', 'edits', '--no-save'],
    snapshots: true,
  });
  writeFileSync(join(chat.cwd, 'notes.txt'), 'mine\r\n');
  await say(chat, 'write notes.txt theirs');
  chat.type('/review turn\r');
  await chat.sees('The last turn: 1 file, +1 −1');
  await chat.sees('- mine');
});

test('/undo keeps what was changed since, and deletes created files', async () => {
  const chat = await openReady({agent: fakeAgent('fs'), args: ['--approve', 'edits'], snapshots: true});
  const file = join(chat.cwd, 'new.txt');
  await say(chat, 'write new.txt theirs');
  // It opens when the snapshot after the turn is taken: later changes are not part of the turn.
  chat.type('/undo\r');
  await chat.sees('Deleted: it did not exist before.');
  chat.press('escape');
  await chat.noLongerSees('Undo the file changes of turn 1');
  writeFileSync(file, 'mine');
  chat.type('/undo\r');
  await chat.sees('Unchanged: it has changed since.');
  chat.press('down');
  await chat.sees('❯ Undo files');
  chat.press('enter');
  await chat.sees('None of its files can be restored.');
  chat.press('escape');
  writeFileSync(file, 'theirs');
  await chat.noLongerSees('Undo the file changes of turn 1');
  chat.type('/undo\r');
  await chat.sees('Deleted: it did not exist before.');
  await confirmUndo(chat);
  await chat.sees('Turn 1 undone: deleted new.txt.');
  expect(existsSync(file)).toBe(false);
});
