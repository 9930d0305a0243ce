import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {rename as renames} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {discard} from '../../../src/worktrees/discard-worktree.ts';
import {copyIgnored, outermost} from '../../../src/worktrees/copy-files.ts';
import {readRecords} from '../../../src/worktrees/worktree-record.ts';
import {leastCpuTimeOf} from '../../support/cpu-time.ts';
import {git, writeFiles} from '../../support/folders/snapshot-folder.ts';
import {trappedRepository} from '../../support/folders/trapped-repository.ts';
import {
  contentIn,
  setUpBy,
  worktreeRepository,
  worktreesIn,
  type WorktreeRepository,
} from '../../support/folders/worktree-repository.ts';

describe('a new worktree', () => {
  test('has the files as they are, on a branch of its own, and takes nothing from its source', async () => {
    const {source, create, write, git: inSource} = worktreeRepository();
    write({'a.txt': 'changed\n', 'staged.txt': 'new\n', 'untracked.txt': 'mine\n', '.env': 'KEY=2\n'});
    inSource('add', 'staged.txt');
    inSource('rm', '-q', 'b.txt');
    const before = inSource('status', '--porcelain');
    const created = await create({copy: ['.env']});
    expect(created).toMatchObject({ok: true, value: {record: {branch: 'acp-tui/fix', sourceBranch: 'main'}}});
    const {record, cwd, notices} = (created as Extract<typeof created, {ok: true}>).value;
    expect(cwd).toBe(record.folder);
    expect(contentIn(cwd, 'a.txt')).toBe('changed\n');
    expect(contentIn(cwd, 'untracked.txt')).toBe('mine\n');
    expect(contentIn(cwd, '.env')).toBe('KEY=2\n');
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false);
    expect(git(cwd, 'status', '--porcelain')).toBe(before);
    expect(inSource('status', '--porcelain')).toBe(before);
    expect(git(cwd, 'branch', '--show-current')).toBe('acp-tui/fix\n');
    expect(notices.join()).toContain('a.txt, b.txt, staged.txt, untracked.txt.');
    expect(inSource('worktree', 'list', '--porcelain')).toContain(
      `locked acp-tui: a session of process ${process.pid}`,
    );
    expect(contentIn(source, 'untracked.txt')).toBe('mine\n');
  });

  test('runs none of the programs that the repository names', async () => {
    const {scratch, state, root, create} = worktreeRepository();
    const folder = join(scratch, 'trapped');
    const {sprung} = trappedRepository(folder, join(scratch, 'marks'));
    writeFileSync(join(folder, 'tracked.txt'), 'changed\n');
    const created = await create({cwd: folder, state, root});
    expect(created).toMatchObject({ok: true});
    expect(sprung()).toEqual([]);
  });

  test('runs the set-up command, and says why it failed', async () => {
    const {create} = worktreeRepository();
    const created = await create({setUp: setUpBy('pwd > where; echo no such tool >&2; exit 3')});
    const {cwd, problems} = (created as Extract<typeof created, {ok: true}>).value;
    expect(contentIn(cwd, 'where')).toBe(`${cwd}\n`);
    expect(problems).toEqual(['The set-up command of the worktree failed: no such tool']);
  });
});

/** Prepares a folder, and returns the one that a session is started in. */
type Prepare = (repository: WorktreeRepository) => string;

