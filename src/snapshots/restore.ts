import {lstat, rmdir, unlink} from 'node:fs/promises';
import {openFolder} from '../host/files/folder.ts';
import {fileFailed} from '../shared/files/file-failure.ts';
import {filesOpenForWriting} from '../shared/files/open-files.ts';
import {codeOf, ignoreMissing} from '../shared/files/safe-files.ts';
import {escapeHiddenLine} from '../text/hidden.ts';
import type {Difference} from './differences.ts';
import {
  bytesOf,
  readBlobs,
  SnapshotProblem,
  textOf,
  type RawPath,
  type SnapshotRepository,
} from './repository.ts';
import {restoreMovedFile, replaceFile, versionAt} from './replace-file.ts';
import {
  abandonedJournal,
  beginJournal,
  endJournal,
  temporaryNames,
  type RestoreJournal,
  type RestoreStep,
} from './restore-journal.ts';

export interface RestoredFile {
  readonly path: RawPath;
  readonly does: 'restore' | 'delete';
  /** Why it is left unchanged. */
  readonly refused?: string;
}

/**
 * Returns the steps from the first snapshot of a difference to the second, in execution order: of `compareSnapshots(repository, {from: <the current folder>,
 * to: <the wanted one>})`. With the time of the wanted one, what it shows to be absent is deleted only if it was created since.
 */
export function restoreSteps(
  {files}: Pick<Difference, 'files'>,
  createdAfter?: number,
): readonly RestoreStep[] {
  const steps = files.flatMap(({before, after, folder}): RestoreStep[] => {
    const deleted = before && {path: before.path, from: before, ...(folder !== undefined && {folder})};
    if (!after) return deleted ? [{...deleted, ...(createdAfter !== undefined && {createdAfter})}] : [];
    const restored = {path: after.path, to: after};
    if (!deleted) return [restored];
    return before.path === after.path ? [{...restored, from: before}] : [deleted, restored];
  });
  // Files in place of future folders are removed first, and contents before their folder.
  const [gone, others] = [steps.filter(({to}) => !to), steps.filter(({to}) => to)];
  return [...gone.toReversed(), ...others];
}

/** Returns what `restore` would do, without changing anything; files that are `to` already are left out. */
export async function planRestore(
  repository: SnapshotRepository,
  steps: readonly RestoreStep[],
): Promise<readonly RestoredFile[]> {
  const refuseIfOlder = refusalOfOlderFiles();
  const refuseIfOpen = await refusalOfOpenFiles(repository);
  return attemptAll(repository, steps, {
    create: false,
    async work({at}, step) {
      const {path, from, to} = step;
      const found = await versionAt(at, [to, from]);
      if (found === 1) await refuseIfOlder(at, step);
      if (found === 1) refuseIfOpen(path);
      if (found !== -1) return found === 0 ? 'there' : 'done';
      // A folder in place of a file is removed together with its files.
      return !from && (await lstat(at)).isDirectory() ? 'done' : 'changed';
    },
  });
}

/**
 * Restores files, each completely or not at all, and returns the outcomes; a file that is not `from` any more is left unchanged. No content is lost (see
 * `replaceFile`). After a kill, `finishRestore` completes it. Throws a SnapshotProblem if another process is restoring files of the folder.
 */
export async function restore(
  repository: SnapshotRepository,
  steps: readonly RestoreStep[],
): Promise<readonly RestoredFile[]> {
  await finishRestore(repository);
  return run(repository, beginJournal(repository, steps));
}

/** Finishes the restore of a killed process; files that were changed since are left unchanged. */
export async function finishRestore(repository: SnapshotRepository): Promise<readonly RestoredFile[]> {
  const begun = abandonedJournal(repository);
  if (!begun) return [];
  await attemptAll(repository, begun.steps, {
    create: false,
    async work({at, beside}, {from}, index) {
      const {next, old} = temporaryNames(begun, index);
      await unlink(beside(next)).catch(ignoreMissing);
      await restoreMovedFile({at, old: beside(old)}, from);
      return 'there';
    },
  });
  return run(repository, begun);
}

async function run(repository: SnapshotRepository, begun: RestoreJournal): Promise<readonly RestoredFile[]> {
  const refuseIfOlder = refusalOfOlderFiles();
  const refuseIfOpen = await refusalOfOpenFiles(repository);
  const read = readBlobs(
    repository,
    begun.steps.flatMap(({to}) => (to ? [to.id] : [])),
  );
  const working = attemptAll(repository, begun.steps, {
    create: true,
    async work({at, beside}, step, index) {
      const {path, from, to} = step;
      const found = await versionAt(at, [to, from]);
      if (found !== 1) return found === 0 ? 'there' : 'changed';
      await refuseIfOlder(at, step);
      refuseIfOpen(path);
      const bytes = to && (await read(to.id));
      const {next, old} = temporaryNames(begun, index);
      const places = {at, next: beside(next), old: beside(old)};
      return (await replaceFile(places, {from, to: to && bytes && {...to, bytes}})) ? 'done' : 'changed';
    },
  });
  return working.finally(() => endJournal(repository));
}

