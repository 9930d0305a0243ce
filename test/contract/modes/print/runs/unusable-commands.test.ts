import {mkdirSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';
import {agentOption, runHere} from '../../../../support/program/run-program.ts';

/** Runs prompts of an agent that repeats them, with a command file below the configuration folder or the working folder. */
function runWith(file: string, text: string) {
  const folder = temporaryFolder();
  const [config, cwd, path] = [join(folder, 'config'), join(folder, 'cwd'), join(folder, file)];
  mkdirSync(cwd);
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, text);
  const env = {ACP_TUI_CONFIG_DIR: config};
  return (prompt: string, input = '') => runHere(['-p', agentOption('echo'), prompt], {cwd, env, input});
}

test.each([
  ['config/commands/gbad.md', '', /gbad\.md"\. It has no prompt\.\n$/],
  ['config/commands/big.md', 'x'.repeat(70_000), /larger than 64 KiB\.\n$/],
  ['config/commands/a.b.md', 'Do it.', /its name needs letters/i],
  ['cwd/.acp-tui/commands/it.md', 'Do it.', /are not trusted/],
])('a prompt that calls a file which cannot be used is not sent: %s', async (file, text, reason) => {
  const run = runWith(file, text);
  const name = basename(file, '.md');
  const {exitCode, stdout, stderr} = await run(`/${name} a`);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(reason);
  expect(await run(`//${name} a`)).toMatchObject({exitCode: 0, stdout: `/${name} a\n`});
});

test('a prompt that begins with a path is sent', async () => {
  const run = runWith('config/commands/gbad.md', '');
  expect(await run('/gbad/x is empty')).toMatchObject({exitCode: 0, stdout: '/gbad/x is empty\n'});
});

test('a prompt that comes through a pipe alone calls a command, as it does with -b', async () => {
  const unusable = runWith('config/commands/gbad.md', '');
  expect(await unusable('-', '/gbad a\n')).toMatchObject({exitCode: 2, stdout: ''});
  const usable = runWith('config/commands/ok.md', 'Do $1.');
  expect(await usable('-', '/ok it\n')).toMatchObject({exitCode: 0, stdout: 'Do it.\n'});
  const behind = await usable('/ok it', '/ok that\n');
  expect(behind).toMatchObject({exitCode: 0});
  expect(behind.stdout).toContain('Do it.');
});
