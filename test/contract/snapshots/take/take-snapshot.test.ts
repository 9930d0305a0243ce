import {execFileSync, spawnSync} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {initialFacts} from '../../../../src/snapshots/facts.ts';
import {storeObject} from '../../../../src/snapshots/objects.ts';
import {createRepository} from '../../../../src/snapshots/repository.ts';
import {writeSnapshot} from '../../../../src/snapshots/take/take-snapshot.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {trappedRepository} from '../../../support/folders/trapped-repository.ts';
import {
  everythingIn,
  git,
  snapshotFolder,
  writeFiles,
  type SnapshotFolder,
} from '../../../support/folders/snapshot-folder.ts';

const inRepository = (folder: string) => void git(folder, 'init', '-q', '-b', 'main');

describe.each([
  ['a folder without git', () => {}],
  ['a git repository', inRepository],
])('%s', (_what, prepare) => {
  test('shows what was added, changed, deleted, renamed, linked and made executable', async () => {
    const {folder, write, take, changes} = await snapshotFolder(prepare);
    const long = 'line\n'.repeat(20);
    write({
      'changed.txt': 'a\n',
      'gone.txt': 'b\n',
      'old.txt': long,
      'run.sh': 'c\n',
      'to-link': 'd',
      'sub/x': 'e',
    });
    const before = await take();
    write({'changed.txt': 'A\n', 'new/deep.txt': 'f\n'});
    rmSync(join(folder, 'gone.txt'));
    renameSync(join(folder, 'old.txt'), join(folder, 'new.txt'));
    chmodSync(join(folder, 'run.sh'), 0o755);
    rmSync(join(folder, 'to-link'));
    symlinkSync('sub/x', join(folder, 'to-link'));
    symlinkSync('nowhere', join(folder, 'dangling'));
    expect(await changes(before, await take())).toEqual(
      [
        'M changed.txt',
        'A dangling',
        'D gone.txt',
        'A new/deep.txt',
        'R new.txt',
        'M run.sh',
        'T to-link',
      ].sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1)),
    );
  });

  test('is the same snapshot as long as nothing changes', async () => {
    const {write, take} = await snapshotFolder(prepare);
    expect(await take()).toBe(await take());
    write({'a.txt': 'a'});
    const id = await take();
    expect(await take()).toBe(id);
    write({'a.txt': 'b'});
    expect(await take()).not.toBe(id);
    write({'a.txt': 'a'});
    expect(await take()).toBe(id);
  });

  test('leaves out ignored files', async () => {
    const {write, take, changes} = await snapshotFolder(prepare);
    const empty = await take();
    write({'.gitignore': '*.log\nbuild/\n', 'a.log': '', 'build/b': '', 'kept.txt': ''});
    expect(await changes(empty, await take())).toEqual(['A .gitignore', 'A kept.txt']);
  });

  test('handles a file in place of a folder, and vice versa', async () => {
    const {folder, write, take, changes} = await snapshotFolder(prepare);
    write({'one/a': '1', 'one/b': '2', two: '3'});
    const before = await take();
    rmSync(join(folder, 'one'), {recursive: true});
    rmSync(join(folder, 'two'));
    write({one: 'x', 'two/c': 'y'});
    const between = await take();
    expect(await changes(before, between)).toEqual(['A one', 'D one/a', 'D one/b', 'D two', 'A two/c']);
    rmSync(join(folder, 'one'));
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync('elsewhere', join(folder, 'one'));
    expect(await changes(between, await take())).toEqual(['T one']);
  });

  test('records permissions that git does not keep', async () => {
    const {folder, write, take, compare} = await snapshotFolder(prepare);
    write({'private.txt': 'x'});
    const before = await take();
    // Within a second git cannot recognize a changed file by its times.
    const files = async () => {
      chmodSync(join(folder, 'private.txt'), 0o600);
      return (await compare(before, await take())).files;
    };
    await expect
      .poll(files, {timeout: 20_000})
      .toMatchObject([{before: {permissions: 0o644}, after: {permissions: 0o600}}]);
  });

  test('names what it does not cover', async () => {
    const {folder, write, take, compare} = await snapshotFolder(prepare);
    const before = await take();
    write({'large.bin': Buffer.alloc(2000), '.ssh/id_ed25519': 'key', 'small.bin': Buffer.alloc(10)});
    mkdirSync(join(folder, 'nested'));
    git(join(folder, 'nested'), 'init', '-q');
    write({'nested/file': '', 'sub/.GIT/config': ''});
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    symlinkSync('small.bin', join(folder, 'sub/.gitmodules'));
    const {files, uncovered} = await compare(before, await take({maxFileBytes: 1000}));
    expect(files.map(({after}) => after?.path)).toEqual(['small.bin']);
    expect(Object.fromEntries(uncovered)).toEqual({
      'large.bin': 'too_large',
      '.ssh/id_ed25519': 'credentials',
      'nested/': 'nested_repository',
      'sub/.GIT/config': 'git_name',
      'sub/.gitmodules': 'git_name',
    });
  });

  test('does not treat a file that grows too large as deleted', async () => {
    const {write, take, compare} = await snapshotFolder(prepare);
    write({'log.txt': 'short'});
    const before = await take();
    write({'log.txt': 'long'.repeat(1000)});
    const {files, uncovered} = await compare(before, await take({maxFileBytes: 1000}));
    expect(files).toEqual([]);
    expect([...uncovered.keys()]).toEqual(['log.txt']);
  });

  test('keeps bytes unchanged, whatever attributes say', async () => {
    const {write, take, repository} = await snapshotFolder(prepare);
    const bytes = Buffer.from('$Id$\r\nline\r\n\x00\xff', 'latin1');
    write({
      '.gitattributes': '* text=auto eol=lf ident filter=lfs working-tree-encoding=UTF-16\n*.bin binary\n',
      'a.txt': bytes,
      'b.bin': bytes,
    });
    const id = await take();
    for (const name of ['a.txt', 'b.bin'])
      expect(await repository.git(['cat-file', 'blob', `${id}:files/${name}`])).toEqual(bytes);
  });

  test('accepts any name', async () => {
    const {folder, write, take, compare} = await snapshotFolder(prepare);
    const before = await take();
    const names = [
      'with\nnewline',
      'tab\there',
      '"quoted"',
      ':(top)x',
      '-rf',
      'ü',
      ' blank ',
      'git~1',
      'CON',
    ];
    write(Object.fromEntries(names.map((name) => [name, name])));
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]), 'not UTF-8');
    const {files} = await compare(before, await take());
    const bytes = [...names.map((name) => Buffer.from(name).toString('latin1')), '\xff\xfe'];
    expect(new Set(files.map(({after}) => after?.path))).toEqual(new Set(bytes));
  });
});

