import {randomBytes} from 'node:crypto';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {readFacts, type FileVersion} from '../differences.ts';
import {withPermissions} from '../facts.ts';
import type {RawPath, SnapshotRepository} from '../repository.ts';
import {writeSnapshot} from '../take/take-snapshot.ts';

/** The new version of a file in a snapshot; undefined for no file. */
export interface Replacement {
  readonly path: RawPath;
  readonly version: Pick<FileVersion, 'kind' | 'permissions' | 'id'> | undefined;
}

/** Stores a snapshot with some files replaced; returns its id. */
export async function replaceInSnapshot(
  repository: SnapshotRepository,
  id: string,
  replacements: readonly Replacement[],
): Promise<string> {
  const {git, gitDir} = repository;
  const index = join(gitDir, `review-${randomBytes(6).toString('hex')}`);
  try {
    await git(['read-tree', `${id}:files`], {index});
    // Removals first: a file may replace a folder.
    const ordered = replacements.toSorted((one, other) => Number(!!one.version) - Number(!!other.version));
    const input = Buffer.from(ordered.map(indexLine).join(''), 'latin1');
    await git(['update-index', '-z', '--replace', '--index-info'], {index, input});
    const tree = (await git(['write-tree'], {index})).toString('latin1').trim();
    const facts = await readFacts(repository, id);
    const bits = replacements.map(({path, version}): [RawPath, number | undefined] => [
      path,
      version?.kind === 'file' ? version.permissions : undefined,
    ]);
    return await writeSnapshot(repository, {
      tree,
      facts: {...facts, modes: withPermissions(facts, new Map(bits))},
    });
  } finally {
    await rm(index, {force: true});
  }
}

function indexLine({path, version}: Replacement): string {
  if (!version) return `0 ${'0'.repeat(40)}\t${path}\0`;
  const mode = version.kind === 'link' ? '120000' : (version.permissions & 0o100) !== 0 ? '100755' : '100644';
  return `${mode} ${version.id}\t${path}\0`;
}
