import {createHash} from 'node:crypto';
import {existsSync, lstatSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileFailed, tryFileOperation} from '../shared/files/file-failure.ts';
import type {Result} from '../shared/failure.ts';
import {makeFolder} from '../shared/files/safe-files.ts';
import {lockOwner} from './lock.ts';

/** Longer paths of sockets are refused by some systems, in bytes. */
const MAX_PATH = 100;
const OTHERS = 0o077;

/** Returns the folder of the service's socket and lock: in the state folder, or in a shorter one for temporary files. */
function serviceFolder(state: string): string {
  const folder = join(state, 'service');
  if (Buffer.byteLength(socketIn(folder)) <= MAX_PATH) return folder;
  const hash = createHash('sha256').update(state).digest('hex').slice(0, 16);
  return join(tmpdir(), `acp-tui-${process.getuid?.() ?? ''}-${hash}`);
}

function socketIn(folder: string): string {
  return process.platform === 'win32' ? `\\\\.\\pipe\\${folder}` : join(folder, 'socket');
}

/** True if a service of this state folder listens, or was killed. */
export function hasSocket(state: string): boolean {
  return existsSync(socketIn(serviceFolder(state)));
}

/** The files of a service. */
interface ServicePlace {
  readonly socket: string;
  /** Names the process that runs it. */
  readonly lock: string;
}

/**
 * Returns where the service of a state folder listens, in a folder that only the user can enter: that is what decides who may connect. The failure `file` if
 * the folder belongs to somebody else, or others can enter it.
 */
export function servicePlace(state: string): Result<ServicePlace> {
  const folder = serviceFolder(state);
  const made = tryFileOperation(folder, () => makeFolder(folder));
  if (!made.ok) return made;
  const {uid, mode} = lstatSync(folder);
  const isOpen = process.platform !== 'win32' && (uid !== process.getuid?.() || (mode & OTHERS) !== 0);
  if (isOpen) return fileFailed(folder, 'other users can enter it; chmod 700 changes that');
  return {ok: true, value: {socket: socketIn(folder), lock: join(folder, 'owner.json')}};
}

/** Returns the process of the running service; undefined if it is not known. */
export function serviceProcess(state: string): number | undefined {
  const place = hasSocket(state) ? servicePlace(state) : undefined;
  return place?.ok && existsSync(place.value.lock) ? lockOwner(place.value.lock) : undefined;
}
