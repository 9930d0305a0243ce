import {readFile} from 'node:fs/promises';
import path from 'node:path';

/** The branch that a folder is on, or the short id of a detached commit; undefined outside of a repository. */
export async function gitBranch(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = path.dirname(at)) {
    const head = await headOf(path.join(at, '.git'));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? head.trim().slice(0, 7);
    if (path.dirname(at) === at) return undefined;
  }
}

/** `.git` is a folder, or in a worktree a file that says where the folder is. */
async function headOf(git: string): Promise<string | undefined> {
  const direct = await read(path.join(git, 'HEAD'));
  if (direct !== undefined) return direct;
  const link = /^gitdir: (.+)$/m.exec((await read(git)) ?? '')?.[1];
  return link === undefined ? undefined : read(path.resolve(path.dirname(git), link, 'HEAD'));
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