/** Returns a check that throws if a file is open for writing: what its program writes after the file is replaced would be lost. */
async function refusalOfOpenFiles({folder}: SnapshotRepository): Promise<(path: RawPath) => void> {
  const open = await filesOpenForWriting(folder);
  return (path) => {
    const program = open.get(bytesOf(`${folder}/`, path).toString('latin1'));
    if (program !== undefined)
      throw new SnapshotProblem(`${escapeHiddenLine(program)} has it open for writing`);
  };
}

/** File systems take times from a clock that moves in steps of up to 10 ms: a new file may seem that much older. */
const CLOCK_STEP_MS = 10;

/**
 * Returns a check that throws if a file may have been moved, from where no snapshot covers it. One of several names may go, but not the last one. Not all file
 * systems know when a file was created.
 */
function refusalOfOlderFiles(): (at: Buffer, step: RestoreStep) => Promise<void> {
  const names = new Map<string, number>();
  return async (at, {createdAfter}) => {
    if (createdAfter === undefined) return;
    const {birthtimeMs, nlink, dev, ino} = await lstat(at);
    if (birthtimeMs <= 0 || birthtimeMs >= createdAfter - CLOCK_STEP_MS) return;
    const file = `${dev}:${ino}`;
    const left = (names.get(file) ?? nlink) - 1;
    if (left === 0)
      throw new SnapshotProblem(
        'it existed before, and may have been moved from where snapshots do not cover it',
      );
    names.set(file, left);
  };
}

interface Target {
  readonly at: Buffer;
  /** Returns the path of another name in the same folder. */
  readonly beside: (name: string) => Buffer;
}

/** `there`: nothing to do. */
type Outcome = 'done' | 'changed' | 'there';

interface Attempt {
  /** Whether missing folders are created, and empty ones removed. */
  readonly create: boolean;
  readonly work: (target: Target, step: RestoreStep, index: number) => Promise<Outcome>;
}

/** Number of files worked on in parallel: most of the time goes into waiting for the disk. */
const AT_ONCE = 32;

/** Runs each step in its file's folder, without following links; those that remove files come first, since others may need their place. */
async function attemptAll(
  repository: SnapshotRepository,
  steps: readonly RestoreStep[],
  options: Attempt,
): Promise<readonly RestoredFile[]> {
  const files: (RestoredFile | undefined)[] = [];
  const all = steps.map((step, index) => ({step, index}));
  for (const phase of [all.filter(({step}) => !step.to), all.filter(({step}) => step.to)]) {
    const waiting = phase.values();
    const work = async () => {
      for (const {step, index} of waiting)
        files[index] = await attemptStep(repository, {step, index}, options);
    };
    const settled = await Promise.allSettled(Array.from({length: AT_ONCE}, work));
    // Only when none is still working: the journal ends with it.
    for (const each of settled) if (each.status === 'rejected') throw each.reason;
  }
  return files.filter((file) => file !== undefined);
}

async function attemptStep(
  {folder: root}: SnapshotRepository,
  {step, index}: {readonly step: RestoreStep; readonly index: number},
  {create, work}: Attempt,
): Promise<RestoredFile | undefined> {
  const {path, to} = step;
  const outcome = await attempt({root, create: create && to !== undefined}, step, (target) =>
    work(target, step, index),
  );
  if (create && !to && outcome === 'done') await removeEmptyFolders(root, step);
  const does = to ? 'restore' : 'delete';
  if (typeof outcome === 'object') return {path, does, refused: outcome.refused};
  if (outcome === 'there') return undefined;
  return {path, does, ...(outcome === 'changed' && {refused: 'it has changed since'})};
}

async function attempt(
  {root, create}: {readonly root: string; readonly create: boolean},
  {path, from, to}: RestoreStep,
  work: (target: Target) => Promise<Outcome>,
): Promise<Outcome | {readonly refused: string}> {
  try {
    return await inFolderOf({root, path, create}, (folder, name) =>
      work({at: bytesOf(folder, name), beside: (other) => bytesOf(folder, other)}),
    );
  } catch (error) {
    if (error instanceof SnapshotProblem) return {refused: error.message};
    const code = codeOf(error);
    if (code === undefined) throw error;
    const isWithoutFolder = ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code);
    // Without its folder, a file does not exist either; one to be created needs the folder first.
    if (isWithoutFolder && !to) return 'there';
    if (isWithoutFolder && !from && !create) return 'done';
    return isWithoutFolder ? 'changed' : {refused: fileFailed(textOf(path), error).failure.problem};
  }
}

interface PathBelow {
  readonly root: string;
  readonly path: RawPath;
  readonly create: boolean;
}

/** Works in the folder of a file, which no link leads to. Throws errors of the file system. */
export async function inFolderOf<T>(
  {root, path, create}: PathBelow,
  work: (folder: string, name: RawPath) => Promise<T>,
): Promise<T> {
  const names = path.split('/');
  const above = names.slice(0, -1).map((name) => Buffer.from(name, 'latin1'));
  const folder = await openFolder(root, above, create);
  try {
    return await work(`${folder.path}/`, names.at(-1) ?? '');
  } finally {
    await folder.close();
  }
}

/** Removes the folders that a restore has emptied, unless they were there, empty, before. */
async function removeEmptyFolders(root: string, {path, folder: kept}: RestoreStep): Promise<void> {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (path.slice(0, end) === kept) return;
    try {
      await inFolderOf({root, path: path.slice(0, end), create: false}, (folder, name) =>
        rmdir(bytesOf(folder, name)),
      );
    } catch {
      return;
    }
  }
}
