import type {Stats} from 'node:fs';
import * as z from 'zod/mini';
import type {RawPath} from './repository.ts';

/** Why a file is in no snapshot. */
const uncoveredReason = z.enum([
  'too_large',
  'credentials',
  'unreadable',
  'nested_repository',
  'git_name',
  'changing',
  'ignored_then',
  'unknown_then',
]);
export type UncoveredReason = z.infer<typeof uncoveredReason>;

export const UNCOVERED_REASONS: Readonly<Record<UncoveredReason, string>> = {
  too_large: 'too large',
  credentials: 'may hold credentials',
  unreadable: 'unreadable',
  nested_repository: 'a repository of its own',
  git_name: 'git does not accept its name',
  changing: 'being written all the time',
  ignored_then: 'ignored at that time',
  unknown_then: 'may have existed at that time',
};

/** Facts stored with git's tree of the files. */
export const snapshotFacts = z.object({
  /** Permission bits of files that differ from `usual`. */
  modes: z.record(z.string(), z.number()),
  /** Default permission bits of files and of executable files. */
  usual: z.tuple([z.number(), z.number()]),
  /** Files that are not covered. */
  uncovered: z.record(z.string(), uncoveredReason),
  /** What else there was, such as ignored files: with a `/` at the end everything in a folder, and '' for anything. Older snapshots don't say. */
  others: z.optional(z.array(z.string())),
  /** Folders without files, each with the folders in it, with a `/` at the end. */
  empty: z.optional(z.array(z.string())),
});
export type SnapshotFacts = z.infer<typeof snapshotFacts>;

/** How the entry of the facts begins in the tree of a snapshot. */
export const FACTS_ENTRY = '100644 facts\0';

/** Initial facts; permission bits are those of new files. */
export function initialFacts(): SnapshotFacts {
  const mask = process.umask();
  return {modes: {}, usual: [0o666 & ~mask, 0o777 & ~mask], uncovered: {}};
}

/** A path and its type, without following links. */
export interface FileStats {
  readonly path: RawPath;
  readonly stats: Stats;
}

interface Seen {
  readonly files: readonly FileStats[];
  readonly gone: readonly RawPath[];
  readonly uncovered: SnapshotFacts['uncovered'];
  readonly notCovered: Pick<SnapshotFacts, 'others' | 'empty'>;
}

/** Returns the facts after examining some files; uncovered files are determined each time. */
export function withExamined(
  before: SnapshotFacts,
  {files, gone, uncovered, notCovered}: Seen,
): SnapshotFacts {
  const {usual} = before;
  const bits = new Map<RawPath, number | undefined>(gone.map((path) => [path, undefined]));
  for (const {path, stats} of files) bits.set(path, stats.isSymbolicLink() ? undefined : stats.mode & 0o7777);
  const modes = withPermissions(before, bits);
  return {usual, modes, uncovered, ...notCovered};
}

/** Returns the permission bits after some files changed; undefined for links and missing files. */
export function withPermissions(
  {modes: before, usual}: SnapshotFacts,
  changed: ReadonlyMap<RawPath, number | undefined>,
): SnapshotFacts['modes'] {
  const modes = {...before};
  for (const [path, bits] of changed) {
    if (bits === undefined || bits === usual[isExecutable(bits) ? 1 : 0]) delete modes[path];
    else modes[path] = bits;
  }
  return modes;
}

/** Returns the permission bits of a file with this git mode. */
export function permissionsOf({modes, usual}: SnapshotFacts, path: RawPath, gitMode: number): number {
  return modes[path] ?? usual[isExecutable(gitMode) ? 1 : 0];
}

function isExecutable(bits: number): boolean {
  return (bits & 0o100) !== 0;
}

/** What a snapshot says about files that are not in it. */
export function absenceIn({others = [''], empty = [''], uncovered}: SnapshotFacts) {
  const known = new Set(others);
  const empties = new Set(empty);
  const aboveEmpty = new Set(empty.flatMap(foldersOf));
  return {
    /** Why such a file may have existed; undefined if it did not. */
    reasonOf: (path: RawPath): UncoveredReason | undefined => {
      const folder = foldersOf(path).find((each) => uncovered[each] !== undefined);
      if (folder !== undefined) return uncovered[folder];
      if (known.has('')) return 'unknown_then';
      return [path, ...foldersOf(path)].some((each) => known.has(each)) ? 'ignored_then' : undefined;
    },
    /** The deepest folder of such a file which existed, empty; without a `/` at the end. */
    emptyFolderOf: (path: RawPath): RawPath | undefined => {
      const folders = foldersOf(path);
      const isInEmpty = ['', ...folders].some((each) => empties.has(each));
      return (isInEmpty ? folders[0] : folders.find((each) => aboveEmpty.has(each)))?.slice(0, -1);
    },
  };
}

/** Returns the folders that a file is in, deepest first, with a `/` at the end. */
function foldersOf(path: RawPath): readonly RawPath[] {
  return Array.from(path.matchAll(/\//g), ({index}) => path.slice(0, index + 1)).toReversed();
}
