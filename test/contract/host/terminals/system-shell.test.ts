import {chmod, copyFile, mkdir, symlink, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {isSystemShell} from '../../../../src/host/terminals/system-shell.ts';
import {useSandbox} from '../sandbox.ts';

const sandbox = useSandbox();
const PATH = '/usr/local/bin:/usr/bin:/bin';

const isShell = (word: string, path: string | undefined = PATH) =>
  isSystemShell(word, {cwd: sandbox.root, path});

async function ownProgram(name: string): Promise<string> {
  const file = `${sandbox.root}/${name}`;
  await writeFile(file, '#!/bin/sh\ntouch ran\n');
  await chmod(file, 0o755);
  return file;
}

describe('a system shell', () => {
  test.each(['sh', '/bin/sh', '/usr/bin/../bin/sh', 'bash', '/bin/bash'])('is %s', (word) => {
    expect(isShell(word)).toBe(true);
  });

  test('is one through a link to it', async () => {
    await symlink('/bin/sh', `${sandbox.root}/sh`);
    expect(isShell('./sh')).toBe(true);
  });

  test('is found without a PATH', () => {
    expect(isSystemShell('sh', {cwd: sandbox.root, path: undefined})).toBe(true);
  });
});

describe('no system shell', () => {
  test.each(['ls', '/bin/ls', 'evilsh', '', './sh', '/nowhere/sh'])('is "%s"', (word) => {
    expect(isShell(word)).toBe(false);
  });

  test("is a user's program of that name, however it is called", async () => {
    const file = await ownProgram('sh');
    for (const word of ['./sh', file, 'sh']) expect(isShell(word, `${sandbox.root}:${PATH}`)).toBe(false);
    for (const path of [`:${PATH}`, `.:${PATH}`]) expect(isShell('sh', path)).toBe(false);
  });

  test('is a copy of one, which its owner can change', async () => {
    await mkdir(`${sandbox.root}/bin`);
    await copyFile('/bin/sh', `${sandbox.root}/bin/sh`);
    await chmod(`${sandbox.root}/bin/sh`, 0o755);
    expect(isShell('bin/sh')).toBe(false);
  });

  test('is a link of that name to something else', async () => {
    await symlink('/bin/ls', `${sandbox.root}/sh`);
    expect(isShell('./sh')).toBe(false);
  });
});
