import {execFileSync} from 'node:child_process';
import {existsSync, lstatSync, symlinkSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {
  fakeAgent,
  openShell,
  PROGRAM,
  quoted,
  READY,
  temporaryFolder,
  untilTurnsEnd,
  type Chat,
} from '../../support/driver/chat.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Sends a prompt to the program in the shell, and quits. */
async function converse(shell: Chat): Promise<void> {
  await shell.sees(READY);
  shell.type('hello\r');
  await untilTurnsEnd(shell);
  await shell.hasSeen(/▌ hello\n\n {2}hello\n/);
  shell.press('ctrl+d');
  await shell.sees(/\n\$$/);
}

test('an installed package runs through the link that npm makes', async () => {
  const folder = temporaryFolder('installed');
  const run = (...args: readonly string[]) =>
    execFileSync('npm', [...args, '--ignore-scripts', '--silent'], {cwd: root, encoding: 'utf8'});
  // Not rebuilt: other tests use the build.
  const packed = run('pack', '--pack-destination', folder).trim();
  run('install', '--global', '--prefix', folder, '--offline', path.join(folder, packed));
  const link = path.join(folder, 'bin/acp-tui');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  const shell = await openShell({env: {PATH: `${path.dirname(link)}:${process.env['PATH']}`}});
  shell.type(`acp-tui --agent ${quoted([fakeAgent('echo')])}\r`);
  await converse(shell);
});

test('the program of a checkout runs through a link from elsewhere', async () => {
  const link = path.join(temporaryFolder('link'), 'chat');
  symlinkSync(PROGRAM, link);
  const shell = await openShell();
  shell.type(`${link} --agent ${quoted([fakeAgent('echo')])}\r`);
  await converse(shell);
});

/** A Node that is too old for the program, if this machine has one. */
function olderNode(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/local/bin', '/usr/bin'];
  return folders
    .map((folder) => path.join(folder, 'node'))
    .filter((file) => existsSync(file))
    .find((file) => {
      const [major = 0, minor = 0] = execFileSync(file, ['-p', 'process.versions.node'], {encoding: 'utf8'})
        .split('.')
        .map(Number);
      return major < 22 || (major === 22 && minor < 16);
    });
}

test('under an older Node a checkout uses its own', async (context) => {
  const node = olderNode();
  if (node === undefined) return context.skip('this machine has no older Node');
  const shell = await openShell();
  shell.type(`${quoted([node, PROGRAM, '--agent', fakeAgent('echo')])}; echo left with $?\r`);
  await converse(shell);
  await shell.hasSeen('left with 0');
});

test('one Ctrl+C under an older Node counts once', async (context) => {
  const node = olderNode();
  if (node === undefined) return context.skip('this machine has no older Node');
  const shell = await openShell();
  const agent = fakeAgent('ignores-cancel', '100');
  shell.type(`${quoted([node, PROGRAM, '-p', 'go', '--agent', agent])}; echo left with $?\r`);
  await shell.hasSeen(/\nstarted/);
  shell.press('ctrl+c');
  // After the second one, nothing more is waited for.
  await shell.hasSeen(/more 99\s+left with 130/);
});
