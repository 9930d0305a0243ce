import {execFile} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {constants, type Stats} from 'node:fs';
import {lstat, open, rename, unlink, type FileHandle} from 'node:fs/promises';
import {promisify} from 'node:util';
import {ownEnvironment} from '../../shared/processes/executable.ts';
import {requireFile} from './file-errors.ts';
import type {Folder} from './folder.ts';
import {codeOf} from '../../shared/files/safe-files.ts';

interface Target {
  readonly folder: Folder;
  readonly name: string;
  /** Its path for messages to the agent. */
  readonly path: string;
}

/**
 * Writes a file atomically: a temporary file in the same folder gets its mode and then replaces it. If that would break hard links, change the owner or lose
 * an access list, or the folder accepts no new file, it is written in place; then the result is the reason. Throws refusals and errors of the file system.
 * @param check called right before the file changes; if it throws, nothing has changed
 */
export async function writeFile(
  target: Target,
  bytes: Buffer,
  check?: () => Promise<void>,
): Promise<{inPlace?: string}> {
  const at = target.folder.at(target.name);
  const existing = await lstatIfAny(at);
  if (existing) {
    requireFile(target.path, existing);
    // A rename would succeed even if the file itself is read-only.
    await (await openExisting(at)).close();
  }
  const reason = existing && (await whyInPlace(at, existing));
  const problem = reason ?? (await replace(target, {bytes, existing, check}));
  if (problem === undefined) return {};
  await check?.();
  await overwrite(target, bytes);
  return {inPlace: problem};
}

async function whyInPlace(at: string, existing: Stats): Promise<string | undefined> {
  if (existing.nlink > 1) return 'it has more than one name (hard links)';
  if (await hasAccessList(at)) return 'it has an access control list';
  return undefined;
}

interface Replacement {
  readonly bytes: Buffer;
  readonly existing: Stats | undefined;
  readonly check: (() => Promise<void>) | undefined;
}

/** Returns why the file must be written in place; undefined if it was replaced. */
async function replace({folder, name}: Target, replacement: Replacement): Promise<string | undefined> {
  const {existing, check} = replacement;
  const temporary = folder.at(`.acp-tui-${randomBytes(8).toString('hex')}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  let handle: FileHandle;
  try {
    handle = await open(temporary, flags, existing ? 0o600 : 0o666);
  } catch (error) {
    if (existing && isForbidden(error)) return 'its folder accepts no new files';
    throw error;
  }
  let inItsPlace = false;
  try {
    if (!(await fill(handle, replacement))) return 'it belongs to another user or group';
    await check?.();
    await rename(temporary, folder.at(name));
    inItsPlace = true;
    return undefined;
  } finally {
    if (!inItsPlace) await unlink(temporary).catch(() => undefined);
  }
}

/** Writes the new file; false if it cannot replace the existing one. Closes the handle. */
async function fill(handle: FileHandle, {bytes, existing}: Replacement): Promise<boolean> {
  try {
    if (existing) {
      const {uid, gid} = await handle.stat();
      if (uid !== existing.uid || gid !== existing.gid) return false;
      await handle.chmod(existing.mode & 0o7777);
    }
    await handle.writeFile(bytes);
    await handle.sync();
    return true;
  } finally {
    await handle.close();
  }
}

async function overwrite({folder, name, path}: Target, bytes: Buffer): Promise<void> {
  const handle = await openExisting(folder.at(name));
  try {
    requireFile(path, await handle.stat());
    await handle.writeFile(bytes);
    await handle.truncate(bytes.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** O_NONBLOCK: if it has become a FIFO, opening must not hang. */
function openExisting(at: string): Promise<FileHandle> {
  return open(at, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

async function lstatIfAny(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '');
}

const run = promisify(execFile);
/** On a file system that does not answer, `ls` may wait for ever. */
const LIST_MS = 5000;

/** True if a file has an access control list beyond its mode. Node has no API for it. False where `ls` does not support it. */
async function hasAccessList(path: string): Promise<boolean> {
  try {
    const {stdout} = await run('ls', [process.platform === 'darwin' ? '-lde' : '-ld', '--', path], {
      env: {...ownEnvironment(), LC_ALL: 'C'},
      timeout: LIST_MS,
      killSignal: 'SIGKILL',
    });
    return marksAccessList(stdout);
  } catch {
    return false;
  }
}

/**
 * Reads what `ls -l` prints of a file: a `+` after the mode, or, with `-e` on macOS, the entries of its list in lines of their own. There, an `@` for other
 * attributes takes the place of the `+`.
 */
export function marksAccessList(printed: string): boolean {
  return printed.charAt(10) === '+' || /\n *\d+: /.test(printed);
}
