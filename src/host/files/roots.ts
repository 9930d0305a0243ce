import {realpathSync} from 'node:fs';
import {readlink, realpath} from 'node:fs/promises';
import {basename, dirname, isAbsolute, join, relative, sep} from 'node:path';
import {isWithin} from '../../shared/files/folders.ts';
import {realFoldersOf, type Folders} from '../../shared/files/session-folders.ts';
import {accept, refuse, type HostResponse} from '../services.ts';
import {codeOf} from '../../shared/files/safe-files.ts';

/** A resolved path inside the roots: its root, and the names from there. */
export interface RootedPath {
  readonly path: string;
  readonly root: string;
  readonly names: readonly string[];
}

/** The folders that an agent may access through the client. */
export interface Roots {
  /** The session's working folder, with links resolved. */
  readonly cwd: string;
  /** Resolves an absolute path, which need not exist. Refuses paths that are relative, lead outside the roots, or contain a NUL byte. */
  confine(path: string): Promise<HostResponse<RootedPath>>;
  /** Resolves an absolute path that exists, synchronously; undefined if it is outside the roots. */
  locate(path: string): string | undefined;
  /** Adds a folder, with links resolved. */
  add(folder: string): void;
  /** Another folder takes the place of one, both with links resolved. */
  move(from: string, to: string): void;
}

/** Roots are resolved once, here or before: replacing one by a link later does not change them. */
export function createRoots(
  cwd: string,
  additionalDirectories: readonly string[],
  realFolders?: Folders['realFolders'],
): Roots {
  const roots = Object.values(realFoldersOf({cwd, additionalDirectories, realFolders}));
  const rootOf = (real: string) => roots.find((each) => isWithin(real, each));
  return {
    get cwd() {
      return roots[0] ?? cwd;
    },
    add(folder) {
      if (!roots.includes(folder)) roots.push(folder);
    },
    move: (from, to) => void roots.splice(roots.indexOf(from), 1, to),
    locate(path) {
      try {
        const real = realpathSync.native(path);
        return rootOf(real) === undefined ? undefined : real;
      } catch {
        return undefined;
      }
    },
    async confine(path) {
      if (path.includes('\0')) return refuse('invalidParams', 'The path contains a NUL byte.');
      if (!isAbsolute(path)) return refuse('invalidParams', `The path must be absolute: ${path}`);
      const real = await followLinks(path);
      if (real === undefined) return refuse('invalidParams', `The path cannot be resolved: ${path}`);
      const root = rootOf(real);
      if (root === undefined)
        return refuse('invalidParams', `Outside the workspace (${roots.join(', ')}): ${path}`);
      return accept({path: real, root, names: relative(root, real).split(sep).filter(Boolean)});
    },
  };
}

/** Bytes of a path on Linux, with the one that ends it: no file has a longer one. */
export const MAX_PATH = 4096;

/** True for a path that no file can have. */
export function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) >= MAX_PATH;
}

/**
 * Like realpath, but the end of the path need not exist: the deepest existing part is resolved, a dangling link leads to its target. Undefined for loops, for
 * `..` after a missing name, and for paths without access or that are too long. Paths are split and joined as text, since node:path resolves `..` before links.
 */
export async function followLinks(path: string, linksLeft = 40): Promise<string | undefined> {
  if (isTooLong(path)) return undefined;
  const missing: string[] = [];
  // With a slash after it, lstat would follow a link.
  for (let existing = withoutIdleSlashes(path); ; existing = dirname(existing)) {
    try {
      return join(await realpath(existing), ...missing);
    } catch (error) {
      if (!isMissing(error)) return undefined;
    }
    const target = await readlink(existing).catch(() => undefined);
    if (target !== undefined) {
      if (linksLeft === 0) return undefined;
      const start = isAbsolute(target) ? target : `${dirname(existing)}/${target}`;
      return followLinks([start, ...missing].join('/'), linksLeft - 1);
    }
    const name = basename(existing);
    if (name === '..') return undefined;
    if (name !== '.') missing.unshift(name);
  }
}

function withoutIdleSlashes(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