const possible: readonly (readonly [
  what: string,
  prepare: Prepare,
  check: (cwd: string, notices: string) => void,
])[] = [
  [
    'a subfolder',
    ({source}) => join(source, 'sub'),
    (cwd) => {
      expect(cwd).toMatch(/\/project-[0-9a-f]{6}\/fix\/sub\/?$/);
      expect(contentIn(cwd, 'deep.txt')).toBe('deep\n');
      expect(contentIn(cwd, '../a.txt')).toBe('a1\na2\na3\n');
    },
  ],
  [
    'a worktree of a worktree',
    ({scratch, git: run}) => {
      run('worktree', 'add', '-q', '-b', 'other', join(scratch, 'linked'));
      writeFiles(join(scratch, 'linked'), {'a.txt': 'linked\n'});
      return join(scratch, 'linked');
    },
    (cwd) => expect(contentIn(cwd, 'a.txt')).toBe('linked\n'),
  ],
  [
    'a detached HEAD',
    ({source, git: run}) => {
      run('checkout', '-q', '--detach');
      return source;
    },
    (cwd) => expect(contentIn(cwd, 'b.txt')).toBe('b\n'),
  ],
  [
    'a sparse checkout',
    ({source, git: run}) => {
      // Copied files seem changed to git until it has looked.
      run('update-index', '-q', '--refresh');
      run('sparse-checkout', 'set', '--no-cone', '/a.txt', '/.gitignore');
      return source;
    },
    (cwd, notices) => {
      expect(contentIn(cwd, 'a.txt')).toBe('a1\na2\na3\n');
      expect(existsSync(join(cwd, 'b.txt'))).toBe(false);
      expect(git(cwd, 'status', '--porcelain')).toBe('');
      expect(notices).not.toContain('Uncommitted');
    },
  ],
  [
    'a changed .gitignore',
    ({source, write}) => {
      write({'.gitignore': '.env\nbuild/\n*.log\n', 'run.log': 'ignored now\n'});
      return source;
    },
    (cwd, notices) => {
      expect(existsSync(join(cwd, 'run.log'))).toBe(false);
      expect(notices).toContain(': .gitignore.');
    },
  ],
  [
    'submodules, one of them empty',
    ({scratch, source, git: run}) => {
      const module = join(scratch, 'module');
      writeFiles(module, {'m.txt': 'module\n'});
      git(module, 'init', '-q');
      git(module, 'add', '.');
      git(module, 'commit', '-q', '-m', 'module');
      run('submodule', 'add', '-q', module, 'full');
      run('submodule', 'add', '-q', module, 'empty');
      run('commit', '-q', '-m', 'modules');
      run('submodule', 'deinit', '-q', '-f', 'empty');
      return source;
    },
    (cwd, notices) => {
      expect(contentIn(cwd, 'full/m.txt')).toBe('module\n');
      expect(git(cwd, 'status', '--porcelain')).toBe('');
      expect(notices).toContain('Submodules have their files, without their history: full.');
      expect(notices).toContain('Submodules that are empty here, as in the source: empty.');
      expect(notices).not.toContain('Uncommitted');
    },
  ],
  [
    'tracked files whose folder is a link by now, which leads out',
    ({scratch, source, git: run, write}) => {
      write({'k/secret.txt': '', 'v/secret.txt': '', 'm/inner/x.txt': ''});
      run('add', '.');
      writeFiles(scratch, {'out/secret.txt': 'secret\n', 'out/inner/.git': 'gitdir: nowhere\n'});
      for (const name of ['k', 'v', 'm']) {
        rmSync(join(source, name), {recursive: true});
        symlinkSync('../out', join(source, name));
      }
      run('update-index', '--add', '--cacheinfo', `160000,${run('rev-parse', 'HEAD').trim()},k/inner`);
      write({'.git/info/exclude': '/k\n'});
      symlinkSync(join(scratch, 'out/secret.txt'), join(source, '.git/sharedindex.1'));
      return source;
    },
    (cwd) => {
      expect([existsSync(join(cwd, 'k')), readlinkSync(join(cwd, 'v'))]).toEqual([false, '../out']);
      const gitDir = git(cwd, 'rev-parse', '--absolute-git-dir').trim();
      expect(existsSync(join(gitDir, 'sharedindex.1'))).toBe(false);
    },
  ],
  [
    'a repository inside that is no submodule',
    ({source, write}) => {
      write({'inner/x.txt': 'x\n'});
      git(join(source, 'inner'), 'init', '-q');
      return source;
    },
    (_, notices) =>
      expect(notices).toContain('Not copied, since they are repositories of their own: inner/.'),
  ],
];

const refusedOnes: readonly (readonly [what: string, prepare: Prepare, why: string])[] = [
  ['a folder that is no repository', ({scratch}) => scratch, 'it is in no git repository'],
  [
    'a repository without commits',
    ({scratch}) => {
      mkdirSync(join(scratch, 'new'));
      git(join(scratch, 'new'), 'init', '-q');
      return join(scratch, 'new');
    },
    'its repository has no commits yet',
  ],
  [
    'a bare repository',
    ({scratch, source}) => {
      git(scratch, 'clone', '-q', '--bare', source, 'bare');
      return join(scratch, 'bare');
    },
    'it is a bare repository, or the git folder of one',
  ],
  [
    'the git folder of a repository',
    ({source}) => join(source, '.git'),
    'it is a bare repository, or the git folder of one',
  ],
  [
    'a repository whose work tree is another folder',
    ({source, scratch, git: run}) => {
      mkdirSync(join(scratch, 'elsewhere'));
      run('config', 'core.worktree', join(scratch, 'elsewhere'));
      return source;
    },
    'its repository has another folder as its work tree',
  ],
  [
    'a branch of that name',
    ({source, git: run}) => {
      run('branch', 'acp-tui/fix');
      return source;
    },
    'there is a branch acp-tui/fix already',
  ],
  [
    'conflicts',
    ({source, git: run, write}) => {
      run('checkout', '-q', '-b', 'other');
      write({'b.txt': 'other\n'});
      run('commit', '-qam', 'other');
      run('checkout', '-q', 'main');
      write({'b.txt': 'main\n'});
      run('commit', '-qam', 'main');
      expect(() => run('merge', 'other')).toThrow('merge other');
      return source;
    },
    'it has conflicts of a merge that are not resolved yet',
  ],
];

