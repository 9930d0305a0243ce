import {execFileSync} from 'node:child_process';
import path from 'node:path';
import {expect, test} from 'vitest';
import {trappedRepository} from '../../../support/folders/trapped-repository.ts';
import {
  environment,
  fakeAgent,
  openReady,
  PROGRAM,
  temporaryFolder,
  say,
} from '../../../support/driver/chat.ts';

function trapped() {
  const home = temporaryFolder('home');
  const cwd = path.join(home, 'project');
  return {home, cwd, ...trappedRepository(cwd, path.join(home, 'marks'))};
}

test('starting, completing a file and /review turn run nothing that a repository names', async () => {
  const {home, cwd, sprung} = trapped();
  const env = {PATH: `.:${process.env['PATH']}`};
  const args = ['--approve', 'edits'];
  const chat = await openReady({agent: fakeAgent('fs'), args, home, cwd, env});
  await chat.sees(/project {2}ma\w+/);
  chat.type('@trac');
  await chat.sees('tracked.txt');
  chat.press('escape');
  await chat.noLongerSees('tracked.txt');
  chat.press('ctrl+c');
  await chat.noLongerSees('@trac');
  await say(chat, 'write notes.txt theirs');
  chat.type('/review turn\r');
  await chat.sees('Review 1 file');
  expect(sprung()).toEqual([]);
});

test('doctor runs nothing that a repository names', () => {
  const {home, cwd, sprung} = trapped();
  const args = [PROGRAM, 'doctor', fakeAgent('echo')];
  const env = {...environment(home), PATH: `.:${process.env['PATH']}`};
  const options = {cwd, env, encoding: 'utf8', input: ''} as const;
  expect(execFileSync(process.execPath, args, options)).toContain('violates the protocol');
  expect(sprung()).toEqual([]);
});

test('a print-mode run with a file runs nothing that a repository names', () => {
  const {home, cwd, sprung} = trapped();
  const args = [PROGRAM, '--agent', fakeAgent('echo'), '-p', 'read @tracked.txt'];
  const options = {cwd, env: environment(home), encoding: 'utf8', input: ''} as const;
  expect(execFileSync(process.execPath, args, options)).toContain('read');
  expect(sprung()).toEqual([]);
});
