import {readdirSync, readFileSync, renameSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileNameOf, ownerOf} from './journal-files.ts';
import {isEmpty, parseJournal, type JournalState} from './journal-state.ts';
import {isRunning, ownIdentity} from './process-identity.ts';

/** What a process that was killed has left behind. */
export interface Orphan {
  readonly state: JournalState;
  /** When it was last changed, in milliseconds since the epoch. */
  readonly at: number;
  /** Takes it over; false when another process was faster. Its file goes with the next `write`, and not before. */
  claim(): boolean;
}

/** The orphans of this working folder, newest first. `claimed` collects the files that are taken over. */
export function findOrphans(folder: string, {cwd, claimed}: {cwd: string; claimed: string[]}): Orphan[] {
  const orphans: Orphan[] = [];
  for (const name of namesIn(folder)) {
    const owner = ownerOf(name);
    if (!owner || isRunning(owner)) continue;
    const orphan = readOrphan(join(folder, name), claimed);
    if (orphan?.cwd === cwd && !isEmpty(orphan.state)) orphans.push(orphan);
  }
  return orphans.sort((one, other) => other.at - one.at);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A file that cannot be understood is set aside: it may still hold what somebody typed. */
function readOrphan(file: string, claimed: string[]): (Orphan & {readonly cwd: string}) | undefined {
  try {
    const at = statSync(file).mtimeMs;
    const found = parseJournal(readFileSync(file, 'utf8'));
    if (found) return {cwd: found.cwd, state: found.state, at, claim: () => claim(file, claimed)};
    renameSync(file, `${file}.broken`);
  } catch {
    // Another process has just taken it, or it cannot be read: not ours to offer.
  }
  return undefined;
}

/** Gives the file a name of ours: only one process can, and when this one is killed too, the file is an orphan again. */
function claim(file: string, claimed: string[]): boolean {
  const taken = join(dirname(file), fileNameOf(ownIdentity(), claimed.length));
  try {
    renameSync(file, taken);
    claimed.push(taken);
    return true;
  } catch {
    return false;
  }
}
