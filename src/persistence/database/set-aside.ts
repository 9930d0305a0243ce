import {existsSync, renameSync, statSync} from 'node:fs';

/**
 * Moves a damaged database out of the way, and gives its new name; undefined when another process has already done it: `inode` is
 * the file that was found damaged.
 */
export function setAside(file: string, inode: bigint | undefined): string | undefined {
  if (inode !== undefined && inodeOf(file) !== inode) return undefined;
  const kept = `${file}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  // What belongs to the damaged file would damage a new one of its name.
  for (const ending of ['', '-wal', '-shm']) {
    if (existsSync(file + ending)) renameSync(file + ending, kept + ending);
  }
  return kept;
}

/** Which file this is, whatever its name; undefined when there is none. */
export function inodeOf(file: string): bigint | undefined {
  return statSync(file, {bigint: true, throwIfNoEntry: false})?.ino;
}
