import {execFile} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {
  environment,
  fakeAgent,
  openReady,
  PROGRAM,
  type Chat,
  promptWith,
  newHome,
} from '../../../support/driver/chat.ts';
import {askToRun, openPuppet} from '../../../support/driver/puppet.ts';

const TYPED = 'typed-secret';
const RECEIVED = 'received-secret';

/** The files below a home that contain any text that was typed or received. */
function leaks(home: string): readonly string[] {
  return readdirSync(home, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /(?:typed|received)-secret/.test(readFileSync(file, 'latin1')));
}

/** A chat that stores nothing, with an example of everything that could be stored. */
async function sayMuch(): Promise<Chat> {
  const chat = await openPuppet({args: ['--no-save', '--approve', 'all'], ownProcess: true});
  chat.type(`${TYPED} first\r`);
  await chat.sees('Working…');
  chat.report({say: `${RECEIVED} ${'and more '.repeat(1000)}\n\nthe end\n\n`}, askToRun(`echo ${RECEIVED}`));
  await chat.hasSeen('request: yes');
  chat.type(`${TYPED} queued\r`);
  await chat.sees(`then  ${TYPED} queued`);
  chat.type(`${TYPED} draft`);
  await chat.sees(promptWith(`${TYPED} draft`));
  return chat;
}

test.each(['SIGTERM', 'SIGKILL'] as const)('--no-save leaves nothing behind after %s', async (signal) => {
  const chat = await sayMuch();
  chat.signal(signal);
  await chat.ended();
  const {home, cwd} = chat;
  expect(leaks(home)).toEqual([]);
  // No earlier draft, queue or session.
  const next = await openReady({home, cwd, agent: fakeAgent('echo')});
  await expect.poll(() => next.screen()).not.toMatch(/interrupted|queued|secret/);
});

test('-p --no-save leaves nothing behind, unlike -p', async () => {
  const run = async (...args: readonly string[]) => {
    const home = newHome();
    const line = [PROGRAM, '-p', TYPED, '--agent', fakeAgent('echo'), ...args];
    await promisify(execFile)(process.execPath, line, {cwd: home, env: environment(home)});
    return leaks(home);
  };
  expect(await run('--no-save')).toEqual([]);
  expect(await run()).not.toEqual([]);
});
