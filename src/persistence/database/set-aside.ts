import {renameSync, rmSync, statSync} from 'node:fs';

/**
 * Moves a damaged database out of the way, and gives the sentence that tells so; undefined when another process has already done
 * it: `inode` is the file that was found damaged.
 */
export function setAside(file: string, inode: bigint | undefined): string | undefined {
  if (inode !== undefined && inodeOf(file) !== inode) return undefined;
  const kept = `${file}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(file, kept);
  // They belong to the damaged file: with a new one they would damage that.
  for (const ending of ['-wal', '-shm']) rmSync(file + ending, {force: true});
  return `The database of sessions and history was damaged. It is kept as ${kept}, and the list of sessions is built again from their files.`;
}

/** Which file this is, whatever its name; undefined when there is none. */
export function inodeOf(file: string): bigint | undefined {
  return statSync(file, {bigint: true, throwIfNoEntry: false})?.ino;
}