describe('in a git repository', () => {
  test("covers tracked files even if ignored; info/exclude and parent folders' rules count", async () => {
    const top = await snapshotFolder(inRepository);
    top.write({'.gitignore': '*.log\n', 'tracked.log': '1', 'sub/own.txt': '', 'sub/a.log': ''});
    top.git('add', '-f', 'tracked.log');
    writeFileSync(join(top.folder, '.git/info/exclude'), 'secret.txt\n');
    top.write({'secret.txt': ''});
    const before = await top.take();
    top.write({'tracked.log': '2'});
    const after = await top.take();
    expect(await top.changes(before, after)).toEqual(['M tracked.log']);
    const {files} = await top.compare(await emptySnapshot(top), after);
    expect(files.map(({after: version}) => version?.path)).toEqual([
      '.gitignore',
      'sub/own.txt',
      'tracked.log',
    ]);
  });

  test('a subfolder is covered separately', async () => {
    const {folder, write, take, changes} = await snapshotFolder((inside) => {
      const above = join(inside, '..');
      inRepository(above);
      writeFiles(above, {'.gitignore': '/sub/built\n', 'above.txt': 'a'});
    }, 'sub');
    const empty = await take();
    write({'a.txt': 'a', built: 'b'});
    writeFiles(join(folder, '..'), {'above.txt': 'changed'});
    const after = await take();
    expect(await changes(empty, after)).toEqual(['A a.txt']);
    rmSync(join(folder, 'a.txt'));
    rmSync(join(folder, 'built'));
    expect(await take()).toBe(empty);
  });

  test('a folder that it ignores is still covered', async () => {
    const {write, take, changes} = await snapshotFolder((inside) => {
      inRepository(join(inside, '..'));
      writeFiles(join(inside, '..'), {'.gitignore': 'scratch\n'});
    }, 'scratch');
    const empty = await take();
    write({'a.txt': 'a'});
    expect(await changes(empty, await take())).toEqual(['A a.txt']);
  });

  test('a submodule and a worktree are handled as in git', async () => {
    const library = temporaryFolder();
    inRepository(library);
    writeFiles(library, {'lib.txt': 'x'});
    git(library, 'add', '-A');
    git(library, 'commit', '-qm', 'first');
    const main = await snapshotFolder(inRepository);
    main.git('submodule', 'add', '-q', library, 'lib');
    main.write({'main.txt': 'm'});
    main.git('add', '-A');
    main.git('commit', '-qm', 'first');
    const before = await main.take();
    main.write({'lib/lib.txt': 'changed', 'main.txt': 'M'});
    const {files, uncovered} = await main.compare(before, await main.take());
    expect(files.map(({after}) => after?.path)).toEqual(['main.txt']);
    expect([...uncovered]).toEqual([['lib/', 'nested_repository']]);
    const worktree = await snapshotFolder((folder) => {
      rmSync(folder, {recursive: true});
      main.git('worktree', 'add', '-q', folder);
    });
    const start = await worktree.take();
    worktree.write({'main.txt': 'w'});
    expect(await worktree.changes(start, await worktree.take())).toEqual(['M main.txt']);
    const module = await snapshotFolder((folder) => {
      rmSync(folder, {recursive: true});
      symlinkSync(join(main.folder, 'lib'), folder);
    });
    const atFirst = await module.take();
    module.write({'lib.txt': 'again'});
    expect(await module.changes(atFirst, await module.take())).toEqual(['M lib.txt']);
  });

  test('nothing in .git changes, and nothing that its settings name runs', async () => {
    let sprung: () => readonly string[] = () => ['not prepared'];
    const {folder, write, take, changes, repository} = await snapshotFolder((each) => {
      ({sprung} = trappedRepository(each, join(temporaryFolder(), 'marks')));
    });
    const git = everythingIn(join(folder, '.git'));
    vi.stubEnv('PATH', `.:${process.env['PATH']}`);
    const before = await take();
    write({'tracked.txt': 'by the agent\n', 'added.txt': ''});
    const after = await take();
    expect(await changes(before, after)).toEqual(['A added.txt', 'M tracked.txt']);
    await repository.git([
      'diff-tree',
      '-r',
      '-p',
      '--no-ext-diff',
      '--no-textconv',
      `${before}:files`,
      `${after}:files`,
    ]);
    await repository.git(['gc', '--quiet']);
    vi.unstubAllEnvs();
    expect(sprung()).toEqual([]);
    expect(everythingIn(join(folder, '.git'))).toEqual(git);
    spawnSync('git', ['status'], {cwd: folder, stdio: 'ignore'});
    expect(sprung(), 'the traps are real').not.toEqual([]);
  });

  test('nothing that a nested repository names runs', async () => {
    let sprung: () => readonly string[] = () => ['not prepared'];
    const {take, write} = await snapshotFolder((folder) => {
      inRepository(folder);
      ({sprung} = trappedRepository(join(folder, 'nested'), join(temporaryFolder(), 'marks')));
      git(
        folder,
        'update-index',
        '--add',
        '--cacheinfo',
        `160000,${git(join(folder, 'nested'), 'rev-parse', 'HEAD').trim()},nested`,
      );
    });
    const marks = sprung();
    await take();
    write({'nested/tracked.txt': 'again'});
    await take();
    expect(sprung()).toEqual(marks);
  });

  test("git's environment variables have no effect", async () => {
    const other = temporaryFolder();
    inRepository(other);
    const {write, take, changes} = await snapshotFolder(inRepository);
    vi.stubEnv('GIT_INDEX_FILE', join(other, 'index'));
    vi.stubEnv('GIT_OBJECT_DIRECTORY', join(other, 'objects'));
    const before = await take();
    write({a: ''});
    expect(await changes(before, await take())).toEqual(['A a']);
    vi.unstubAllEnvs();
    expect([existsSync(join(other, 'index')), existsSync(join(other, 'objects'))]).toEqual([false, false]);
  });
});

