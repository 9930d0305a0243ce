import {realpathSync, statSync} from 'node:fs';
import {basename, dirname, isAbsolute, join} from 'node:path';
import {isExecutable} from '../../shared/processes/executable.ts';

/** Names of shells that run a line with `-c`. */
const SHELL_NAME = /^(?:ba|da|z|k|mk|a)?sh$/;
/** Names of the files that such a name may link to. */
const SHELL_FILE = /^(?:(?:ba|da|z|[mo]?k|a)?sh(?:-?\d[\d.]*)?|busybox)$/;
const SYSTEM_FOLDER = /^(?:(?:\/usr(?:\/local)?)?\/bin|\/nix\/store\/[^/]+\/bin)$/;

/**
 * True if executing this word starts a system shell: its real path lies in a system folder, and only root may write it or its folder. A program that only has
 * a shell's name does not count. Synchronous.
 */
export function isSystemShell(word: string, lookup: ProgramLookup): boolean {
  if (!SHELL_NAME.test(basename(word))) return false;
  const found = findExecutable(word, lookup);
  if (found === undefined) return false;
  try {
    const real = realpathSync.native(found);
    const folder = dirname(real);
    const isSystems = SHELL_FILE.test(basename(real)) && SYSTEM_FOLDER.test(folder);
    return isSystems && isOnlyRoots(real) && isOnlyRoots(folder);
  } catch {
    return false;
  }
}

function isOnlyRoots(path: string): boolean {
  const {uid, mode} = statSync(path);
  return uid === 0 && (mode & 0o022) === 0;
}

/** Folder and PATH for looking up a program. */
export interface ProgramLookup {
  /** Absolute: base of a relative path. */
  readonly cwd: string;
  /** The PATH that applies; undefined if none is set. */
  readonly path: string | undefined;
}

/** Returns the paths that `execvp` tries for a name, in order: absolute, links not resolved. */
export function searchPathsOf(name: string, {cwd, path}: ProgramLookup): readonly string[] {
  const folders = name.includes('/') ? [''] : (path ?? '/usr/local/bin:/usr/bin:/bin').split(':');
  return folders
    .map((folder) => join(folder, name))
    .map((file) => (isAbsolute(file) ? file : join(cwd, file)));
}

/** Returns the file that `execvp` would execute for a name; undefined if there is none. Synchronous. */
export function findExecutable(name: string, lookup: ProgramLookup): string | undefined {
  return searchPathsOf(name, lookup).find(isExecutable);
}
