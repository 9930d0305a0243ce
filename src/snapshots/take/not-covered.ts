import type {SnapshotFacts} from '../facts.ts';
import type {RawPath, SnapshotRepository} from '../repository.ts';
import {foldersNotListed, split} from './candidates.ts';
import type {WorkTree} from './work-tree.ts';

interface Listing {
  readonly workTree: WorkTree;
  /** Absolute: the index of the snapshot. */
  readonly index: string;
  readonly signal: AbortSignal | undefined;
}

type NotCovered = Required<Pick<SnapshotFacts, 'others' | 'empty'>>;

/** Beyond this number nothing is recorded but that there may have been anything. */
const MAX_OTHERS = 100_000;
const ANYTHING: NotCovered = {others: [''], empty: ['']};

/** Lists what a folder has besides the files of a snapshot, whatever the reason: no rules apply. Folders without any of its files are not read. */
export async function findNotCovered(
  {folder, git}: SnapshotRepository,
  {workTree: {top, prefix}, index, signal}: Listing,
): Promise<NotCovered> {
  const list = async (workTree: string, ...flags: readonly string[]): Promise<readonly RawPath[]> => {
    let locked: readonly RawPath[] = [];
    const above = workTree === folder ? 0 : Buffer.byteLength(prefix);
    const onWarnings = (text: string) => {
      locked = foldersNotListed(text, above);
    };
    const options = {workTree, signal, onWarnings, ...(workTree === top && {index})};
    const listed = split(await git(['ls-files', '-z', '--others', '--directory', ...flags], options));
    // The folder as a whole, since the snapshot has no file of it.
    if (workTree !== folder && listed.includes('./')) return list(folder, ...flags);
    return [...listed, ...locked];
  };
  const [all, others] = await Promise.all([list(top), list(top, '--no-empty-directory')]);
  if (all.length > MAX_OTHERS) return ANYTHING;
  const known = new Set(others);
  return {others: [...known], empty: all.filter((path) => path.endsWith('/') && !known.has(path))};
}
