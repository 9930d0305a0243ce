import {realpathSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import type {Result} from '../../shared/failure.ts';
import {makeFolder, replaceFile, readRegularFile} from '../files.ts';

/** Folders with trusted settings, and the hash of these settings. */
const trusted = z.record(z.string(), z.string());

/** True if the user has trusted exactly these settings of this folder. */
export function isTrusted(state: string, folder: string, hash: string): boolean {
  return read(state)[realFolder(folder)] === hash;
}

/** Stores the trust, replacing an earlier one. */
export function trustFolder(state: string, folder: string, hash: string): Result<void> {
  const path = fileIn(state);
  try {
    makeFolder(state);
    replaceFile(path, `${JSON.stringify({...read(state), [realFolder(folder)]: hash}, undefined, 2)}\n`);
    return {ok: true, value: undefined};
  } catch (error) {
    return {ok: false, failure: {kind: 'file', path, problem: String(error)}};
  }
}

/** If the file is unreadable, nothing is trusted. */
function read(state: string): z.infer<typeof trusted> {
  try {
    const parsed = trusted.safeParse(JSON.parse(readRegularFile(fileIn(state))));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

function fileIn(state: string): string {
  return join(state, 'trusted-folders.json');
}

/** A folder is identified by its real path. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
