import {execFileSync, spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {ASKS, PAINTED, READY} from '../../../bench/programs.ts';

const bench = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['bench/run.ts', ...args], {encoding: 'utf8'});

test('--help lists the names, and an unknown one is an error; both run nothing', () => {
  const help = bench('--help');
  expect(help).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^npm run bench .*Names: startup, /s),
  });
  expect(help.stdout).not.toContain('cores');
  expect(bench('idel')).toMatchObject({status: 2, stdout: '', stderr: expect.stringContaining('"idel"')});
});

test.each([PAINTED, READY, ASKS])('"%s", which it waits for, is a text of the screen', (text) => {
  const files = execFileSync('git', ['grep', '-lF', text, '--', 'src', 'components'], {encoding: 'utf8'});
  expect(files).not.toBe('');
});
