import {runGit} from './git.ts';

/**
 * The files in a folder that git tracks, or would track, relative to the folder; without those that are tracked and were
 * deleted. Undefined where there is no repository, or no git.
 */
export async function gitFiles(root: string, signal?: AbortSignal): Promise<readonly string[] | undefined> {
  const list = async (...flags: string[]) => {
    const printed = await runGit(root, ['ls-files', '-z', ...flags], signal);
    return printed?.split('\0').slice(0, -1);
  };
  const [present, deleted] = await Promise.all([
    list('--cached', '--others', '--exclude-standard', '--deduplicate'),
    list('--deleted'),
  ]);
  if (present === undefined) return undefined;
  if (!deleted || deleted.length === 0) return present;
  const gone = new Set(deleted);
  return present.filter((path) => !gone.has(path));
}
