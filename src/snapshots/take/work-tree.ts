import {writeFileSync} from 'node:fs';
import {join, relative, resolve} from 'node:path';
import {readWithGit} from '../../files/git.ts';
import {PRIVATE_FILE, textIfAny} from '../../storage/files.ts';
import type {SnapshotRepository} from '../repository.ts';

/** How the files of a folder are listed: as its git repository would, if it is in one. */
export interface WorkTree {
  /** The top folder of the user's repository, or the folder itself. */
  readonly top: string;
  /** The folder's path in it, with `/` at the end; '' for the top itself. */
  readonly prefix: string;
  readonly isRepository: boolean;
  /** The user's global ignore file; undefined for git's default. */
  readonly excludesFile: string | undefined;
  /** The rules of `info/exclude`. */
  readonly excluded: string;
}

/** Maximum size of ignore rules, in bytes. */
export const MAX_RULES = 1024 * 1024;

/** Finds the work tree of a folder, and copies the rules of its `info/exclude` into the snapshot repository. */
export async function findWorkTree(
  {folder, gitDir}: SnapshotRepository,
  signal: AbortSignal | undefined,
): Promise<WorkTree> {
  const [found, configured] = await Promise.all([
    readWithGit(folder, ['rev-parse', '--show-toplevel', '--git-path', 'info/exclude'], {signal}),
    readWithGit(folder, ['config', '--type=path', '--get', 'core.excludesFile'], {signal}),
  ]);
  const excludesFile = configured.ok
    ? resolve(folder, configured.stdout.toString('utf8').trimEnd())
    : undefined;
  const [top = '', exclude = '', ...others] = found.ok ? found.stdout.toString('utf8').split('\n') : [];
  const inside = relative(top, folder);
  const isInside = top !== '' && others.length === 1 && inside !== '..' && !inside.startsWith('../');
  const isRepository = isInside && !(await isIgnored(top, inside));
  const excluded = isRepository ? (textIfAny(resolve(folder, exclude), MAX_RULES) ?? '') : '';
  writeRules(excluded, join(gitDir, 'info', 'exclude'));
  if (!isRepository) return {top: folder, prefix: '', isRepository, excludesFile, excluded};
  return {top, prefix: inside === '' ? '' : `${inside}/`, isRepository, excludesFile, excluded};
}

/** A folder that its repository ignores completely counts as a work tree by itself. */
async function isIgnored(top: string, inside: string): Promise<boolean> {
  return inside !== '' && (await readWithGit(top, ['check-ignore', '-q', '--', inside])).ok;
}

function writeRules(rules: string, to: string): void {
  if (textIfAny(to, MAX_RULES) === rules) return;
  writeFileSync(to, rules, {mode: PRIVATE_FILE});
}