describe('a worktree for', () => {
  test.each(possible)('%s is made', async (_, prepare, check) => {
    const repository = worktreeRepository();
    const created = await repository.create({cwd: prepare(repository)});
    expect(created).toMatchObject({ok: true});
    const {cwd, notices, problems} = (created as Extract<typeof created, {ok: true}>).value;
    check(cwd, [...notices, ...problems].join('\n'));
  });

  test.each(refusedOnes)('%s is refused', async (_, prepare, why) => {
    const repository = worktreeRepository();
    const created = await repository.create({cwd: prepare(repository)});
    expect(created).toMatchObject({ok: false, failure: {kind: 'not_offered', why}});
    expect(readRecords(repository.state)).toEqual([]);
  });
});

test('pipes in a folder that is copied are left out, and an error of the file system is a refusal', async () => {
  const {source, scratch, create, write} = worktreeRepository();
  write({'build/out.txt': 'built\n'});
  execFileSync('mkfifo', [join(source, 'build/pipe')]);
  const created = await create({copy: ['build']});
  const {cwd} = (created as Extract<typeof created, {ok: true}>).value;
  expect([contentIn(cwd, 'build/out.txt'), existsSync(join(cwd, 'build/pipe'))]).toEqual(['built\n', false]);
  writeFileSync(join(scratch, 'file'), '');
  expect(await create({name: 'more', root: join(scratch, 'file')})).toMatchObject({
    ok: false,
    failure: {kind: 'not_offered'},
  });
});

test('of what is copied, the outermost paths are found in time in proportion to their number', () => {
  expect(outermost(['a/b/c', 'a/b', 'ab', 'd/a/b'])).toEqual(['a/b', 'ab', 'd/a/b']);
  const finding = (count: number) => {
    const paths = Array.from({length: count}, (_, index) => `src/${index}.o`);
    return leastCpuTimeOf(() => outermost(paths).length);
  };
  // More than twice as much for each path would not be linear.
  expect(finding(128_000)).toBeLessThan(2 * 8 * finding(16_000));
});

test('what is exchanged for a link while it is copied leads nowhere', async () => {
  const {source, scratch, write} = worktreeRepository();
  writeFiles(scratch, {'out/secret.txt': 'secret\n', 'out/deep/secret.txt': 'secret\n'});
  write({'build/f': '', 'build/d/secret.txt': '', 'build/d/deep/secret.txt': ''});
  symlinkSync(join(scratch, 'out/secret.txt'), join(source, 'build/lf'));
  symlinkSync(join(scratch, 'out'), join(source, 'build/ld'));
  const rename = (from: string, to: string) =>
    renames(join(source, 'build', from), join(source, 'build', to));
  const copying = new AbortController();
  async function exchange(one: string, other: string): Promise<void> {
    while (!copying.signal.aborted) {
      await rename(one, `${one}-`);
      await rename(other, one);
      await rename(`${one}-`, other);
    }
  }
  const exchanging = [exchange('f', 'lf'), exchange('d', 'ld')];
  const copies = Array.from({length: 40}, (_, index) => join(scratch, `copy-${index}`));
  for (const to of copies) {
    mkdirSync(to);
    await copyIgnored({from: source, to}, ['build']);
  }
  copying.abort();
  await Promise.all(exchanging);
  const secrets = execFileSync('find', [...copies, '-type', 'f', '-size', '+0'], {encoding: 'utf8'});
  expect(secrets).toBe('');
});

test('a name is used once in a repository, and one from a prompt gets a number', async () => {
  const {create, made} = worktreeRepository();
  await made();
  expect(await create()).toMatchObject({ok: false, failure: {why: expect.stringContaining('"fix" already')}});
  const prompt = 'Räum die Tests auf, bitte sofort und ganz!';
  expect((await made({name: undefined, prompt})).branch).toBe('acp-tui/raum-die-tests-auf-bitte');
  expect((await made({name: undefined, prompt})).branch).toBe('acp-tui/raum-die-tests-auf-bitte-2');
});

test('a repository of the same name does not get the folder of a worktree that was removed', async () => {
  const {source, scratch, made, state, git: run} = worktreeRepository();
  const first = await made();
  await discard(state, first);
  const other = join(scratch, 'other', 'project');
  run('clone', '-q', source, other);
  expect((await made({cwd: other})).folder).not.toBe(first.folder);
});

test.each(['add', 'ready'])('that fails at "%s" leaves nothing', async (step) => {
  const {create, state, source, git: run, root} = worktreeRepository();
  await expect(
    create({
      onStep(at) {
        if (at === step) throw new Error('no');
      },
    }),
  ).rejects.toThrow('no');
  expect(readRecords(state)).toEqual([]);
  expect(run('branch', '--list', 'acp-tui/*')).toBe('');
  expect(run('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(worktreesIn(root)).toEqual({});
  expect(readFileSync(join(source, 'a.txt'), 'utf8')).toBe('a1\na2\na3\n');
});
