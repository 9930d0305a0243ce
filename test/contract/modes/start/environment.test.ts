import {execFile} from 'node:child_process';
import {mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {environmentProblem} from '../../../../src/modes/start/environment.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {PROGRAM, runProgram} from '../../../support/program/run-program.ts';

const MODES: readonly (readonly string[])[] = [
  ['-p', 'hi', '--agent', 'demo'],
  ['-b', 'hi', '--agent', 'demo'],
  ['-p', 'hi', '--agent', 'demo', '-C', '/'],
  ['acp', '--agent', 'demo'],
  ['agents'],
  ['config'],
  ['doctor', '--agent', 'demo'],
  ['review'],
  ['serve', '--agent', 'demo'],
  ['sessions'],
];

describe('what cannot be run in', () => {
  it.each(MODES)('ends with 2 and one sentence in a folder that was removed: %s %s', async (...args) => {
    const folder = mkdtempSync(join(tmpdir(), 'acp-tui-removed-'));
    const line = 'cd "$0" && rmdir "$0" && exec "$@"';

    const ended = await new Promise<readonly [code: unknown, stdout: string, stderr: string]>((resolve) => {
      const words = ['-c', line, folder, process.execPath, PROGRAM, ...args];
      execFile('/bin/sh', words, (error, stdout, stderr) => resolve([error?.code, stdout, stderr]));
    });

    expect(ended).toEqual([
      2,
      '',
      'acp-tui: Cannot use the working folder, because it was removed: change to another one with cd.\n',
    ]);
  });

  it('is said at the start of the program, and not of a question about itself', async () => {
    const env = {HOME: ''};

    expect(await runProgram(['sessions'], {env, input: ''})).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'acp-tui: Cannot use HOME, because it is empty: set it to your home folder.\n',
    });
    expect(await runProgram(['--help'], {env, input: ''})).toMatchObject({exitCode: 0, stderr: ''});
  });

  it('is a user of whom the system knows no home folder', async () => {
    const preloaded = join(temporaryFolder(), 'unknown.cjs');
    writeFileSync(
      preloaded,
      `const os = require('node:os');
      const {homedir} = os;
      delete process.env.HOME;
      os.homedir = () => {
        if (process.env.HOME === undefined) throw new Error('no entry');
        return homedir();
      };
      require('node:module').syncBuiltinESMExports();`,
    );
    const env = {NODE_OPTIONS: `--require ${preloaded}`};

    expect(await runProgram(['sessions'], {env, input: ''})).toMatchObject({
      exitCode: 2,
      stderr: 'acp-tui: Cannot use HOME, because it is empty: set it to your home folder.\n',
    });
  });

  it.each([
    [{HOME: 'home'}, 'Cannot use HOME, because it is the relative path "home": set it to your home folder.'],
    [
      {ACP_TUI_STATE_DIR: './state'},
      'Cannot use ACP_TUI_STATE_DIR, because it is the relative path "./state": set it to an absolute one, or unset it.',
    ],
  ])('is a relative path of a folder: %o', (env, problem) => {
    expect(environmentProblem(env)).toBe(problem);
  });

  it.runIf(process.platform === 'linux').each(['CONFIG', 'STATE', 'DATA', 'CACHE'])(
    'is a relative path in XDG_%s_HOME',
    (name) => {
      expect(environmentProblem({[`XDG_${name}_HOME`]: 'x\ny'})).toBe(
        `Cannot use XDG_${name}_HOME, because it is the relative path "x\\ny": set it to an absolute one, or unset it.`,
      );
    },
  );

  it.runIf(process.platform !== 'win32').each(['TMPDIR', 'TMP', 'TEMP'])(
    'is a relative path of the folder for temporary files: %s',
    (name) => {
      expect(environmentProblem({[name]: 'tmp', TEMP: 'tmp'})).toBe(
        `Cannot use ${name}, because it is the relative path "tmp": set it to an absolute one, or unset it.`,
      );
    },
  );

  it('is no variable that is unset, nor a folder that is empty', () => {
    expect(environmentProblem({})).toBeUndefined();
    expect(environmentProblem({HOME: '/home/me', XDG_STATE_HOME: '', ACP_TUI_CACHE_DIR: ''})).toBeUndefined();
    expect(environmentProblem({TMPDIR: '/tmp', TMP: 'unused'})).toBeUndefined();
    expect(environmentProblem({TMPDIR: ''})).toBeUndefined();
  });
});
