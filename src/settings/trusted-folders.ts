import * as z from 'zod/mini';
import type {Result} from '../shared/failure.ts';
import {fileFailed} from '../shared/files/file-failure.ts';
import {realpathOrItself} from '../shared/files/folders.ts';
import {stateFile} from '../shared/files/json-file.ts';

/** Folders with trusted settings, by their real path, and the hash of these settings. */
const file = stateFile('trusted-folders.json', z.record(z.string(), z.string()));

/** True if the user has trusted exactly these settings of this folder. If the file is unreadable, nothing is trusted. */
export function isTrusted(state: string, folder: string, hash: string): boolean {
  return file.read(state)?.[realpathOrItself(folder)] === hash;
}

/** True if the user has trusted settings of this folder, these or earlier ones. */
export function wasTrusted(state: string, folder: string): boolean {
  return file.read(state)?.[realpathOrItself(folder)] !== undefined;
}

/** Returns the file, if it cannot be read: what is trusted is unknown then. */
export function unreadableTrust(state: string): string | undefined {
  return file.isUnreadable(state) ? file.pathIn(state) : undefined;
}

/** Stores the trust, replacing an earlier one. */
export function trustFolder(state: string, folder: string, hash: string): Result<void> {
  const unreadable = unreadableTrust(state);
  // What it says of other folders would be lost.
  if (unreadable !== undefined)
    return fileFailed(unreadable, 'it cannot be read; remove it if it is damaged');
  return file.write(state, {...file.read(state), [realpathOrItself(folder)]: hash});
}

/** Forgets what the user trusted in a folder. */
export function forgetFolder(state: string, folder: string): Result<void> {
  const {[realpathOrItself(folder)]: _, ...others} = file.read(state) ?? {};
  return file.write(state, others);
}
