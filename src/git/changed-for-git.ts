import {lstat} from 'node:fs/promises';
import {join} from 'node:path';
import {blobIdOf} from './blob-id.ts';
import {readWithGit} from './git.ts';

/** What git would commit of a folder. Paths are relative to it. */
interface ChangedForGit {
  /** Git's ids of the contents in the last commit, by path. */
  readonly committed: ReadonlyMap<string, string>;
  /** Files that are not as in the index, or not in it. */
  readonly unstaged: ReadonlySet<string>;
  /** True for a file that is not as in the last commit. */
  readonly isChanged: (path: string) => boolean;
}

/**
 * Returns what git sees as changed of these files of a folder; undefined without a repository. What they contain is compared here: git itself would run filters that
 * the repository names, so that a file that git stores through one counts as changed.
 */
export async function changedForGit(
  folder: string,
  paths: readonly string[],
): Promise<ChangedForGit | undefined> {
  const [missing, index, tree] = await Promise.all([
    readWithGit(folder, ['ls-files', '-z', '--deleted', '--others', '--exclude-standard']),
    readWithGit(folder, ['ls-files', '-z', '--stage']),
    readWithGit(folder, ['ls-tree', '-z', '-r', 'HEAD']),
  ]);
  if (!missing.ok || !index.ok) return undefined;
  const changed = new Set(missing.stdout.toString('utf8').split('\0'));
  const staged = facts(index.stdout);
  for (const path of paths) {
    const all = staged.get(path)?.all;
    if (all === undefined || changed.has(path)) continue;
    if ((await factsAt(join(folder, path))) !== all) changed.add(path);
  }
  // Before the first commit there is none.
  const committed = facts(tree.ok ? tree.stdout : Buffer.of());
  return {
    committed: new Map(Array.from(committed, ([path, {id}]) => [path, id])),
    unstaged: changed,
    isChanged: (path) => changed.has(path) || staged.get(path)?.all !== committed.get(path)?.all,
  };
}

/** The mode and id of what is at a path, as git would store it without filters; undefined for what it does not store. */
async function factsAt(path: string): Promise<string | undefined> {
  const stats = await lstat(path);
  const isLink = stats.isSymbolicLink();
  if (!isLink && !stats.isFile()) return undefined;
  const mode = isLink ? '120000' : stats.mode & 0o100 ? '100755' : '100644';
  return `${mode} ${await blobIdOf(Buffer.from(path), stats)}`;
}

/** The mode and id of each path, from `mode id stage<Tab>path` or `mode type id<Tab>path`. */
function facts(printed: Buffer): ReadonlyMap<string, {readonly id: string; readonly all: string}> {
  const found = printed
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, mode, id, path] = /^(\d+) (?:\w+ )?([0-9a-f]{40,64})(?: \d)?\t([^]+)$/.exec(line) ?? [];
      return mode === undefined || id === undefined || path === undefined ? [] : [{path, mode, id}];
    });
  return new Map(found.map(({path, mode, id}) => [path, {id, all: `${mode} ${id}`}]));
}
