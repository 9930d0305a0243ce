import {isWithin} from '../../shared/files/folders.ts';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  type Dirent,
} from 'node:fs';

/** None if it cannot be listed. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, {withFileTypes: true});
  } catch {
    return [];
  }
}

/** The real path of what exists. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** What a path shows: the file that a link leads to, or a folder of the workspace that does not hold all of it. */
export function shownAs(entry: Dirent, path: string, writable: readonly string[]): readonly string[] {
  if (!entry.isSymbolicLink()) return [path];
  const real = realPathOf(path);
  if (real === undefined) return [];
  const isInside = writable.some((place) => isWithin(real, place));
  const holdsPlace = writable.some((place) => isWithin(place, real));
  return lstatSync(real).isFile() || (isInside && !holdsPlace) ? [real] : [];
}

/** Throws if it is a link, or no file: reading a named pipe would not end. */
export function bytesOf(file: string): Buffer {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(handle).isFile()) throw new Error(`${file} is no file`);
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Returns the text of a file; throws if it is a link, or no file. */
export function contentOf(file: string): string {
  return bytesOf(file).toString('utf8');
}

/** Empty if there is no such file. */
export function contentIfAny(file: string): string {
  try {
    return contentOf(file);
  } catch {
    return '';
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Those nearest to the top first. */
export function byDepth(paths: Iterable<string>): readonly string[] {
  const depth = (path: string) => path.split('/').length;
  return [...paths].sort((one, other) => depth(one) - depth(other));
}
