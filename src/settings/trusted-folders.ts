import {join} from 'node:path';
import * as z from 'zod/mini';
import {tryFileOperation} from '../shared/files/file-failure.ts';
import type {Result} from '../shared/failure.ts';
import {realpathOrItself} from '../shared/files/folders.ts';
import {readJson, writeJson} from '../shared/files/json-file.ts';

/** Folders with trusted settings, by their real path, and the hash of these settings. */
const trusted = z.record(z.string(), z.string());

/** True if the user has trusted exactly these settings of this folder. If the file is unreadable, nothing is trusted. */
export function isTrusted(state: string, folder: string, hash: string): boolean {
  return readJson(fileIn(state), trusted)?.[realpathOrItself(folder)] === hash;
}

/** True if the user has trusted settings of this folder, these or earlier ones. */
export function wasTrusted(state: string, folder: string): boolean {
  return readJson(fileIn(state), trusted)?.[realpathOrItself(folder)] !== undefined;
}

/** Stores the trust, replacing an earlier one. */
export function trustFolder(state: string, folder: string, hash: string): Result<void> {
  const path = fileIn(state);
  return tryFileOperation(path, () =>
    writeJson(path, {...readJson(path, trusted), [realpathOrItself(folder)]: hash}),
  );
}

function fileIn(state: string): string {
  return join(state, 'trusted-folders.json');
}
