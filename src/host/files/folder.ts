import {constants} from 'node:fs';
import {mkdir, open, realpath, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import {throwRefusal} from './file-errors.ts';
import type {RootedPath} from './roots.ts';

/** A handle to a folder: stays the same folder, whatever its path leads to later. */
export interface Folder {
  /** Returns a path for file calls that refers to an entry of exactly this folder. */
  at(name: string): string;
  /** A path for file calls that refers to exactly this folder. */
  readonly path: string;
  close(): Promise<void>;
}

/** Linux's `O_PATH`, which Node does not export: a handle for traversal, without permission to list. */
const O_PATH = 0o10000000;
const WALK = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens the folder with these names, which need not be UTF-8, below a root, and creates it if `create` is set. The names contain no links, so a link on the
 * way was put there after the check, and opening fails. On systems other than Linux the path is only checked again, which leaves a short race. Throws errors
 * of the file system.
 */
export async function openFolder(
  root: string,
  names: readonly (string | Buffer)[],
  create = false,
): Promise<Folder> {
  if (process.platform !== 'linux') return check(root, names, create);
  let handle = await open(root, WALK);
  for (const name of names) {
    const path = Buffer.concat([Buffer.from(`${viaHandle(handle)}/`), Buffer.from(name)]);
    try {
      if (create) await makeFolder(path);
      const next = await open(path, WALK);
      await handle.close();
      handle = next;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
  const path = viaHandle(handle);
  return {path, at: (name) => join(path, name), close: () => handle.close()};
}

/** With the pid and not `self`, so that a child process can resolve it too. */
function viaHandle(handle: FileHandle): string {
  return `/proc/${process.pid}/fd/${handle.fd}`;
}

async function makeFolder(path: Buffer): Promise<void> {
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

async function check(root: string, names: readonly (string | Buffer)[], create: boolean): Promise<Folder> {
  const path = join(root, ...names.map(String));
  if (create) await mkdir(path, {recursive: true});
  if ((await realpath(path)) !== path)
    throw Object.assign(new Error('a link appeared on the way'), {code: 'ELOOP'});
  return {path, at: (name) => join(path, name), close: async () => {}};
}

/** Runs an operation in the folder of a place; throws refusals and errors of the file system. */
export async function withFolder<T>(
  place: RootedPath,
  {create}: {readonly create: boolean},
  work: (folder: Folder, name: string) => Promise<T>,
): Promise<T> {
  const name = place.names.at(-1) ?? throwRefusal('invalidParams', `It is a folder: ${place.path}`);
  const folder = await openFolder(place.root, place.names.slice(0, -1), create);
  try {
    return await work(folder, name);
  } finally {
    await folder.close();
  }
}
