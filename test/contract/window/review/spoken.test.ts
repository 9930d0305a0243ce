import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {fakeAgent, openReady, say} from '../../../support/driver/chat.ts';

test('with a screen reader, changes are reviewed and reverted', async () => {
  const args = ['--screen-reader', '--approve', 'edits'];
  const chat = await openReady({agent: fakeAgent('fs'), args, columns: 100, rows: 30, snapshots: true});
  await say(chat, 'write a.txt one', 1);
  await say(chat, 'write b.txt two', 2);
  const file = path.join(chat.cwd, 'b.txt');
  chat.type('/review\r');
  await chat.hasSeen('Review: 2 files. Since your last review.');
  await chat.hasSeen('File 1 of 2: a.txt, added, 1 added, 0 removed');
  await chat.hasSeen('At line 1, added: one');
  chat.type('a');
  await chat.hasSeen('Accepted a.txt.');
  await chat.hasSeen('File 2 of 2: b.txt');
  chat.type('x');
  await chat.hasSeen('Reverted b.txt.');
  await chat.hasSeen('Review: 1 file.');
  expect(existsSync(file)).toBe(false);
  chat.type('u');
  await chat.hasSeen('Restored b.txt.');
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(chat.raw).not.toContain('\x1b');
});
