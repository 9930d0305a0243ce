import {mkdirSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import * as z from 'zod/mini';
import {readJson, writeJson} from '../shared/files/json-file.ts';
import {codeOf, makeFolder, namesIn} from '../shared/files/safe-files.ts';
import {isRunning, ownIdentity} from '../shared/processes/process-identity.ts';
import {restoreStep} from '../snapshots/restore-journal.ts';
import {createRepositoryAt, repositoryAt, type SnapshotRepository} from '../snapshots/repository.ts';
import {WorktreeProblem} from './worktree-git.ts';

const identity = z.object({pid: z.number(), started: z.string()});

/** What is known of a worktree; written before each step, so that an interrupted one can be named and finished. */
const worktreeRecord = z.object({
  name: z.string(),
  branch: z.string(),
  /** The top of the worktree, absolute. */
  folder: z.string(),
  /** The path of the session's folder in it, with `/` at the end; '' for the top. */
  prefix: z.string(),
  /** The top of the work tree that it was made from, absolute. */
  source: z.string(),
  /** The branch that was checked out there; undefined for a detached HEAD. */
  sourceBranch: z.optional(z.string()),
  /** The repository's git folder, which all its worktrees share. */
  common: z.string(),
  /** The commit that it began with. */
  head: z.string(),
  /** The snapshot that it began with, or of what was brought to the source since. Missing while it is created. */
  base: z.optional(z.string()),
  createdAt: z.number(),
  /** Ignored files that were copied, and folders that were linked, because a setting says so. */
  copied: z.array(z.string()),
  /** What is going on. */
  step: z.discriminatedUnion('kind', [
    z.object({kind: z.literal('creating')}),
    z.object({kind: z.literal('ready')}),
    // Records of earlier versions have no steps.
    z.object({kind: z.literal('applying'), to: z.string(), steps: z.optional(z.array(restoreStep))}),
    z.object({
      kind: z.literal('merging'),
      to: z.string(),
      branch: z.string(),
      from: z.string(),
      result: z.string(),
      steps: z.array(restoreStep),
    }),
    z.object({kind: z.literal('removing'), tip: z.string()}),
    z.object({kind: z.literal('releasing')}),
  ]),
  /** Who does that. */
  owner: identity,
  /** The process that runs its session. */
  lock: z.optional(identity),
});
export type WorktreeRecord = z.infer<typeof worktreeRecord>;

/** Where acp-tui keeps what it knows of worktrees; no agent can read it. */
export function recordsFolder(state: string): string {
  return join(state, 'worktrees');
}

function recordFile(state: string, name: string): string {
  return join(recordsFolder(state), name, 'worktree.json');
}

/** Reserves a name; false if it is taken. */
export function reserveName(state: string, name: string): boolean {
  const folder = dirname(recordFile(state, name));
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, {mode: 0o700});
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

/** Returns the worktrees by name. A name that was reserved by a killed process has none. */
export function readRecords(state: string): readonly WorktreeRecord[] {
  return namesIn(recordsFolder(state)).flatMap((name) => readRecord(state, name) ?? []);
}

export function readRecord(state: string, name: string): WorktreeRecord | undefined {
  return readJson(recordFile(state, name), worktreeRecord);
}

/** Stores a record, changed; returns it. The step is this process's. */
export function writeRecord(
  state: string,
  record: WorktreeRecord,
  change: Partial<WorktreeRecord> = {},
): WorktreeRecord {
  const next = {...record, ...change, owner: ownIdentity()};
  writeJson(recordFile(state, record.name), next);
  return next;
}

/** Stores what this process begins to do with a worktree; returns the record. Throws a WorktreeProblem if another process does something with it. */
export function beginStep(
  state: string,
  {name}: WorktreeRecord,
  step: WorktreeRecord['step'],
): WorktreeRecord {
  const record = readRecord(state, name);
  if (!record) throw new WorktreeProblem('it is gone');
  const {owner} = record;
  if (record.step.kind !== 'ready' && owner.pid !== process.pid && isRunning(owner))
    throw new WorktreeProblem(`process ${owner.pid} is ${record.step.kind} it`);
  return writeRecord(state, record, {step});
}

/** Returns a failure; if a step had begun, it is over. Otherwise a later process would finish what was said to have failed. */
export function stepFailed<Failed>(state: string, begun: WorktreeRecord | undefined, failed: Failed): Failed {
  try {
    if (begun && readRecord(state, begun.name)?.step.kind === begun.step.kind)
      writeRecord(state, begun, {step: {kind: 'ready'}});
  } catch {
    // A full disk: then it ends as after a kill.
  }
  return failed;
}

/** Forgets a worktree, and its snapshots. */
export function forgetRecord(state: string, name: string): void {
  rmSync(dirname(recordFile(state, name)), {recursive: true, force: true});
}

/** True while a process runs the worktree's session. */
export function isLocked({lock}: Pick<WorktreeRecord, 'lock'>): boolean {
  return lock !== undefined && isRunning(lock);
}

/** True if a step was interrupted: its process has ended. */
export function isInterrupted({step, owner}: Pick<WorktreeRecord, 'step' | 'owner'>): boolean {
  return step.kind !== 'ready' && !isRunning(owner);
}

function snapshotsFolder(state: string, name: string): string {
  return join(recordsFolder(state), name, 'git');
}

/** Returns the repository with the snapshots of a worktree, which reads the objects of the user's own; throws a SnapshotProblem. */
export async function worktreeSnapshots(
  state: string,
  {name, folder, common}: Pick<WorktreeRecord, 'name' | 'folder' | 'common'>,
): Promise<SnapshotRepository> {
  const repository = await createRepositoryAt(folder, snapshotsFolder(state, name));
  await writeAlternates(repository, common);
  return repository;
}

/** Returns the same repository for work on the source's files. */
export function sourceSnapshots(state: string, {name, source}: WorktreeRecord): SnapshotRepository {
  return repositoryAt(source, snapshotsFolder(state, name));
}

async function writeAlternates({gitDir}: SnapshotRepository, common: string): Promise<void> {
  const {writeFile} = await import('node:fs/promises');
  makeFolder(join(gitDir, 'objects', 'info'));
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), `${join(common, 'objects')}\n`, {
    mode: 0o600,
  });
}
