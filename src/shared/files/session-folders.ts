import {realpath} from 'node:fs/promises';
import {homedir} from 'node:os';
import {isAbsolute, relative, resolve} from 'node:path';

/** The folders of a session, absolute. */
export interface Folders {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
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
