import path from 'node:path';
import {readFileIfAny} from '../shared/files/safe-files.ts';
import {sanitizeLine} from '../text/sanitize.ts';

/** Enough for a path in a `gitdir:` line; more of a file is not read. */
const MAX_BYTES = 8192;
/** Longer names are not from git. */
const MAX_NAME_LENGTH = 250;

/**
 * Returns the branch of a folder, or the short id of a detached commit; undefined outside of a repository. Reads `.git/HEAD`, and runs nothing of the
 * repository.
 */
export function gitBranch(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    const head = headOf(path.join(at, '.git'));
    if (head !== undefined) return nameIn(head);
    if (path.dirname(at) === at) return undefined;
  }
}

function nameIn(head: string): string | undefined {
  const branch = /^ref: refs\/heads\/([^\r\n]+)/.exec(head)?.[1];
  if (branch !== undefined) return sanitizeLine(branch).slice(0, MAX_NAME_LENGTH);
  return /^[0-9a-f]{7}/.exec(head)?.[0];
}

/** `.git` is a folder, or in a worktree a file with the path of the folder. */
function headOf(git: string): string | undefined {
  const direct = readFileIfAny(path.join(git, 'HEAD'), MAX_BYTES);
  if (direct !== undefined) return direct;
  const sink = /^gitdir: ([^\r\n]+)/.exec(readFileIfAny(git, MAX_BYTES) ?? '')?.[1];
  if (sink === undefined) return undefined;
  return readFileIfAny(path.resolve(path.dirname(git), sink, 'HEAD'), MAX_BYTES);
}
