import {execFileSync} from 'node:child_process';
import {mkdirSync, realpathSync, symlinkSync, unlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {createFileFinder} from '../../../src/search/finder.ts';
import {walk} from '../../../src/search/walk.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

let folder: string;
beforeEach(() => void (folder = realpathSync(temporaryFolder())));

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), '');
  }
}

function git(...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {cwd: folder});
}

function finder(additionalDirectories: readonly string[] = []) {
  const made = createFileFinder({cwd: folder, additionalDirectories});
  return {
    ...made,
    paths: async (query: string) => (await made.find(query)).map(({path}) => path),
  };
}

describe('in a repository', () => {
  beforeEach(() => {
    git('init', '-q');
    writeFileSync(join(folder, '.gitignore'), 'dist/\n*.log\n');
    write('src/app/menu.ts', 'src/deleted.ts', 'dist/menu.js', 'menu.log');
    git('add', '-A');
    unlinkSync(join(folder, 'src/deleted.ts'));
    write('untracked menu.md');
  });

  test('finds tracked and new files, but no ignored or deleted ones', async () => {
    const {paths} = finder();
    expect(new Set(await paths('menu'))).toEqual(new Set(['src/app/menu.ts', 'untracked menu.md']));
    expect(await paths('deleted')).toEqual([]);
  });

  test.each([
    ['pkgjson', 'package.json'],
    ['srcmenu', 'src/app/menu.ts'],
    ['./pkgjson', './package.json'],
  ])('finds a file by letters that are far apart: %s', async (typed, path) => {
    write('package.json');
    expect((await finder().paths(typed))[0]).toBe(path);
  });

  test('lists the folder for an empty query, folders first', async () => {
    expect(await finder().paths('')).toEqual(['src/', '.gitignore', 'untracked menu.md']);
  });

  test('lists a fully typed folder and its contents', async () => {
    expect(await finder().paths('src/')).toEqual(['src/', 'src/app/']);
    expect(await finder().paths('src/ap')).toContain('src/app/');
  });

  test('finds only folders if that is wanted', async () => {
    write('src/appendix.ts', 'src/app/deep/app.ts');
    const {find} = finder();
    const folders = async (query: string) => (await find(query, {foldersOnly: true})).map(({path}) => path);
    expect(await folders('')).toEqual(['src/']);
    expect(await folders('app')).toEqual(['src/app/', 'src/app/deep/']);
    expect(await folders('./src/')).toEqual(['./src/', './src/app/']);
    expect(await folders('src/app/')).toEqual(['src/app/', 'src/app/deep/']);
  });

  test('finds the files of a subfolder for a session there', async () => {
    const {find} = createFileFinder({cwd: join(folder, 'src'), additionalDirectories: []});
    expect(await find('menu')).toEqual([
      {path: 'app/menu.ts', absolute: join(folder, 'src/app/menu.ts'), isFolder: false},
    ]);
  });

  test('finds a new file after a while', async () => {
    const {paths, refresh} = finder();
    expect(await paths('later')).toEqual([]);
    write('src/later.ts');
    await expect.poll(() => refresh()).toBe(true);
    expect(await paths('later')).toEqual(['src/later.ts']);
  });
});

describe('without a repository', () => {
  test('each .gitignore applies to its folder, and the nearer one wins', async () => {
    write('a.log', 'keep/b.log', 'keep/c.txt', 'node_modules/x/index.js', 'out/deep/d.txt');
    writeFileSync(join(folder, '.gitignore'), '*.log\n/out\n');
    writeFileSync(join(folder, 'keep/.gitignore'), '!b.log\n');
    expect(await walk(folder)).toEqual(['.gitignore', 'keep/.gitignore', 'keep/b.log', 'keep/c.txt']);
  });

  test('lists links that form a cycle without following them', async () => {
    write('a/b.txt');
    symlinkSync(folder, join(folder, 'a/circle'));
    expect(await walk(folder)).toEqual(['a/b.txt', 'a/circle']);
  });

  test('keeps the nearest files at the limit', async () => {
    write('a/b/c/deep.txt', 'a/b/mid.txt', 'top.txt');
    expect(await walk(folder, {most: 2})).toEqual(['top.txt', 'a/b/mid.txt']);
  });
});

test('omits names that a prompt cannot hold as they are', async () => {
  write('plain.txt', 'new\nline.txt', 'bell\x07.txt', 'quo"te.txt', 'de\u202eceive.txt', 'größe 漢字.txt');
  expect(await finder().paths('')).toEqual(['größe 漢字.txt', 'plain.txt']);
});

test('finds files of additional folders by their absolute paths', async () => {
  write('main/a-menu.ts', 'other/b-menu.ts');
  const other = join(folder, 'other');
  const {find} = createFileFinder({cwd: join(folder, 'main'), additionalDirectories: [other]});
  expect((await find('menu')).map(({path}) => path)).toEqual(['a-menu.ts', join(other, 'b-menu.ts')]);
  expect((await find('')).map(({path}) => path)).toEqual(['a-menu.ts', `${other}/`]);
});

test('reads paths from another root from their folders', async () => {
  write('x/one.png', 'x/.hidden', 'x/sub/two.png');
  symlinkSync(join(folder, 'x/sub'), join(folder, 'x/link'));
  const {paths} = finder();
  const base = join(folder, 'x');
  expect(await paths(`${base}/`)).toEqual([`${base}/`, `${base}/link/`, `${base}/sub/`, `${base}/one.png`]);
  expect(await paths(`${base}/on`)).toEqual([`${base}/one.png`]);
  expect(await paths(`${base}/.hid`)).toEqual([`${base}/.hidden`]);
  expect(await paths('./x/sub/')).toEqual(['./x/sub/', './x/sub/two.png']);
});

test('stops a search that is no longer needed', async () => {
  write('a.txt');
  expect(await finder().find('a', {signal: AbortSignal.abort()})).toEqual([]);
});
