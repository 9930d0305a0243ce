import {closeSync, constants, fstatSync, openSync, readFileSync, statSync, type Stats} from 'node:fs';

/**
 * Opens a file for reading and throws as Node does; also for a pipe, a device or a socket, which is never waited for. The
 * handle is the caller's to close.
 */
export function openRegularFile(path: string): number {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const found = fstatSync(handle);
  if (found.isFile()) return handle;
  closeSync(handle);
  throw new Error(found.isDirectory() ? 'it is a folder' : 'it is not a regular file');
}

/** Returns the text of a file, see `openRegularFile`. */
export function readRegularFile(path: string): string {
  const handle = openRegularFile(path);
  try {
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** Returns what the path leads to, if that can be found out: a link may lead to itself. */
export function statIfAny(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
