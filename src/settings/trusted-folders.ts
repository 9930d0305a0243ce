import * as z from 'zod/mini';
import type {Result} from '../shared/failure.ts';
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

/** Stores the trust, replacing an earlier one. */
export function trustFolder(state: string, folder: string, hash: string): Result<void> {
  return file.write(state, {...file.read(state), [realpathOrItself(folder)]: hash});
}
