import type {FoundFile} from '../app/file-menu.ts';
import {absolutePath, type Folders} from '../attachments/places.ts';
import {indexOfFolder, type FolderIndex} from './index-of-folder.ts';
import {isRooted, listFolder} from './list-folder.ts';
import {best, type Hit} from './search.ts';

export interface FindOptions {
  readonly signal?: AbortSignal;
  readonly onEarly?: (files: readonly FoundFile[]) => void;
}

/** Finds files of a session by what is typed. */
export interface FileFinder {
  /** The best fits; fewer when `signal` stops it. `onEarly` gets what a long search has found within a frame. */
  readonly find: (query: string, options?: FindOptions) => Promise<readonly FoundFile[]>;
  /** Looks the folders through again; true when something had changed. */
  readonly refresh: () => Promise<boolean>;
  /** Does what the first `find` would have to. */
  readonly prepare: () => Promise<void>;
}

/** A finder for the folders of a session: those of the working folder by their paths in it, all others by absolute paths. */
export function createFileFinder({cwd, additionalDirectories}: Folders): FileFinder {
  const indexes = [cwd, ...additionalDirectories].map(indexOfFolder);

  async function findIn(
    index: FolderIndex,
    query: string,
    {signal, onEarly}: FindOptions,
  ): Promise<readonly Hit[]> {
    const searchable = await index.current();
    if (index.root === cwd) {
      const onEarlyHits =
        onEarly && ((hits: readonly Hit[]) => onEarly(hits.map(({path}) => found(path, cwd))));
      return searchable.search(query, {signal, onEarly: onEarlyHits});
    }
    const hits = await searchable.search(query, {signal});
    const base = index.root.endsWith('/') ? index.root : `${index.root}/`;
    // Nobody looks for another folder's files before having typed something.
    return query === ''
      ? [{path: base, score: 0}]
      : hits.map(({path, score}) => ({path: base + path, score}));
  }

  return {
    async find(query, options = {}) {
      if (isRooted(query)) return (await listFolder(query, cwd)).map((path) => found(path, cwd));
      const hits = await Promise.all(indexes.map((index) => findIn(index, query, options)));
      const [own = []] = hits;
      const all = hits.length === 1 ? own : query === '' ? hits.flat() : best(hits.flat());
      return all.map(({path}) => found(path, cwd));
    },
    async refresh() {
      return (await Promise.all(indexes.map((index) => index.refresh()))).includes(true);
    },
    async prepare() {
      for (const index of indexes) await (await index.current()).warm();
    },
  };
}

function found(path: string, cwd: string): FoundFile {
  return {path, absolute: absolutePath(path, cwd), isFolder: path.endsWith('/')};
}
