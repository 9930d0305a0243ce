import {closeSync, fstatSync, readFileSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {openRegularFile, PRIVATE_FILE} from '../shared/files/safe-files.ts';
import type {FileVersion} from './differences.ts';
import {storeObject} from './objects.ts';
import {bytesOf, readBlob, SnapshotProblem, type RawPath, type SnapshotRepository} from './repository.ts';
import {inFolderOf} from './restore.ts';
import type {RestoreStep} from './restore-journal.ts';

interface MergedSteps {
  readonly steps: readonly RestoreStep[];
  /** The files with the changes of both. */
  readonly merged: readonly RawPath[];
}

/**
 * Replaces the steps of files that have been changed meanwhile: instead of failing, they lead from a file as it is now to one with the changes of both, as git
 * merges the lines of texts. What it cannot merge stays as it is.
 */
export async function mergeSteps(
  repository: SnapshotRepository,
  steps: readonly RestoreStep[],
  changed: ReadonlySet<RawPath>,
): Promise<MergedSteps> {
  const merged: RawPath[] = [];
  const result: RestoreStep[] = [];
  for (const step of steps) {
    const versions = changed.has(step.path) ? await versionsOf(repository, step) : undefined;
    const both = versions && (await mergeTexts(repository, versions));
    if (both) merged.push(step.path);
    result.push(versions && both ? await storeMerge(repository, {step, versions, both}) : step);
  }
  return {steps: result, merged};
}

interface Versions {
  readonly from: FileVersion;
  readonly to: FileVersion;
  readonly current: {readonly bytes: Buffer; readonly permissions: number};
}

/** Returns the versions of a file that has three; undefined for a link, and for one that is new or gone on one side. */
async function versionsOf(
  repository: SnapshotRepository,
  {path, from, to}: RestoreStep,
): Promise<Versions | undefined> {
  if (from?.kind !== 'file' || to?.kind !== 'file') return undefined;
  const current = await readCurrent(repository.folder, path).catch(() => undefined);
  return current && {from, to, current};
}

/** Larger files are in no snapshot either, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

async function readCurrent(root: string, path: RawPath): Promise<Versions['current'] | undefined> {
  return inFolderOf({root, path, create: false}, async (folder, name) => {
    const handle = openRegularFile(bytesOf(folder, name), {follow: false});
    try {
      const {size, mode} = fstatSync(handle);
      return size > MAX_BYTES ? undefined : {bytes: readFileSync(handle), permissions: mode & 0o7777};
    } finally {
      closeSync(handle);
    }
  });
}

/** Returns the merge of both changes; undefined if there are conflicts, or if it is no text. */
async function mergeTexts(
  repository: SnapshotRepository,
  {from, to, current}: Versions,
): Promise<Buffer | undefined> {
  const [base, other] = [await readBlob(repository, from.id), await readBlob(repository, to.id)];
  const files = {current: current.bytes, base, other};
  const folder = await mkdtemp(join(repository.gitDir, 'merge-'));
  try {
    for (const [name, bytes] of Object.entries(files))
      await writeFile(join(folder, name), bytes, {mode: PRIVATE_FILE});
    const paths = Object.keys(files).map((name) => join(folder, name));
    return await repository.git(['merge-file', '-p', '-q', ...paths]);
  } catch (error) {
    if (error instanceof SnapshotProblem) return undefined;
    throw error;
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/** Stores the merge, and the file as it is now, of which that is the only copy. */
async function storeMerge(
  {gitDir}: SnapshotRepository,
  {step, versions, both}: {readonly step: RestoreStep; readonly versions: Versions; readonly both: Buffer},
): Promise<RestoreStep> {
  const {from, to, current} = versions;
  const permissions = to.permissions === from.permissions ? current.permissions : to.permissions;
  const [currentId, id] = [
    await storeObject(gitDir, 'blob', current.bytes),
    await storeObject(gitDir, 'blob', both),
  ];
  return {
    ...step,
    from: {...from, id: currentId, permissions: current.permissions},
    to: {...to, id, permissions},
  };
}
