import {execFile} from 'node:child_process';

/** What git prints for a repository of some million files still fits. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_MS = 30_000;

/**
 * The files in a folder that git tracks, or would track, relative to the folder; without those that are tracked and were
 * deleted. Undefined where there is no repository, or no git.
 */
export async function gitFiles(root: string, signal?: AbortSignal): Promise<readonly string[] | undefined> {
  const list = (...flags: string[]) => git(root, ['ls-files', '-z', ...flags], signal);
  const [present, deleted] = await Promise.all([
    list('--cached', '--others', '--exclude-standard', '--deduplicate'),
    list('--deleted'),
  ]);
  if (present === undefined) return undefined;
  if (!deleted || deleted.length === 0) return present;
  const gone = new Set(deleted);
  return present.filter((path) => !gone.has(path));
}

function git(
  root: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[] | undefined> {
  return new Promise((resolve) => {
    const options = {
      cwd: root,
      // It must not lock the index that the user's own git works with.
      env: {...process.env, GIT_OPTIONAL_LOCKS: '0'},
      maxBuffer: MAX_BYTES,
      timeout: MAX_MS,
      windowsHide: true,
      ...(signal && {signal}),
    };
    execFile('git', [...args], options, (error, stdout) => {
      resolve(error ? undefined : stdout.split('\0').slice(0, -1));
    });
  });
}
