import {constants} from 'node:fs';
import {link, lstat, open, readlink, rename, symlink, unlink} from 'node:fs/promises';
import {codeOf, ignoreMissing} from '../shared/files/safe-files.ts';
import type {FileVersion} from './differences.ts';
import {blobIdOf} from '../git/blob-id.ts';

/** The paths for replacing a file, all in one folder, as bytes. */
interface Places {
  readonly at: Buffer;
  /** Where the new file is written first. */
  readonly next: Buffer;
  /** Where the old file stays until it is certain that it was not modified. */
  readonly old: Buffer;
}

interface Replacement {
  /** The expected current version; undefined for no file. */
  readonly from: FileVersion | undefined;
  /** The new version with its content; undefined to delete the file. */
  readonly to: (FileVersion & {readonly bytes: Buffer}) | undefined;
}

/**
 * Replaces a file; false if it is not `from` any more, or changes meanwhile: then the other version stays in place, or next to it as `<name>.acp-tui-kept`.
 * The old file is moved away first, so that no file is ever overwritten; `restoreMovedFile` restores it after a kill. Throws errors of the file system.
 */
export async function replaceFile({at, next, old}: Places, {from, to}: Replacement): Promise<boolean> {
  try {
    // First, so that nothing has changed if the disk is full.
    if (to) await create(next, to);
    if (from) await rename(at, old);
    const isReplaced = (!from || (await isVersionAt(old, from))) && (!to || (await moveToFree(next, at)));
    if (!from) return isReplaced;
    // A process that had opened it may have written to it until now.
    const isUnchanged = isReplaced && (await isVersionAt(old, from));
    await (isUnchanged ? unlink(old) : restoreMovedFile({at, old}, from));
    return isUnchanged;
  } catch (error) {
    await restoreMovedFile({at, old}, from);
    throw error;
  } finally {
    await unlink(next).catch(ignoreMissing);
  }
}

/** Restores a file that was moved away. If another file has taken its place, that one is removed if it is `from`, otherwise kept next to it. */
export async function restoreMovedFile(
  {at, old}: Omit<Places, 'next'>,
  from: FileVersion | undefined,
): Promise<void> {
  if (!(await exists(old)) || (await moveToFree(old, at))) return;
  if (from && (await isVersionAt(old, from))) return unlink(old);
  for (let count = 1; ; count++) {
    const beside = Buffer.concat([at, Buffer.from(`.acp-tui-kept${count === 1 ? '' : `-${count}`}`)]);
    if (await moveToFree(old, beside)) return;
  }
}

/** True if exactly this version is at the path; undefined for no file. */
async function isVersionAt(at: Buffer, wanted: FileVersion | undefined): Promise<boolean> {
  return (await versionAt(at, [wanted])) === 0;
}

/** Returns the index of the version that is at the path, -1 for another one; undefined for no file. Reads the file once at most. */
export async function versionAt(at: Buffer, versions: readonly (FileVersion | undefined)[]): Promise<number> {
  try {
    const stats = await lstat(at);
    const kind = stats.isSymbolicLink() ? 'link' : stats.isFile() ? 'file' : 'other';
    const mode = stats.mode & 0o7777;
    const mayBe = (version: FileVersion | undefined) =>
      version?.kind === kind && (kind === 'link' || version.permissions === mode);
    if (!versions.some(mayBe)) return -1;
    const id = await blobIdOf(at, stats);
    return versions.findIndex((version) => mayBe(version) && version?.id === id);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return versions.indexOf(undefined);
    throw error;
  }
}

async function exists(at: Buffer): Promise<boolean> {
  return !(await isVersionAt(at, undefined));
}

/** Moves a file or link to an unused path; false if it is used. Without hard links, there is a short race after the check. */
async function moveToFree(from: Buffer, to: Buffer): Promise<boolean> {
  try {
    const stats = await lstat(from);
    // Some systems follow a link when hard-linking it.
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
