import type {Dirent} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import ignore, {type Ignore} from 'ignore';
import {readFileIfAny} from '../shared/files/safe-files.ts';

/** Maximum number of files: more are a disk, not a project. */
export const MAX_FILES = 200_000;
const MAX_FOLDERS = 50_000;
/** A longer file was not written by hand. */
const MAX_RULES_BYTES = 256 * 1024;
/** Never searched, even without ignore rules. */
const NEVER = new Set(['.git', '.hg', '.svn', '.jj', 'node_modules', '.DS_Store']);

interface Folder {
  /** Relative to the root, ending in `/`; empty for the root. */
  readonly path: string;
  /** The ignore rules that apply in it: of each folder above it that has some, with its path. */
  readonly rules: readonly {readonly path: string; readonly rules: Ignore}[];
}

/**
 * Returns the files in a folder, as relative paths, without those ignored by `.gitignore` files: breadth first, so that a limit cuts off the deepest. Links
 * are listed but not followed.
 */
export async function walk(
  root: string,
  {signal, most = MAX_FILES}: {readonly signal?: AbortSignal; readonly most?: number} = {},
): Promise<readonly string[]> {
  const files: string[] = [];
  const folders: Folder[] = [{path: '', rules: []}];
  for (const above of folders) {
    if (signal?.aborted || files.length >= most) break;
    const entries = await readdir(join(root, above.path), {withFileTypes: true}).catch((): Dirent[] => []);
    const folder = withOwnRules(root, above, entries);
    for (const entry of entries) {
      const isFolder = entry.isDirectory();
      const path = `${folder.path}${entry.name}${isFolder ? '/' : ''}`;
      if (NEVER.has(entry.name) || isIgnored(folder, path)) continue;
      if (!isFolder) files.push(path);
      else if (folders.length < MAX_FOLDERS) folders.push({path, rules: folder.rules});
    }
  }
  return files.slice(0, most);
}

function withOwnRules(root: string, folder: Folder, entries: readonly Dirent[]): Folder {
  if (!entries.some(({name}) => name === '.gitignore')) return folder;
  const text = readFileIfAny(join(root, folder.path, '.gitignore'), MAX_RULES_BYTES);
  if (text === undefined) return folder;
  return {...folder, rules: [...folder.rules, {path: folder.path, rules: ignore().add(text)}]};
}

/** The nearest matching rule decides. */
function isIgnored({rules}: Folder, path: string): boolean {
  for (const {path: base, rules: own} of rules.toReversed()) {
    const {ignored, unignored} = own.test(path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
