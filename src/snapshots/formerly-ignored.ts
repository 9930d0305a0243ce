import {mkdtemp, mkdir, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {textIfAny} from '../storage/files.ts';
import type {SnapshotFacts} from './facts.ts';
import {bytesOf, readBlobs, type RawPath, type SnapshotRepository} from './repository.ts';
import {findWorkTree, MAX_RULES, type WorkTree} from './take/work-tree.ts';

/** A snapshot, and paths that it does not have. */
interface Absent {
  readonly id: string;
  readonly facts: SnapshotFacts;
  readonly paths: readonly RawPath[];
}

const RULES = '.gitignore';
/** An id: nothing reads the bytes. */
const NO_BLOB = '1'.repeat(40);

/**
 * Returns the paths that a snapshot lacks because they were ignored when it was taken: they may have existed then, whatever is ignored now.
 * Rules of folders above and the user's own list are those of now.
 */
export async function formerlyIgnored(
  repository: SnapshotRepository,
  {id, facts, paths}: Absent,
): Promise<ReadonlySet<RawPath>> {
  if (paths.length === 0) return new Set();
  const workTree = await findWorkTree(repository, undefined);
  const folder = await mkdtemp(join(tmpdir(), 'acp-tui-rules-'));
  try {
    await writeRules(repository, {id, workTree, folder});
    const prefix = Buffer.from(workTree.prefix).toString('latin1');
    // As if they were tracked: git would read some names as patterns.
    const entries = paths.map((path) => `100644 ${NO_BLOB}\t${prefix}${path}\0`).join('');
    const options = {index: join(folder, 'index'), workTree: folder};
    await repository.git(['update-index', '-z', '--index-info'], {
      ...options,
      input: Buffer.from(entries, 'latin1'),
    });
    const excludesFile = await formerExcludes(facts, {workTree, folder});
    const listing = {...options, excludesFile};
    const ignored = await repository.git(
      ['ls-files', '-z', '-c', '-i', '--exclude-standard', '--full-name'],
      listing,
    );
    const names = ignored.toString('latin1').split('\0').slice(0, -1);
    return new Set(names.map((name) => name.slice(prefix.length)));
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

interface RulesFolder {
  readonly workTree: WorkTree;
  /** Absolute: the work tree with nothing but its rules. */
  readonly folder: string;
}

async function writeRules(
  repository: SnapshotRepository,
  {id, workTree: {top, prefix}, folder}: RulesFolder & {readonly id: string},
): Promise<void> {
  const above = prefix.split('/').slice(0, -1);
  for (const depth of above.keys()) {
    const path = join(...above.slice(0, depth), RULES);
    const text = textIfAny(join(top, path), MAX_RULES) ?? '';
    await mkdir(join(folder, ...above.slice(0, depth)), {recursive: true});
    await writeFile(join(folder, path), text);
  }
  const listed = (await repository.git(['ls-tree', '-r', '-z', `${id}:files`])).toString('latin1');
  const rules = Array.from(listed.matchAll(/(?<=^|\0)100\d{3} blob (\w+)\t([^\0]+)/g), ([, blob, path]) => ({
    blob: blob ?? '',
    path: path ?? '',
  })).filter(({path}) => path === RULES || path.endsWith(`/${RULES}`));
  const read = readBlobs(
    repository,
    rules.map(({blob}) => blob),
  );
  for (const {blob, path} of rules) {
    const at = bytesOf(join(folder, prefix, '/'), path);
    await mkdir(at.subarray(0, at.lastIndexOf('/')), {recursive: true});
    await writeFile(at, await read(blob));
  }
}

/** Returns a list of ignored files with the rules of `info/exclude` of then; those of now count anyway. */
async function formerExcludes(
  {excluded}: SnapshotFacts,
  {workTree: {excludesFile}, folder}: RulesFolder,
): Promise<string | undefined> {
  if (excluded === undefined) return excludesFile;
  const own = excludesFile === undefined ? '' : (textIfAny(excludesFile, MAX_RULES) ?? '');
  const path = join(folder, 'excluded');
  await writeFile(path, `${own}\n${excluded}`);
  return path;
}
