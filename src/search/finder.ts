import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import * as fuzzysort from 'fuzzysort';
import {absolutePath, type Folders} from '../shared/files/session-folders.ts';
import {indexOfFolder, type FolderIndex} from './folder-index.ts';
import {memoize} from '../session/memoize.ts';
import {
  bestHits,
  byFolderAndName,
  createSearchable,
  isMentionable,
  RESEMBLANCE,
  type PathMatch,
  type Searchable,
} from './search.ts';
import type {FileMatch} from '../app/completion/menu-items.ts';
import {isFolder} from '../shared/files/folders.ts';

interface FindOptions {
  readonly signal?: AbortSignal;
  readonly onEarly?: (files: readonly FileMatch[]) => void;
  readonly foldersOnly?: boolean;
}

const foldersOf = memoize(({entries}: Searchable) => createSearchable(entries.filter(isFolderPath)));

/** Searches the files of a session as the user types. */
export type FileFinder = ReturnType<typeof createFileFinder>;

/** Creates a finder for the folders of a session. Paths in the working folder are relative to it, all others absolute. */
export function createFileFinder({cwd, additionalDirectories}: Folders) {
  const indexes = [cwd, ...additionalDirectories].map(indexOfFolder);

  async function findIn(
    index: FolderIndex,
    query: string,
    {signal, onEarly, foldersOnly}: FindOptions,
  ): Promise<readonly PathMatch[]> {
    const all = await index.current();
    const searchable = foldersOnly ? foldersOf(all) : all;
    if (index.root === cwd) {
      const onEarlyHits =
        onEarly && ((hits: readonly PathMatch[]) => onEarly(hits.map(({path}) => found(path, cwd))));
      return searchable.search(query, {signal, onEarly: onEarlyHits});
    }
    const hits = await searchable.search(query, {signal});
    const base = index.root.endsWith('/') ? index.root : `${index.root}/`;
    // Without a query, another folder is one result.
    return query === ''
      ? [{path: base, score: 0}]
      : hits.map(({path, score}) => ({path: base + path, score}));
  }

  return {
    /** Returns the best matches; fewer if `signal` aborts. A long search passes its results of the first frame to `onEarly`. */
    find: async (query: string, options: FindOptions = {}) => {
      if (isRooted(query)) {
        const paths = await listFolder(query, cwd);
        return (options.foldersOnly ? paths.filter(isFolderPath) : paths).map((path) => found(path, cwd));
      }
      const hits = await Promise.all(indexes.map((index) => findIn(index, query, options)));
      const [own = []] = hits;
      const all = hits.length === 1 ? own : query === '' ? hits.flat() : bestHits(hits.flat());
      return all.map(({path}) => found(path, cwd));
    },
    /** Lists the folders again; true if something has changed. */
    refresh: async () => {
      return (await Promise.all(indexes.map((index) => index.refresh()))).includes(true);
    },
    /** Prepares the first `find` in advance. */
    prepare: async () => {
      for (const index of indexes) await (await index.current()).warm();
    },
  };
}

function found(path: string, cwd: string): FileMatch {
  return {path, absolute: absolutePath(path, cwd), isFolder: isFolderPath(path)};
}

function isFolderPath(path: string): boolean {
  return path.endsWith('/');
}

const MAX_LISTED = 200;

/** True for a path with its own base: `/`, `~/`, `./` or `../`. */
function isRooted(query: string): boolean {
  return /^(?:\/|~\/|\.{1,2}\/)/.test(query);
}

/** Returns the completions of such a path: the folder itself if it is complete, then matching entries in it. */
async function listFolder(query: string, cwd: string): Promise<readonly string[]> {
  const end = query.lastIndexOf('/') + 1;
  const [folder, name] = [query.slice(0, end), query.slice(end)];
  const place = absolutePath(folder, cwd);
  const entries = await readdir(place, {withFileTypes: true}).catch(() => []);
  const names = await Promise.all(
    entries
      .filter((entry) => isMentionable(entry.name) && (name.startsWith('.') || !entry.name.startsWith('.')))
      .slice(0, 10_000)
      .map(async (entry) => {
        const holdsEntries = entry.isSymbolicLink() ? isFolder(join(place, entry.name)) : entry.isDirectory();
        return (await holdsEntries) ? `${entry.name}/` : entry.name;
      }),
  );
  if (name === '')
    return [folder, ...names.sort(byFolderAndName).map((each) => folder + each)].slice(0, MAX_LISTED);
  const hits = fuzzysort.go(name, names, {threshold: RESEMBLANCE, limit: names.length});
  return bestHits(hits.map(({target, score}) => ({path: target, score}))).map(({path}) => folder + path);
}
