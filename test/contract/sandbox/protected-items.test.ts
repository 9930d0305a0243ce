import {execFileSync} from 'node:child_process';
import {mkdirSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {bytesOf} from '../../../src/sandbox/protected/entries.ts';
import {isFull, readItems} from '../../../src/sandbox/protected/items.ts';
import {runToEnd} from '../../../src/sandbox/protected/search.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

/** What is read of a workspace of which this was found. */
function itemsIn(root: string, found: readonly string[], repositories = new Map<string, Set<string>>()) {
  const nothing = {
    links: [],
    hidden: [],
    gitFiles: [],
    named: [],
    folders: [],
    unseen: [],
    unseenDependencies: [],
  };
  return runToEnd(readItems({...nothing, found, repositories, roots: [root], writable: [root]}, () => false));
}

test('what is compared after a turn is never read through a link that is on the way by then', () => {
  const base = realpathSync(temporaryFolder());
  const root = join(base, 'root');
  for (const folder of ['root/.vscode', 'outside']) {
    mkdirSync(join(base, folder), {recursive: true});
    writeFileSync(join(base, folder, 'tasks.json'), 'text');
  }
  symlinkSync(join(base, 'outside'), join(root, '.zed'));
  const found = ['.vscode', '.zed'].map((name) => join(root, name, 'tasks.json'));
  const items = itemsIn(root, found);
  expect([...items.keys()]).toEqual([join(root, '.vscode/tasks.json')]);
});

test('a file is read only if it is one itself, and no pipe is waited for', () => {
  const base = realpathSync(temporaryFolder());
  writeFileSync(join(base, 'file'), 'text');
  symlinkSync('file', join(base, 'link'));
  execFileSync('mkfifo', [join(base, 'pipe')]);
  expect(String(bytesOf(join(base, 'file')))).toBe('text');
  expect(() => bytesOf(join(base, 'link'))).toThrow('ELOOP');
  expect(() => bytesOf(join(base, 'pipe'))).toThrow('is no file');
});

/** A workspace with so many repositories, which a program inside can make. */
function flooded(repositories: number) {
  const base = realpathSync(temporaryFolder());
  const root = join(base, 'root');
  mkdirSync(root);
  const names = Array.from({length: repositories}, (_, index) => join(root, `r${index}`));
  for (const git of names) {
    mkdirSync(git);
    writeFileSync(join(git, 'config'), '');
    writeFileSync(join(git, 'config.worktree'), '');
  }
  writeFileSync(join(root, '.envrc'), 'text');
  const known = new Map(names.map((git) => [git, new Set<string>()]));
  return itemsIn(root, [join(root, '.envrc')], known);
}

test('however many settings of git there are, the other files are read, and that there are more is known', () => {
  const few = flooded(10);
  expect([isFull(few), few.size]).toEqual([false, 21]);
  const many = flooded(5001);
  expect(isFull(many)).toBe(true);
  expect([...many.keys()].some((path) => path.endsWith('.envrc'))).toBe(true);
});
