import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {fakeAgent, openReady, say, type Chat} from '../../../support/driver/chat.ts';

const git = (chat: Chat, ...args: readonly string[]) =>
  execFileSync('git', ['-C', chat.cwd, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
    encoding: 'utf8',
  }).trim();

/** A chat after its first turn in a repository with a commit, in which two files have changed since. */
async function changed(answer: string, before: (folder: string) => void = () => {}): Promise<Chat> {
  const turns = [[{update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: answer}}}]];
  const chat = await openReady({
    agent: fakeAgent('script', JSON.stringify({turns})),
    columns: 100,
    rows: 30,
    snapshots: true,
  });
  writeFileSync(path.join(chat.cwd, 'a.txt'), 'one\n');
  git(chat, 'init', '-q');
  git(chat, 'config', 'user.name', 'Ann');
  git(chat, 'config', 'user.email', 'ann@example.org');
  writeFileSync(path.join(chat.cwd, 'c.txt'), 'old\n');
  git(chat, 'add', 'a.txt', 'c.txt');
  git(chat, 'commit', '-qm', 'First');
  before(chat.cwd);
  await say(chat, 'hello');
  writeFileSync(path.join(chat.cwd, 'a.txt'), 'two\n');
  writeFileSync(path.join(chat.cwd, 'b.txt'), 'new\n');
  return chat;
}

test('what is accepted is committed with a typed message after a yes, and nothing else', async () => {
  const chat = await changed('Hi.');
  const hooks = path.join(chat.cwd, '.git/hooks');
  mkdirSync(hooks, {recursive: true});
  writeFileSync(path.join(hooks, 'pre-commit'), '#!/bin/sh\ntouch ran\n', {mode: 0o755});
  chat.type('/review\r');
  await chat.sees('Review 2 files');
  chat.type('A');
  await chat.sees(/M a\.txt +│[^\n]*\n +accepted/);
  chat.type('C');
  await chat.sees('Commit message (empty: the agent writes it):');
  chat.type('Change a\r');
  await chat.sees('Commit 1 file?');
  await chat.sees('Files: a.txt');
  await chat.sees('git runs these hooks, outside of any sandbox: .git/hooks/pre-commit');
  await chat.sees('Changed since this session began, perhaps by the agent:');
  expect(git(chat, 'log', '--format=%s')).toBe('First');
  await chat.sees('Commit 1 file, and run what has changed');
  await chat.sees('why am I asked');
  chat.type('y');
  await chat.hasSeen(/\[\w+ [\da-f]+\] Change a\n/);
  expect(git(chat, 'log', '--format=%s')).toBe('Change a\nFirst');
  expect(git(chat, 'show', '--name-only', '--format=')).toBe('a.txt');
  expect(git(chat, 'status', '--porcelain')).toContain('?? b.txt');
  expect(git(chat, 'status', '--porcelain')).toContain('?? ran');
});

test('what was changed before the session is named, and what is staged is committed, too', async () => {
  const chat = await changed('Hi.', (folder) => writeFileSync(path.join(folder, 'a.txt'), 'mine\n'));
  writeFileSync(path.join(chat.cwd, '.git/included'), '[core]\n');
  git(chat, 'config', 'include.path', 'included');
  git(chat, 'add', 'b.txt');
  git(chat, 'rm', '-q', 'c.txt');
  chat.type('/review\r');
  await chat.sees('Review 3 files');
  chat.type('A');
  await chat.sees(/M a\.txt +│[^\n]*\n +accepted/);
  chat.type('A');
  await chat.sees(/A b\.txt +│[^\n]*\n +accepted/);
  chat.type('A');
  await chat.sees(/D c\.txt +│[^\n]*\n +accepted/);
  chat.type('C');
  await chat.sees('Commit message');
  chat.type('Change all\r');
  await chat.sees('Commit 3 files?');
  await chat.sees('Files: a.txt, b.txt, c.txt');
  await chat.sees('Not as in the last commit when this session began');
  await chat.sees('may be committed with them: a.txt');
  await chat.sees('.git/included');
  await chat.sees('why am I asked');
  chat.type('y');
  await chat.hasSeen(/\[\w+ [\da-f]+\] Change all\n/);
  expect(git(chat, 'log', '--format=%s')).toBe('Change all\nFirst');
  expect(git(chat, 'show', '--name-status', '--format=')).toBe('M\ta.txt\nA\tb.txt\nD\tc.txt');
});

test('the agent writes the message, which is asked about first', async () => {
  const chat = await changed('```\nChange a\n\nSince it was one.\n```');
  chat.type('/review\r');
  await chat.sees('Review 2 files');
  chat.type('A');
  await chat.sees(/M a\.txt +│[^\n]*\n +accepted/);
  chat.type('C');
  await chat.sees('Commit message');
  chat.press('enter');
  await chat.sees('Commit 1 file?');
  await chat.sees('Since it was one.');
  await chat.sees('Do not commit');
  expect(git(chat, 'log', '--format=%s')).toBe('First');
});
