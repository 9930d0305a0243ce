import {randomBytes} from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {dirname, join, extname} from 'node:path';
import type {Result} from '../failure.ts';
import {fileFailed} from './file-failure.ts';
import {processExists} from '../processes/process-identity.ts';

/** Only the user may read it. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Creates the folder and its parents; throws like `mkdir`. (Node's recursive mkdir never returns on file systems such as /proc.) */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, {mode: PRIVATE_FOLDER});
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path && !existsSync(dirname(path))) {
      makeFolder(dirname(path));
      return makeFolder(path);
    }
    if (codeOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

/** Replaces a file atomically: readers see the old or the new text, also after a kill or on a full disk. If the path is a link, its target is replaced. */
export function replaceFile(path: string, text: string, mode = PRIVATE_FILE): void {
  const target = existsSync(path) ? realpathSync.native(path) : path;
  const temporary = `${target}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, text, {mode, flag: 'wx', flush: true});
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, {force: true});
    throw error;
  }
}

/** Temporary files of a killed `replaceFile`. */
const TEMPORARY = /\.(\d+)\.[0-9a-f]{8}\.tmp$/;
const ABANDONED_MS = 60_000;

/** Removes temporary files that killed processes left in a folder. */
export function removeAbandoned(folder: string): void {
  for (const name of namesIn(folder)) {
    const pid = TEMPORARY.exec(name)?.[1];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const isOld = Date.now() - (lstatSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0) > ABANDONED_MS;
    if (isOld || !processExists(Number(pid))) rmSync(path, {force: true});
  }
}

/** Returns the names in a folder; none if it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The `code` of an error of Node's file functions. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Handles the error of a file function for which nothing has to be there; throws every other one. */
export function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

/** Opens a regular file for reading and throws like Node; also for pipes, devices and sockets, without waiting for them, and for a link unless `follow`. The caller closes the handle. */
export function openRegularFile(
  path: string | Buffer,
  {follow = true}: {readonly follow?: boolean} = {},
): number {
  // Windows has neither.
  const flags = (constants.O_NONBLOCK ?? 0) | (follow ? 0 : (constants.O_NOFOLLOW ?? 0));
  const handle = openSync(path, constants.O_RDONLY | flags);
  const found = fstatSync(handle);
  if (found.isFile()) return handle;
  closeSync(handle);
  throw new Error(found.isDirectory() ? 'it is a folder' : 'it is not a regular file');
}

/** Returns the text of a file, at most its first `most` bytes, see `openRegularFile`. */
export function readRegularFile(path: string, most = Infinity): string {
  const handle = openRegularFile(path);
  try {
    return textOfHandle(handle, most);
  } finally {
    closeSync(handle);
  }
}

/** Returns the text of an open file, at most its first `most` bytes. */
export function textOfHandle(handle: number, most: number): string {
  if (fstatSync(handle).size <= most) return readFileSync(handle, 'utf8');
  const bytes = Buffer.alloc(most);
  return bytes.toString('utf8', 0, readSync(handle, bytes, 0, most, 0));
}

/** Returns the text of a file, at most its first `most` bytes; undefined if it is unreadable. */
export function readFileIfAny(path: string, most: number): string | undefined {
  try {
    return readRegularFile(path, most);
  } catch {
    return undefined;
  }
}

/** Returns the stats of the path's target; undefined if unavailable, as for a circular link. */
export function statIfAny(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Returns the stats of what is at a path, without following a link; undefined if unavailable. */
export function lstatIfAny(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

const MAX_NUMBERS = 1000;

/** Creates a file for the user; returns its path. If it exists, `orNumbered` uses `name-2.md` etc.; otherwise that is a failure (`file`). */
export async function writeNewFile(
  path: string,
  content: string | Uint8Array,
  {orNumbered = false}: {readonly orNumbered?: boolean} = {},
): Promise<Result<string>> {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  for (let number = 1; ; number++) {
    const name = number === 1 ? path : `${stem}-${number}${extension}`;
    try {
      await writeFile(name, typeof content === 'string' ? slicesOf(content) : content, {
        flag: 'wx',
        mode: PRIVATE_FILE,
      });
      return {ok: true, value: name};
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return fileFailed(dirname(name), 'no such folder');
      if (!orNumbered || codeOf(error) !== 'EEXIST' || number === MAX_NUMBERS) return fileFailed(name, error);
    }
  }
}

/** In UTF-16 units. */
const SLICE = 512 * 1024;

/** Slices the text, so that encoding a long one does not block everything else. */
function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + SLICE;
    // Does not split surrogate pairs.
    const cut = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
    yield text.slice(start, cut);
    start = cut;
  }
}
