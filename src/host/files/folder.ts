import {constants} from 'node:fs';
import {mkdir, open, realpath, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import {throwRefusal} from './file-errors.ts';
import type {Place} from './roots.ts';

/** A folder that stays the one it was when it was checked, whatever its path leads to by now. */
export interface Folder {
  /** A path for file calls that names an entry of exactly this folder. */
  at(name: string): string;
  /** The same for the folder itself. */
  readonly path: string;
  close(): Promise<void>;
}

/** `O_PATH` of Linux, which Node has no name for: a handle to walk through, without the right to list. */
const O_PATH = 0o10000000;
const WALK = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens the folder that the place lies in, and makes it where `create` says so. `place` holds no links, so a link on the way
 * has been put there since it was checked: the walk fails. Elsewhere than on Linux the path is only checked again, which
 * leaves a moment in which a link that is exchanged very fast is followed. Errors are those of the file system.
 */
export function openFolder(place: Place, options: {readonly create: boolean}): Promise<Folder> {
  return openAt(place.root, place.names.slice(0, -1), options);
}

/** Opens the folder that these names lead to, as bytes, since names need not be UTF-8. */
export function openRawFolder(
  root: string,
  names: readonly Buffer[],
  options: {readonly create: boolean},
): Promise<Folder> {
  return openAt(root, names, options);
}

/** The same for the path itself, which must be a folder. */
export function openPlace({root, names}: Place): Promise<Folder> {
  return openAt(root, names, {create: false});
}

function openAt(
  root: string,
  names: readonly (string | Buffer)[],
  options: {readonly create: boolean},
): Promise<Folder> {
  return process.platform === 'linux' ? walk(root, names, options) : check(root, names, options);
}

async function walk(
  root: string,
  names: readonly (string | Buffer)[],
  {create}: {readonly create: boolean},
): Promise<Folder> {
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

/** By our pid and not `self`: a program that we start has to find it too. */
function viaHandle(handle: FileHandle): string {
  return `/proc/${process.pid}/fd/${handle.fd}`;
}

async function makeFolder(path: Buffer): Promise<void> {
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

async function check(
  root: string,
  names: readonly (string | Buffer)[],
  {create}: {readonly create: boolean},
): Promise<Folder> {
  const path = join(root, ...names.map(String));
  if (create) await mkdir(path, {recursive: true});
  if ((await realpath(path)) !== path)
    throw Object.assign(new Error('a link appeared on the way'), {code: 'ELOOP'});
  return {path, at: (name) => join(path, name), close: async () => {}};
}

/** Works in the folder that a place lies in; throws refusals and errors of the file system. */
export async function withFolder<T>(
  place: Place,
  options: {readonly create: boolean},
  work: (folder: Folder, name: string) => Promise<T>,
): Promise<T> {
  const name = place.names.at(-1) ?? throwRefusal('invalidParams', `It is a folder: ${place.path}`);
  const folder = await openFolder(place, options);
  try {
    return await work(folder, name);
  } finally {
    await folder.close();
  }
}
