import {mkdirSync, renameSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {failed} from '../file-failed.ts';
import type {Failure} from '../failure.ts';

/** Nobody but the user reads what is typed. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Makes the folder and its parents; throws as `mkdir` does. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, {recursive: true, mode: PRIVATE_FOLDER});
  } catch (error) {
    // What Node says of a file system that takes nothing is that the folder does not exist, which it should not.
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    mkdirSync(path, {mode: PRIVATE_FOLDER});
  }
}

/** Replaces a file in one step: whoever reads sees the old text or the new one, also after a kill in between. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text, {mode: PRIVATE_FILE});
  renameSync(temporary, path);
}

/** The `code` of an error of Node's file functions. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** What Node's file functions throw, as a failure. */
export function fileFailure(path: string, error: unknown): Extract<Failure, {kind: 'file'}> {
  return failed(path, error).failure;
}
