import type {FoundFile} from '../app/file-menu.ts';
import {absolutePath, type Folders} from '../attachments/places.ts';
import {indexOfFolder, type FolderIndex} from './index-of-folder.ts';
import {isRooted, listFolder} from './list-folder.ts';
import {best, type Hit} from './search.ts';

/** Finds files of a session by what is typed. */
export interface FileFinder {
  /** The best fits; fewer when `signal` stops it. */
  readonly find: (query: string, signal?: AbortSignal) => Promise<readonly FoundFile[]>;
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
    signal: AbortSignal | undefined,
  ): Promise<readonly Hit[]> {
    const hits = await (await index.current()).search(query, signal);
    if (index.root === cwd) return hits;
    const base = index.root.endsWith('/') ? index.root : `${index.root}/`;
    // Nobody looks for another folder's files before having typed something.
    return query === ''
      ? [{path: base, score: 0}]
      : hits.map(({path, score}) => ({path: base + path, score}));
  }

  return {
    async find(query, signal) {
      if (isRooted(query)) return (await listFolder(query, cwd)).map((path) => found(path, cwd));
      const hits = await Promise.all(indexes.map((index) => findIn(index, query, signal)));
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
