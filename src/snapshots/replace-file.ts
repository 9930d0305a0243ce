import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {link, lstat, open, readFile, readlink, rename, symlink, unlink} from 'node:fs/promises';
import {codeOf} from '../storage/files.ts';
import type {FileVersion} from './differences.ts';

/** The places of one file, in one folder, as bytes. */
interface Places {
  readonly at: Buffer;
  /** Where a new file is written first. */
  readonly next: Buffer;
  /** Where what was there stays until it is sure that nobody wrote to it. */
  readonly old: Buffer;
}

interface Replacement {
  /** What is there; undefined is nothing. */
  readonly from: FileVersion | undefined;
  /** What takes its place, with its bytes; undefined is nothing. */
  readonly to: (FileVersion & {readonly bytes: Buffer}) | undefined;
}

/**
 * Replaces a file; false where it is not `from` any more, or changes meanwhile: then what somebody else wrote is still there, or beside it
 * as `<name>.acp-tui-kept`. The old file is moved away before the new one takes its place, so a file is never overwritten; killed in
 * between, `putBack` puts it back. Errors are those of the file system.
 */
export async function replaceFile({at, next, old}: Places, {from, to}: Replacement): Promise<boolean> {
  try {
    // First: with a full disk, nothing is changed.
    if (to) await create(next, to);
    if (from) await rename(at, old);
    const isReplaced = (!from || (await isThere(old, from))) && (!to || (await moveToFree(next, at)));
    if (!from) return isReplaced;
    // It may have been written to until now by who had opened it before.
    const isUnchanged = isReplaced && (await isThere(old, from));
    await (isUnchanged ? unlink(old) : putBack({at, old}, from));
    return isUnchanged;
  } catch (error) {
    await putBack({at, old}, from);
    throw error;
  } finally {
    await unlink(next).catch(ignoreMissing);
  }
}

/** Puts back what was moved away. Where something else is by now, it is removed if it is `from`, otherwise kept beside it. */
export async function putBack({at, old}: Omit<Places, 'next'>, from: FileVersion | undefined): Promise<void> {
  if (!(await exists(old)) || (await moveToFree(old, at))) return;
  if (from && (await isThere(old, from))) return unlink(old);
  for (let count = 1; ; count++) {
    const beside = Buffer.concat([at, Buffer.from(`.acp-tui-kept${count === 1 ? '' : `-${count}`}`)]);
    if (await moveToFree(old, beside)) return;
  }
}

/** True if exactly this is at a path; undefined is nothing. */
export async function isThere(at: Buffer, wanted: FileVersion | undefined): Promise<boolean> {
  try {
    const stats = await lstat(at);
    if (!wanted) return false;
    if (wanted.kind === 'link')
      return stats.isSymbolicLink() && idOf(await readlink(at, 'buffer')) === wanted.id;
    if (!stats.isFile() || (stats.mode & 0o7777) !== wanted.permissions) return false;
    return idOf(await readFile(at)) === wanted.id;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return !wanted;
    throw error;
  }
}

/** Git's id of these bytes. */
function idOf(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

async function exists(at: Buffer): Promise<boolean> {
  return !(await isThere(at, undefined));
}

/** Moves a file or link to where nothing is; false if something is there. Where no hard link can be made, a moment passes after it was looked. */
async function moveToFree(from: Buffer, to: Buffer): Promise<boolean> {
  try {
    const stats = await lstat(from);
    // Some systems follow a link that they are to link to.
    if (stats.isSymbolicLink()) await symlink(await readlink(from, 'buffer'), to);
    else await link(from, to);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (await exists(to)) return false;
    await rename(from, to);
    return true;
  }
  await unlink(from);
  return true;
}

async function create(
  path: Buffer,
  {kind, permissions, bytes}: NonNullable<Replacement['to']>,
): Promise<void> {
  if (kind === 'link') return symlink(bytes, path);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(path, flags, 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.chmod(permissions);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}
