import {chmodSync, existsSync, globSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {
  fakeAgent,
  openReady,
  READY,
  temporaryFolder,
  untilTurnsEnd,
  type Chat,
  type ChatOptions,
  say,
} from '../../../support/driver/chat.ts';
import {openPuppet} from '../../../support/driver/puppet.ts';

const lines = Array.from({length: 30}, (_, index) => `line ${index + 1}`);
const BEFORE = `${lines.join('\n')}\n`;
const AFTER = BEFORE.replace('line 3\n', 'changed 3\n').replace('line 20\n', 'changed 20\n');

/** A chat after its first turn, with two hunks in `a.txt` and a new file since. */
async function changed(options: ChatOptions = {}): Promise<Chat> {
  const chat = await openReady({
    agent: fakeAgent('echo'),
    columns: 100,
    rows: 30,
    snapshots: true,
    ...options,
  });
  writeFileSync(path.join(chat.cwd, 'a.txt'), BEFORE);
  await say(chat, 'hello', 1);
  const after = path.join(chat.home, '.local/state/acp-tui/snapshots/*/refs/sessions/*/*-1-after');
  await chat.until(() => globSync(after).length > 0, 'the snapshot after the turn');
  writeFileSync(path.join(chat.cwd, 'a.txt'), AFTER);
  writeFileSync(path.join(chat.cwd, 'new.txt'), 'new\n');
  return chat;
}

const text = ({cwd}: Chat, name: string) => readFileSync(path.join(cwd, name), 'utf8');

test('changes are reviewed: browsed, accepted, reverted, commented, and the comments sent', async () => {
  const chat = await changed();
  chat.type('/review\r');
  await chat.sees(/Review 2 files +\+3 −2/);
  await chat.sees('hunk 1 of 2');
  chat.type('a');
  await chat.sees(/hunk 1 of 2 +accepted/);
  await chat.sees('1 of 2 accepted');
  expect(text(chat, 'a.txt')).toBe(AFTER);
  chat.type('x');
  await chat.sees('Reverted a hunk of a.txt.');
  expect(text(chat, 'a.txt')).toBe(BEFORE.replace('line 3\n', 'changed 3\n'));
  chat.type('u');
  await chat.sees('Restored a hunk of a.txt.');
  expect(text(chat, 'a.txt')).toBe(AFTER);
  chat.press('tab');
  await chat.sees(/❯ A new\.txt/);
  chat.type('c');
  await chat.sees('Comment on line 1:');
  chat.type('why is it here?\r');
  await chat.sees('▌ why is it here?');
  chat.type('\x13');
  await chat.sees('A comment on your changes:');
  await chat.sees('○ new.txt:1');
  await untilTurnsEnd(chat, 2);
  chat.type('\x18r');
  await chat.sees('hunk 1 of 1');
  await expect.poll(() => chat.screen()).not.toContain('changed 3');
  chat.type('X');
  await chat.sees('Reverted a.txt.');
  expect(text(chat, 'a.txt')).toBe(BEFORE.replace('line 3\n', 'changed 3\n'));
  chat.press('escape');
  await chat.hasSeen('Review: Reverted a.txt.');
});

test('keys pressed at once apply one after the other, from the last hunk of a file on to the next file', async () => {
  const chat = await changed();
  chat.type('/review\r');
  await chat.sees('hunk 1 of 2');
  chat.type('aax');
  await chat.sees('Reverted new.txt.');
  expect(existsSync(path.join(chat.cwd, 'new.txt'))).toBe(false);
  expect(text(chat, 'a.txt')).toBe(AFTER);
  await chat.sees(/M a\.txt +accepted/);
  // The keys stay below the news.
  await expect.poll(() => chat.screen()).toMatch(/Reverted new\.txt\.\na accept · x revert/);
  for (const key of 'uuu') chat.type(key);
  await chat.sees(/Review 2 files +\+3 −2/);
  await chat.sees('No longer accepted: a hunk of a.txt.');
  expect(text(chat, 'new.txt')).toBe('new\n');
  chat.type('XXq');
  await chat.sees(READY);
  expect(text(chat, 'a.txt')).toBe(BEFORE);
  expect(existsSync(path.join(chat.cwd, 'new.txt'))).toBe(false);
});

test('the end of a turn shows what it changed, and an open review is refreshed', async () => {
  const chat = await openReady({
    agent: fakeAgent('fs'),
    args: ['--approve', 'edits'],
    columns: 100,
    snapshots: true,
  });
  chat.type('write a.txt one\r');
  await chat.sees('+1 −0 · Ctrl+X r review');
  chat.type('write b.txt two\r');
  chat.type('\x18r');
  await chat.sees(/Review 2 files/);
  await chat.sees('b.txt');
});

test('a revert waits for the end of the turn, and is given up or done then', async () => {
  const chat = await openPuppet({columns: 100, snapshots: true});
  writeFileSync(path.join(chat.cwd, 'a.txt'), BEFORE);
  await chat.begin();
  // Once the agent answers, the snapshot before the prompt is taken.
  chat.report({say: 'It begins.'});
  await chat.sees('It begins.');
  writeFileSync(path.join(chat.cwd, 'a.txt'), AFTER);
  chat.type('/review\r');
  await chat.sees('hunk 1 of 2');
  chat.type('x');
  await chat.sees('Done when the turn ends');
  chat.press('escape');
  await chat.sees('Nothing was reverted.');
  chat.type('x');
  await chat.sees('Done when the turn ends');
  expect(text(chat, 'a.txt')).toBe(AFTER);
  chat.report({end: 'end_turn'});
  await chat.sees('Reverted a hunk of a.txt.');
  expect(text(chat, 'a.txt')).toBe(BEFORE.replace('line 20\n', 'changed 20\n'));
});

test('a revert that waits cancels the turn on demand', async () => {
  const chat = await openReady({agent: fakeAgent('waits'), columns: 100, rows: 30, snapshots: true});
  writeFileSync(path.join(chat.cwd, 'a.txt'), BEFORE);
  chat.type('go\r');
  await chat.sees('waiting');
  writeFileSync(path.join(chat.cwd, 'a.txt'), AFTER);
  chat.type('/review\r');
  await chat.sees('hunk 1 of 2');
  chat.type('x');
  await chat.sees('Done when the turn ends');
  expect(text(chat, 'a.txt')).toBe(AFTER);
  chat.press('ctrl+c');
  await chat.sees('Reverted a hunk of a.txt.');
  expect(text(chat, 'a.txt')).toBe(BEFORE.replace('line 20\n', 'changed 20\n'));
});

test('of two windows on one folder, one does not overwrite what the other has reverted', async () => {
  const first = await changed();
  const second = await openReady({agent: fakeAgent('echo'), home: first.home, cwd: first.cwd, columns: 100});
  writeFileSync(path.join(first.cwd, 'a.txt'), BEFORE);
  await say(second, 'hello', 1);
  const stored = path.join(first.home, '.local/state/acp-tui/snapshots/*/refs/sessions/*/*-after');
  await second.until(() => globSync(stored).length > 1, 'the snapshot after the turn');
  writeFileSync(path.join(first.cwd, 'a.txt'), AFTER);
  for (const chat of [first, second]) {
    chat.type('/review\r');
    await chat.sees('hunk 1 of 2');
  }
  first.type('x');
  await first.sees('Reverted a hunk of a.txt.');
  const left = BEFORE.replace('line 20\n', 'changed 20\n');
  expect(text(first, 'a.txt')).toBe(left);
  second.type('X');
  await second.sees('a.txt is unchanged: it has changed since.');
  expect(text(first, 'a.txt')).toBe(left);
  await second.sees('hunk 1 of 1');
  second.type('x');
  await second.sees('Reverted a hunk of a.txt.');
  expect(text(first, 'a.txt')).toBe(BEFORE);
});

test.each([
  ['inline', []],
  ['in full screen', ['--fullscreen']],
])('%s, the editor opens at the line, and the review comes back with its changes', async (_where, args) => {
  const folder = path.join(temporaryFolder('editor'), 'vim');
  writeFileSync(folder, '#!/bin/sh\necho "$@" > "$0.args"\necho edited >> new.txt\n');
  chmodSync(folder, 0o755);
  const chat = await changed({args, env: {EDITOR: folder}});
  chat.type('/review\r');
  await chat.sees('hunk 1 of 2');
  chat.type('e');
  const given = () => (existsSync(`${folder}.args`) ? readFileSync(`${folder}.args`, 'utf8') : '');
  await chat.until(() => given().endsWith('\n'), 'the editor');
  expect(given()).toBe(`+3 ${path.join(chat.cwd, 'a.txt')}\n`);
  await chat.sees('hunk 1 of 2');
  chat.press('tab');
  await chat.sees('+ edited');
});

test('on an append-only terminal the review is printed line by line', async () => {
  const chat = await changed({env: {TERM: 'dumb'}});
  chat.type('/review\r');
  await chat.hasSeen('File 1 of 2: a.txt, modified');
  await chat.hasSeen('line 3, removed: line 3');
  chat.type('a');
  await chat.hasSeen('Hunk 2 of 2 of a.txt, not accepted:');
  chat.type('c');
  await chat.hasSeen('Type a comment on line 20');
  chat.type('why?\r');
  await chat.hasSeen('Comment on line 20: why?');
  chat.press('tab');
  await chat.hasSeen('File 2 of 2: new.txt, added');
});
