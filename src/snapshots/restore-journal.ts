import {randomBytes} from 'node:crypto';
import {linkSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {codeOf, PRIVATE_FILE, readFileIfAny} from '../shared/files/safe-files.ts';
import {isRunning, ownIdentity} from '../shared/processes/process-identity.ts';
import {jsonOf} from '../text/json.ts';
import {SnapshotProblem, type SnapshotRepository} from './repository.ts';

const version = z.object({
  path: z.string(),
  kind: z.enum(['file', 'link']),
  permissions: z.number(),
  id: z.string(),
});
export const restoreStep = z.object({
  path: z.string(),
  from: z.optional(version),
  to: z.optional(version),
  /** The folder above it that stays, even if it is empty then. */
  folder: z.optional(z.string()),
  /** A file that is older is not deleted: it had another name, which no snapshot may cover. In milliseconds since the epoch. */
  createdAfter: z.optional(z.number()),
});
/**
 * Replaces `from` at a path by `to`; undefined for no file. The contents of both must be in the repository: that of `to` is written, and that of `from` is the
 * only remaining copy.
 */
export type RestoreStep = z.infer<typeof restoreStep>;

/** A restore in progress. A process that finds one of an ended process finishes it. */
const journal = z.object({
  owner: z.object({pid: z.number(), started: z.string()}),
  /** Part of the names of temporary files. */
  token: z.string(),
  steps: z.array(restoreStep),
});
export type RestoreJournal = z.infer<typeof journal>;

function journalFile({gitDir}: SnapshotRepository): string {
  return join(gitDir, 'restore.json');
}

/** Stores the steps atomically; throws a SnapshotProblem if a process is already restoring files of the folder. */
export function beginJournal(repository: SnapshotRepository, steps: readonly RestoreStep[]): RestoreJournal {
  const begun = {owner: ownIdentity(), token: randomBytes(6).toString('hex'), steps: [...steps]};
  const file = journalFile(repository);
  const next = `${file}.${begun.token}`;
  try {
    writeFileSync(next, JSON.stringify(begun satisfies RestoreJournal), {mode: PRIVATE_FILE, flush: true});
    linkSync(next, file);
  } catch (error) {
    throw codeOf(error) === 'EEXIST'
      ? new SnapshotProblem('another window is restoring files of this folder')
      : error;
  } finally {
    rmSync(next, {force: true});
  }
  return begun;
}

export function endJournal(repository: SnapshotRepository): void {
  rmSync(journalFile(repository), {force: true});
}

/** Returns the journal of an ended process. One that a bad disk has damaged is moved aside: nothing could finish its restore, and it would block all others. */
export function abandonedJournal(repository: SnapshotRepository): RestoreJournal | undefined {
  const file = journalFile(repository);
  const text = readFileIfAny(file, Infinity);
  if (text === undefined) return undefined;
  const begun = journal.safeParse(jsonOf(text)).data;
  if (!begun) renameSync(file, `${file}.damaged`);
  return begun && !isRunning(begun.owner) ? begun : undefined;
}

const TEMPORARY = /(?:^|\/)\.acp-tui-[0-9a-f]{12}-\d+\.(?:new|old)$/;

/** Returns the temporary names of a step's new file before it is in place, and of its old file after it was moved away. */
export function temporaryNames(
  {token}: RestoreJournal,
  index: number,
): {readonly next: string; readonly old: string} {
  return {next: `.acp-tui-${token}-${index}.new`, old: `.acp-tui-${token}-${index}.old`};
}

/** True for temporary files of a restore, which snapshots leave out. */
export function isTemporary(path: string): boolean {
  return TEMPORARY.test(path);
}
