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
} from 'node:fs';
import {dirname, join} from 'node:path';
import {failed} from '../file-failed.ts';
import {exists} from './process-identity.ts';
import type {Failure} from '../failure.ts';

/** Nobody but the user reads what is typed. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Makes the folder and its parents; throws as `mkdir` does. (Node's own way never ends where a file system takes nothing, as in /proc.) */
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

/**
 * Replaces a file in one step: whoever reads sees the old text or the new one, also after a kill in between, or when the disk
 * has no room for all of it. Where the path is a link, the file that it leads to is replaced.
 */
export function replaceFile(path: string, text: string, mode = PRIVATE_FILE): void {
  const target = existsSync(path) ? realpathSync(path) : path;
  const temporary = `${target}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, text, {mode, flag: 'wx', flush: true});
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, {force: true});
    throw error;
  }
}

/** What `replaceFile` leaves when it is killed, and what versions left that wrote settings with the package atomically. */
const TEMPORARY = /\.(?:(?<pid>\d+)(?:\.[0-9a-f]{8})?\.tmp|tmp-\d{10}[0-9a-f]{6})$/;
const ABANDONED_MS = 60_000;

/** Removes what killed processes left in a folder while they replaced files. */
export function removeAbandoned(folder: string): void {
  for (const name of namesIn(folder)) {
    const found = TEMPORARY.exec(name);
    if (!found) continue;
    const pid = found.groups?.['pid'];
    const path = join(folder, name);
    const isOld = Date.now() - (lstatSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0) > ABANDONED_MS;
    if (pid === undefined ? isOld : isOld || !exists(Number(pid))) rmSync(path, {force: true});
  }
}

function namesIn(folder: string): readonly string[] {
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

/** What Node's file functions throw, as a failure. */
export function fileFailure(path: string, error: unknown): Extract<Failure, {kind: 'file'}> {
  return failed(path, error).failure;
}