/** The ID of a snapshot without files. */
async function emptySnapshot({repository}: SnapshotFolder): Promise<string> {
  const tree = await storeObject(repository.gitDir, 'tree', '');
  return writeSnapshot(repository, {tree, facts: {...initialFacts(), others: [], empty: []}});
}

test('a change that keeps size and second of a file is detected', async () => {
  const {folder, write, take, changes} = await snapshotFolder();
  const second = () => Math.floor(Date.now() / 1000);
  const secondOf = (name: string) => Math.floor(statSync(join(folder, name)).mtimeMs / 1000);
  let before = '';
  await expect
    .poll(
      async () => {
        write({'a.txt': 'a'});
        const first = secondOf('a.txt');
        before = await take();
        write({'a.txt': 'A'});
        return secondOf('a.txt') - first;
      },
      {timeout: 30_000},
    )
    .toBe(0);
  await expect.poll(second, {timeout: 5000}).toBeGreaterThan(secondOf('a.txt'));
  expect(await changes(before, await take())).toEqual(['M a.txt']);
});

test.each([
  ['the home folder', () => homedir(), /home folder/],
  ['a folder above it', () => '/', /home folder/],
  [
    'a bare repository',
    () => {
      const folder = temporaryFolder();
      git(folder, 'init', '-q', '--bare');
      return folder;
    },
    /without a work tree/,
  ],
  ['a missing folder', () => '/nowhere/at/all', /cannot be opened/],
])('%s has no snapshots', async (_what, folder, why) => {
  await expect(createRepository(folder(), temporaryFolder())).rejects.toThrow(why);
});

test('without git there are none, and the reason is reported', async () => {
  vi.stubEnv('PATH', temporaryFolder());
  await expect(createRepository(temporaryFolder(), temporaryFolder())).rejects.toThrow('git was not found');
  vi.unstubAllEnvs();
});

test('with a git that is too old there are none, and the reason is reported', async () => {
  const old = temporaryFolder();
  writeFileSync(join(old, 'git'), '#!/bin/sh\necho git version 2.29.3\n', {mode: 0o755});
  vi.stubEnv('PATH', old);
  await expect(createRepository(temporaryFolder(), temporaryFolder())).rejects.toThrow('2.29 is too old');
  vi.unstubAllEnvs();
});

test('a repository of another owner, which git refuses to read, is covered like a folder without one', async () => {
  const {write, take, changes, git: inFolder} = await snapshotFolder((folder) => git(folder, 'init', '-q'));
  write({'.gitignore': '*.log\n', 'a.txt': 'a'});
  inFolder('add', '-A');
  vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
  const before = await take();
  write({'a.txt': 'b', 'b.log': 'ignored'});
  expect(await changes(before, await take())).toEqual(['M a.txt']);
  vi.unstubAllEnvs();
});
