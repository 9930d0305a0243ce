import {entriesOf, createSearchable, type Searchable} from './search.ts';
import {gitFiles} from './git.ts';
import {MAX_FILES, walk} from './walk.ts';

/** The files of one folder, as they were when it was last looked through. */
export interface FolderIndex {
  /** Absolute. */
  readonly root: string;
  /** What can be searched now; waits only for the first listing. */
  current(): Promise<Searchable>;
  /** Looks the folder through again, unless that has just been done; true when something had changed. */
  refresh(): Promise<boolean>;
}

/** A listing younger than this is taken for new, in milliseconds. */
const FRESH_MS = 2000;

/** Nothing is read before it is asked for. */
export function indexOfFolder(root: string): FolderIndex {
  let listed: {readonly files: readonly string[]; readonly found: Searchable} | undefined;
  let listedAt = -Infinity;
  let listing: Promise<boolean> | undefined;

  async function list(): Promise<boolean> {
    const files = ((await gitFiles(root)) ?? (await walk(root))).slice(0, MAX_FILES);
    listedAt = performance.now();
    if (listed && isSame(listed.files, files)) return false;
    const found = createSearchable(await entriesOf(files));
    // Who is searching goes on with the old listing meanwhile.
    if (listed) await found.warm();
    listed = {files, found};
    return true;
  }

  function refresh(): Promise<boolean> {
    if (!listing && performance.now() - listedAt < FRESH_MS) return Promise.resolve(false);
    listing ??= list().finally(() => {
      listing = undefined;
    });
    return listing;
  }

  return {
    root,
    refresh,
    async current() {
      if (!listed) await refresh();
      return listed?.found ?? createSearchable([]);
    },
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((file, index) => file === other[index]);
}
