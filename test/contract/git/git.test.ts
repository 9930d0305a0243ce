import {execFileSync, spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {gitBranch} from '../../../src/git/git-branch.ts';
import {createFileFinder} from '../../../src/search/finder.ts';
import {gitFiles, readWithGit} from '../../../src/git/git.ts';
import {trappedRepository} from '../../support/folders/trapped-repository.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

let scratch: string;
let folder: string;
beforeEach(() => {
  scratch = realpathSync(temporaryFolder());
  folder = join(scratch, 'repository');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const paths = async (root: string) =>
  (await createFileFinder({cwd: root, additionalDirectories: []}).find('')).map(({path}) => path);

describe('a repository that names a program in every setting that takes one', () => {
  test('runs one of them when git itself is run, so the traps are real', () => {
    const {sprung} = trappedRepository(folder, join(scratch, 'marks'));
    // Of the same size, so that its content must be compared.
    writeFileSync(join(folder, 'sub/deep.txt'), 'SUB/deep.txt\n');
    spawnSync('git', ['status'], {cwd: folder, stdio: 'ignore'});
    expect(sprung()).toContain('core-fsmonitor');
    expect(sprung()).toContain('filter--trap--process');
  });

  test('runs none of them when its files are listed and its branch is read', async () => {
    const {sprung} = trappedRepository(folder, join(scratch, 'marks'));
    vi.stubEnv('PATH', `.:${folder}:${process.env['PATH']}`);
    expect(await gitFiles(folder)).toContain('tracked.txt');
    expect(await gitFiles(folder)).not.toContain('gone.txt');
    expect(await gitFiles(join(folder, 'sub'))).toEqual(['deep.txt']);
    expect(gitBranch(folder)).toMatch(/^ma/);
    expect(sprung()).toEqual([]);
  });

  test.each(['2', '4'])('runs none of them with an index of version %s', async (version) => {
    const {sprung} = trappedRepository(folder, join(scratch, 'marks'), [
      ['update-index', '--index-version', version],
    ]);
    expect(await gitFiles(folder)).toContain('sub/deep.txt');
    expect(sprung()).toEqual([]);
  });

  describe('and lacks what its sparse index refers to', () => {
    const commands = [['sparse-checkout', 'init', '--cone', '--sparse-index']];
    const loseObjects = () => {
      for (const name of readdirSync(join(folder, '.git/objects')).filter((each) => each.length === 2))
        rmSync(join(folder, '.git/objects', name), {recursive: true});
    };

    test('runs one of them when git itself is run', () => {
      const {sprung} = trappedRepository(folder, join(scratch, 'marks'), commands);
      loseObjects();
      spawnSync('git', ['ls-files'], {cwd: folder, stdio: 'ignore'});
      expect(sprung()).toContain('url');
    });

    test('runs none of them when its files are listed', async () => {
      const {sprung} = trappedRepository(folder, join(scratch, 'marks'), commands);
      loseObjects();
      expect(await paths(folder)).toContain('tracked.txt');
      expect(sprung()).toEqual([]);
    });
  });

  test('runs none of them from a folder whose .git leads there', async () => {
    const {sprung} = trappedRepository(folder, join(scratch, 'marks'));
    const other = join(scratch, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'own.txt'), '');
    writeFileSync(join(other, '.git'), `gitdir: ${join(folder, '.git')}\n`);
    expect(await paths(other)).toContain('own.txt');
    expect(gitBranch(other)).toMatch(/^ma/);
    expect(sprung()).toEqual([]);
  });

  test('is walked instead of listed if it is a bare one among ordinary files', async () => {
    const {sprung} = trappedRepository(folder, join(scratch, 'marks'));
    const bare = join(scratch, 'bare');
    cpSync(join(folder, '.git'), bare, {recursive: true});
    execFileSync('git', ['config', '-f', join(bare, 'config'), 'core.worktree', '.']);
    execFileSync('git', ['config', '-f', join(bare, 'config'), 'core.bare', 'false']);
    expect(await gitFiles(bare)).toBeUndefined();
    expect(await paths(bare)).toContain('HEAD');
    expect(sprung()).toEqual([]);
  });
});

test('a repository that git does not trust is walked', async () => {
  trappedRepository(folder, join(scratch, 'marks'));
  // What git's own tests use for such failures.
  vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
  expect(await gitFiles(folder)).toBeUndefined();
  expect(await paths(folder)).toContain('tracked.txt');
});

describe('the branch', () => {
  const withHead = (head: string) => {
    mkdirSync(join(folder, '.git'), {recursive: true});
    writeFileSync(join(folder, '.git/HEAD'), head);
    return gitBranch(folder);
  };

  test.each([
    ['a branch', 'ref: refs/heads/feature/x\n', 'feature/x'],
    ['a detached commit', '0123456789abcdef0123456789abcdef01234567\n', '0123456'],
    ['a name without a line end', `ref: refs/heads/${'x'.repeat(100_000)}\n`, 'x'.repeat(250)],
    ['something else', '\u001b]0;title\u0007\n', undefined],
  ])('is read from a HEAD with %s', (_what, head, branch) => {
    expect(withHead(head)).toBe(branch);
  });

  test('contains no control characters', () => {
    expect(withHead('ref: refs/heads/a\u001b[2Jb\u202ec\n')).not.toMatch(/[\u001b\u202e]/);
  });

  test('is not waited for when HEAD is a pipe', () => {
    mkdirSync(join(folder, '.git'), {recursive: true});
    execFileSync('mkfifo', [join(folder, '.git/HEAD')]);
    expect(gitBranch(folder)).toBeUndefined();
  });
});

test('ignore rules are not waited for when they are a pipe', async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.txt'), '');
  execFileSync('mkfifo', [join(folder, '.gitignore')]);
  expect(await paths(folder)).toContain('a.txt');
});

test('git is run in one place', () => {
  const src = fileURLToPath(new URL('../../../src', import.meta.url));
  const running = readdirSync(src, {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.ts') && !file.startsWith('demo/'))
    .filter((file) => {
      const text = readFileSync(join(src, file), 'utf8');
      return /node:child_process|['"](?:execa|@lydell\/node-pty)['"]/.test(text) && /['"`]git\b/.test(text);
    });
  expect(running).toEqual(['git/git.ts']);
});

test('says how long it took if it is stopped', async () => {
  const bin = join(scratch, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), '#!/bin/sh\nexec sleep 60\n', {mode: 0o755});
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
  mkdirSync(folder);
  expect(await readWithGit(folder, ['version'], {timeoutMs: 100})).toEqual({
    ok: false,
    isMissing: false,
    problem: 'it took longer than 0.1 s',
  });
});
