import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {agentOption, runHere, runProgram} from '../../../../support/program/run-program.ts';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';

/* No file that the program finds by itself blocks its start: pipes, devices and links are reported, and not waited for. */

function home() {
  const folder = temporaryFolder();
  const env = {
    ACP_TUI_CONFIG_DIR: join(folder, 'config'),
    ACP_TUI_STATE_DIR: join(folder, 'state'),
    ACP_TUI_DATA_DIR: join(folder, 'data'),
    ACP_TUI_CACHE_DIR: join(folder, 'cache'),
  };
  for (const name of ['config', 'state', 'data', 'cache', 'work', 'state/sessions'])
    mkdirSync(join(folder, name));
  return {folder, env, cwd: join(folder, 'work')};
}

const FILES = [
  'config/config.json',
  'work/.acp-tui.json',
  'work/.mcp.json',
  'state/trusted-folders.json',
  'state/mcp-servers.json',
  'state/sign-ins.json',
  'state/updates-told.json',
  'state/history.jsonl',
  'state/acp-tui.log',
  'state/acp-tui.sqlite',
  'state/sessions/abcdefghij.ndjson',
  'cache/registry.json',
];

const MAKES: readonly (readonly [name: string, make: (path: string) => void])[] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a link to itself', (path) => symlinkSync(path, path)],
  ['a folder', (path) => mkdirSync(path)],
];

describe.each(MAKES)('%s', (name, make) => {
  // Waiting for a pipe would stop the tests, too.
  const run = name === 'a pipe' ? runProgram : runHere;

  test('in place of every file that print mode reads does not block it', async () => {
    const {folder, env, cwd} = home();
    for (const file of FILES) make(join(folder, file));
    const prompt = ['-p', 'hello', agentOption('echo')];
    const refused = await run(prompt, {input: '', env, cwd});
    expect(refused).toMatchObject({exitCode: 2, stdout: ''});
    expect(refused.stderr).toMatch(/config\.json cannot be read/);
    const readable = {...env, ACP_TUI_CONFIG_DIR: join(folder, 'readable')};
    const untrusted = await run(prompt, {input: '', env: readable, cwd});
    expect(untrusted).toMatchObject({exitCode: 2, stdout: ''});
    expect(untrusted.stderr).toMatch(/trusted-folders\.json cannot be read/);
    rmSync(join(folder, 'state/trusted-folders.json'), {recursive: true});
    const ran = await run(prompt, {input: '', env: readable, cwd});
    expect(ran).toMatchObject({exitCode: 0, stdout: 'hello\n'});
    expect(ran.stderr).not.toMatch(/^\s+at |Unexpected error/m);
    for (const args of [
      ['sessions', 'list'],
      ['config', 'list'],
      ['agents', 'list'],
    ]) {
      const {stderr, exitCode} = await run(args, {input: '', env, cwd});
      expect([0, 1]).toContain(exitCode);
      expect(stderr).not.toMatch(/^\s+at |Unexpected error/m);
    }
  });

  test.each([
    ['replay', ['replay', 'odd', '--serve']],
    ['inspect', ['inspect', 'odd']],
    ['sessions import', ['sessions', 'import', 'odd']],
    ['-f', ['-p', 'x', '-f', 'odd', agentOption('echo')]],
  ])('is rejected by %s', async (_command, args) => {
    const {env, cwd} = home();
    make(join(cwd, 'odd'));
    const {exitCode, stderr} = await run(args, {input: '', env, cwd});
    expect([1, 2]).toContain(exitCode);
    expect(stderr).toMatch(/^acp-tui: Cannot use "[^"]*odd"\./);
  });
});

test.runIf(process.platform === 'linux').each(['/proc/nonesuch/state', '/dev/null', '/dev/null/state'])(
  'a state folder that cannot be created does not stop a run: %s',
  async (folder) => {
    const {env, cwd} = home();
    const args = ['-p', 'hello', agentOption('echo')];
    const run = await runHere(args, {input: '', env: {...env, ACP_TUI_STATE_DIR: folder}, cwd});
    expect(run).toEqual({exitCode: 0, stdout: 'hello\n', stderr: ''});
  },
);

test('names config.json that is a pipe, also when changing it', async () => {
  const {folder, env, cwd} = home();
  execFileSync('mkfifo', [join(folder, 'config', 'config.json')]);
  const run = await runProgram(['-p', 'hello', agentOption('echo')], {input: '', env, cwd});
  expect(run.stderr).toMatch(/config\.json cannot be read \(it is not a regular file\); no agent starts/);
  const set = await runProgram(['config', 'set', 'theme', 'light'], {input: '', env, cwd});
  expect(set).toMatchObject({exitCode: 2, stderr: expect.stringContaining('not a regular file')});
});

test('removes what a killed process left while it replaced settings', async () => {
  const {folder, env, cwd} = home();
  const config = join(folder, 'config');
  const old = new Date(Date.now() - 3_600_000);
  const ofOtherProcess = `config.json.${process.ppid}.0123abcd.tmp`;
  const abandoned = [ofOtherProcess, 'config.json.999999.0123abcd.tmp'];
  const others = ['config.json', 'notes.tmp', 'config.json.bak', `config.json.${process.pid}.0123abcd.tmp`];
  for (const name of [...abandoned, ...others]) writeFileSync(join(config, name), '{}');
  utimesSync(join(config, ofOtherProcess), old, old);
  await runHere(['-p', 'hello', agentOption('echo')], {input: '', env, cwd});
  expect(abandoned.filter((name) => existsSync(join(config, name)))).toEqual([]);
  expect(readdirSync(config)).toEqual(expect.arrayContaining(others));
});
