import {realpathSync, statSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import {findExecutable, type ProgramLookup} from './find-executable.ts';

/** How shells are called that take a line with `-c`. */
const SHELL_NAME = /^(?:ba|da|z|k|mk|a)?sh$/;
/** What such a name may lead to. */
const SHELL_FILE = /^(?:(?:ba|da|z|[mo]?k|a)?sh(?:-?\d[\d.]*)?|busybox)$/;
const SYSTEM_FOLDER = /^(?:(?:\/usr(?:\/local)?)?\/bin|\/nix\/store\/[^/]+\/bin)$/;

/**
 * True when executing this word starts a shell of the system: by its real path it lies in a folder of the system's programs,
 * and nobody but root may write it or its folder. A program that is only named like a shell is none. Synchronous.
 */
export function isSystemShell(word: string, lookup: ProgramLookup): boolean {
  if (!SHELL_NAME.test(basename(word))) return false;
  const found = findExecutable(word, lookup);
  if (found === undefined) return false;
  try {
    const real = realpathSync(found);
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
