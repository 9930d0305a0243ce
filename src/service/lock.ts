import {linkSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import * as z from 'zod/mini';
import {isRunning, ownIdentity} from '../shared/processes/process-identity.ts';
import {codeOf, PRIVATE_FILE} from '../shared/files/safe-files.ts';
import {jsonOf} from '../text/json.ts';

const identity = z.object({pid: z.number(), started: z.string()});

/** Takes a lock that ends with its process; undefined if a running process has it. */
export function takeLock(path: string): {readonly release: () => void} | undefined {
  const text = JSON.stringify(ownIdentity());
  // The second attempt is after the lock of a process that has ended.
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeWhole(path, text);
      return {release: () => rmSync(path, {force: true})};
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (!removeIfAbandoned(path)) return undefined;
  }
  return undefined;
}

/** Fails if it exists. Nobody reads half of it: what names no process counts as abandoned. */
function writeWhole(path: string, text: string): void {
  const written = `${path}.${process.pid}.new`;
  try {
    writeFileSync(written, text, {mode: PRIVATE_FILE});
    linkSync(written, path);
  } finally {
    rmSync(written, {force: true});
  }
}

/** Two processes may find the same abandoned lock: only the one that has moved it removes it. */
function removeIfAbandoned(path: string): boolean {
  const moved = `${path}.${process.pid}`;
  try {
    if (isTaken(path)) return false;
    renameSync(path, moved);
    const isOther = isTaken(moved);
    if (isOther) renameSync(moved, path);
    else rmSync(moved);
    return !isOther;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
}

function isTaken(path: string): boolean {
  return lockOwner(path) !== undefined;
}

/** Returns the process that has the lock; undefined if it has ended. Throws if there is none. */
export function lockOwner(path: string): number | undefined {
  const owner = identity.safeParse(jsonOf(readFileSync(path, 'utf8'))).data;
  return owner !== undefined && isRunning(owner) ? owner.pid : undefined;
}
