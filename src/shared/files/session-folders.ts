import {realpath} from 'node:fs/promises';
import {homedir} from 'node:os';
import {isAbsolute, relative, resolve} from 'node:path';
import {realpathOrItself} from './folders.ts';

/** The folders of a session, absolute. */
export interface Folders {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** Where they really are, as far as that was found before: a link may have taken the place of one. */
  readonly realFolders?: Readonly<Record<string, string>> | undefined;
}

/** Returns where each folder really is: as it was found before, otherwise as it is now. */
export function realFoldersOf({
  cwd,
  additionalDirectories,
  realFolders = {},
}: Folders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [cwd, ...additionalDirectories].map((folder) => [
      folder,
      realFolders[folder] ?? realpathOrItself(folder),
    ]),
  );
}

/** Returns a typed path as absolute: relative to `cwd`, or to the home folder after a `~`. */
export function absolutePath(typed: string, cwd: string): string {
  const path = typed === '~' || typed.startsWith('~/') ? `${homedir()}${typed.slice(1)}` : typed;
  return resolve(cwd, path);
}

/** True if the real path lies in one of the folders. Throws if it does not exist. */
export async function isInside(path: string, {cwd, additionalDirectories}: Folders): Promise<boolean> {
  const real = await realpath(path);
  const roots = await Promise.all(
    [cwd, ...additionalDirectories].map((root) => realpath(root).catch(() => root)),
  );
  return roots.some((root) => {
    const way = relative(root, real);
    return way === '' || (!isAbsolute(way) && way.split(/[\\/]/)[0] !== '..');
  });
}
