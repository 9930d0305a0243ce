import {lstat, rmdir, unlink} from 'node:fs/promises';
import {openRawFolder} from '../host/files/folder.ts';
import {failed} from '../shared/file-failure.ts';
import {codeOf} from '../storage/files.ts';
import type {Difference, FileVersion} from './differences.ts';
import {
  bytesOf,
  readBlobs,
  SnapshotProblem,
  textOf,
  type RawPath,
  type SnapshotRepository,
} from './repository.ts';
import {ignoreMissing, isThere, putBack, replaceFile} from './replace-file.ts';
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
  /** Why it is left as it is. */
  readonly refused?: string;
}

/**
 * Returns the steps that lead from the first snapshot of a difference to the second, in the order that they have to be done in: of
 * `compareSnapshots(repository, {from: <the folder as it is>, to: <the wanted one>})`.
 */
export function stepsOf({files}: Pick<Difference, 'files'>): readonly RestoreStep[] {
  const steps = files.flatMap(({before, after}): RestoreStep[] =>
    before && after && before.path !== after.path
      ? [stepOf(before, undefined), stepOf(undefined, after)]
      : [stepOf(before, after)],
  );
  // What stands where a folder has to be goes first, and what is in a folder before it.
  const [gone, others] = [steps.filter(({to}) => !to), steps.filter(({to}) => to)];
  return [...gone.toReversed(), ...others];
}

function stepOf(from: FileVersion | undefined, to: FileVersion | undefined): RestoreStep {
  return {path: (to ?? from)?.path ?? '', ...(from && {from}), ...(to && {to})};
}

/** Returns what `restore` would do now, and changes nothing; files that hold `to` already are left out. */
export function planRestore(
  repository: SnapshotRepository,
  steps: readonly RestoreStep[],
): Promise<readonly RestoredFile[]> {
  return attemptAll(repository, steps, {
    create: false,
    async work({at}, {from, to}) {
      if (await isThere(at, to)) return 'there';
      if (await isThere(at, from)) return 'done';
      // A folder that is in the way goes with the files in it.
      return !from && (await lstat(at)).isDirectory() ? 'done' : 'changed';
    },
  });
}

/**
 * Restores files, each wholly or not at all, and returns what became of each; a file that is not `from` any more is left alone. Nobody's
 * bytes are lost (see `replaceFile`). Killed at any moment, it is finished by `finishRestore`. Throws a SnapshotProblem where another process
 * restores files of the folder.
 */
export async function restore(
  repository: SnapshotRepository,
  steps: readonly RestoreStep[],
): Promise<readonly RestoredFile[]> {
  await finishRestore(repository);
  return run(repository, beginJournal(repository, steps));
}

/** Finishes what a killed process has begun; files that somebody changed since are left alone. */
export async function finishRestore(repository: SnapshotRepository): Promise<readonly RestoredFile[]> {
  const begun = abandonedJournal(repository);
  if (!begun) return [];
  await attemptAll(repository, begun.steps, {
    create: false,
    async work({at, beside}, {from}, index) {
      const {next, old} = temporaryNames(begun, index);
      await unlink(beside(next)).catch(ignoreMissing);
      await putBack({at, old: beside(old)}, from);
      return 'there';
    },
  });
  return run(repository, begun);
}

function run(repository: SnapshotRepository, begun: RestoreJournal): Promise<readonly RestoredFile[]> {
  const read = readBlobs(
    repository,
    begun.steps.flatMap(({to}) => (to ? [to.id] : [])),
  );
  const working = attemptAll(repository, begun.steps, {
    create: true,
    async work({at, beside}, {from, to}, index) {
      if (await isThere(at, to)) return 'there';
      if (!(await isThere(at, from))) return 'changed';
      const bytes = to && (await read(to.id));
      const {next, old} = temporaryNames(begun, index);
      const places = {at, next: beside(next), old: beside(old)};
      return (await replaceFile(places, {from, to: to && bytes && {...to, bytes}})) ? 'done' : 'changed';
    },
  });
  return working.finally(() => endJournal(repository));
}

interface Target {
  readonly at: Buffer;
  /** The place of another name in the same folder. */
  readonly beside: (name: string) => Buffer;
}

/** `there`: nothing had to be done. */
type Outcome = 'done' | 'changed' | 'there';

interface Attempt {
  /** Whether folders that are missing are made, and those that become empty removed. */
  readonly create: boolean;
  readonly work: (target: Target, step: RestoreStep, index: number) => Promise<Outcome>;
}

/** Works on each step in the folder of its file, through no link. */
async function attemptAll(
  {folder: root}: SnapshotRepository,
  steps: readonly RestoreStep[],
  {create, work}: Attempt,
): Promise<readonly RestoredFile[]> {
  const files: RestoredFile[] = [];
  for (const [index, each] of steps.entries()) {
    const {path, to} = each;
    const outcome = await attempt({root, create: create && to !== undefined}, each, (target) =>
      work(target, each, index),
    );
    if (create && !to && outcome === 'done') await removeEmptyFolders(root, path);
    const does = to ? 'restore' : 'delete';
    if (outcome === 'changed') files.push({path, does, refused: 'it has changed since'});
    else if (typeof outcome === 'object') files.push({path, does, refused: outcome.refused});
    else if (outcome === 'done') files.push({path, does});
  }
  return files;
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
    // Without its folder a file is gone, too; one that is to be made waits for its folder.
    if (isWithoutFolder && !to) return 'there';
    if (isWithoutFolder && !from && !create) return 'done';
    return isWithoutFolder ? 'changed' : {refused: failed(textOf(path), error).failure.problem};
  }
}

interface PathBelow {
  readonly root: string;
  readonly path: RawPath;
  readonly create: boolean;
}

async function inFolderOf<T>(
  {root, path, create}: PathBelow,
  work: (folder: string, name: RawPath) => Promise<T>,
): Promise<T> {
  const names = path.split('/');
  const above = names.slice(0, -1).map((name) => Buffer.from(name, 'latin1'));
  const folder = await openRawFolder(root, above, {create});
  try {
    return await work(`${folder.path}/`, names.at(-1) ?? '');
  } finally {
    await folder.close();
  }
}

/** Git knows no empty folders: those that the last file left are removed. */
async function removeEmptyFolders(root: string, path: RawPath): Promise<void> {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    try {
      await inFolderOf({root, path: path.slice(0, end), create: false}, (folder, name) =>
        rmdir(bytesOf(folder, name)),
      );
    } catch {
      return;
    }
  }
}
