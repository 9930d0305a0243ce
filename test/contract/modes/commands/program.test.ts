import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runHere} from '../../../support/program/run-program.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

test('lists, shows and finds what a print-mode run stored', async () => {
  const folder = temporaryFolder();
  const run = (...args: string[]) =>
    runHere(args, {cwd: folder, env: {ACP_TUI_STATE_DIR: join(folder, 'state')}});
  expect(await run('-p', '--agent', 'demo', 'What about whales?')).toMatchObject({exitCode: 0});
  const listed = await run('sessions', '--help');
  expect(listed).toMatchObject({exitCode: 0, stderr: ''});
  expect(await run('sessions')).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('1 print-mode run hidden; --runs'),
  });
  const {stdout} = await run('sessions', '--runs');
  const [id = ''] = stdout.split(' ');
  expect(stdout).toContain('What about whales?');
  expect((await run('sessions', 'show', id)).stdout).toContain('> What about whales?');
  expect((await run('sessions', 'search', 'whales')).stdout).toContain(id);
  expect(await run('sessions', 'show', 'zz')).toMatchObject({exitCode: 4, stdout: ''});
});

test('acp-tui usage counts what a print-mode run used', async () => {
  const folder = temporaryFolder();
  const run = (...args: string[]) =>
    runHere(args, {cwd: folder, env: {ACP_TUI_STATE_DIR: join(folder, 'state')}});
  expect(await run('usage')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('No turns in 30 days') as string,
  });
  expect(await run('-p', '--agent', 'demo', 'hello')).toMatchObject({exitCode: 0});
  const {stdout} = await run('usage', '--json', '--days', '1');
  expect(JSON.parse(stdout)).toMatchObject({v: 1, rows: [{folder, turns: 1}]});
  expect((await run('usage')).stdout).toMatch(/^Folder /m);
});
