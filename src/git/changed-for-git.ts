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

/** Returns what git sees as changed in a folder; undefined without a repository. */
export async function changedForGit(folder: string): Promise<ChangedForGit | undefined> {
  const [unstaged, index, tree] = await Promise.all([
    readWithGit(folder, ['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard']),
    readWithGit(folder, ['ls-files', '-z', '--stage']),
    readWithGit(folder, ['ls-tree', '-z', '-r', 'HEAD']),
  ]);
  if (!unstaged.ok || !index.ok) return undefined;
  const changed = new Set(unstaged.stdout.toString('utf8').split('\0'));
  const staged = facts(index.stdout);
  // Before the first commit there is none.
  const committed = facts(tree.ok ? tree.stdout : Buffer.of());
  return {
    committed: new Map(Array.from(committed, ([path, {id}]) => [path, id])),
    unstaged: changed,
    isChanged: (path) => changed.has(path) || staged.get(path)?.all !== committed.get(path)?.all,
  };
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
