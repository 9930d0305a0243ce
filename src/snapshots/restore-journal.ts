import {randomBytes} from 'node:crypto';
import {linkSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {codeOf, PRIVATE_FILE, textIfAny} from '../storage/files.ts';
import {isRunning, ownIdentity} from '../storage/process-identity.ts';
import {SnapshotProblem, type SnapshotRepository} from './repository.ts';

const version = z.object({
  path: z.string(),
  kind: z.enum(['file', 'link']),
  permissions: z.number(),
  id: z.string(),
});
const step = z.object({path: z.string(), from: z.optional(version), to: z.optional(version)});
/**
 * What becomes of a path: where `from` is, `to` takes its place; undefined is no file. The bytes of both must be in the repository: those of
 * `to` are written, those of `from` are all that is left of the file afterwards.
 */
export type RestoreStep = z.infer<typeof step>;

/** A restore that has begun. Whoever finds one of a process that is gone finishes it. */
const journal = z.object({
  owner: z.object({pid: z.number(), started: z.string()}),
  /** Part of the names of temporary files. */
  token: z.string(),
  steps: z.array(step),
});
export type RestoreJournal = z.infer<typeof journal>;

function journalFile({gitDir}: SnapshotRepository): string {
  return join(gitDir, 'restore.json');
}

/** Stores what is about to be done, in one step; throws a SnapshotProblem where a process restores files of the folder already. */
export function beginJournal(repository: SnapshotRepository, steps: readonly RestoreStep[]): RestoreJournal {
  const begun = {owner: ownIdentity(), token: randomBytes(6).toString('hex'), steps: [...steps]};
  const file = journalFile(repository);
  const next = `${file}.${begun.token}`;
  writeFileSync(next, JSON.stringify(begun satisfies RestoreJournal), {mode: PRIVATE_FILE, flush: true});
  try {
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

/** Returns the journal of a process that is gone. */
export function abandonedJournal(repository: SnapshotRepository): RestoreJournal | undefined {
  const text = textIfAny(journalFile(repository), Infinity);
  if (text === undefined) return undefined;
  const begun = journal.parse(JSON.parse(text));
  return isRunning(begun.owner) ? undefined : begun;
}

const TEMPORARY = /(?:^|\/)\.acp-tui-[0-9a-f]{12}-\d+\.(?:new|old)$/;

/** Returns the names that a step's file has until it is in its place, and after it was taken from there. */
export function temporaryNames(
  {token}: RestoreJournal,
  index: number,
): {readonly next: string; readonly old: string} {
  return {next: `.acp-tui-${token}-${index}.new`, old: `.acp-tui-${token}-${index}.old`};
}

/** True for files that are there while files are restored; snapshots leave them out. */
export function isTemporary(path: string): boolean {
  return TEMPORARY.test(path);
}
