import {stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';

/**
 * Returns those of the absolute paths that lie in a git directory of any name: a bare repository, or the target of a `.git` file. Its hooks and settings run
 * programs as those in `.git` do.
 */
export async function pathsInGitFolders(paths: readonly string[]): Promise<readonly string[]> {
  const known = new Map<string, Promise<boolean>>();
  function isIn(folder: string): Promise<boolean> {
    const answer = known.get(folder) ?? look(folder);
    known.set(folder, answer);
    return answer;
  }
  async function look(folder: string): Promise<boolean> {
    if (await isGitFolder(folder)) return true;
    // A working tree may lie inside its own repository.
    if (dirname(folder) === folder || (await is(join(folder, '.git')))) return false;
    return isIn(dirname(folder));
  }
  const found = await Promise.all(paths.map(isIn));
  return paths.filter((_, index) => found[index]);
}

/** What git accepts as a repository: gitrepository-layout(5). */
async function isGitFolder(folder: string): Promise<boolean> {
  if (!(await is(join(folder, 'HEAD')))) return false;
  const [objects, refs, common] = await Promise.all(
    ['objects', 'refs', 'commondir'].map((name) => is(join(folder, name))),
  );
  return Boolean(common || (objects && refs));
}

function is(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
