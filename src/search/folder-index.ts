import {entriesOf, createSearchable, type Searchable} from './search.ts';
import {gitFiles} from '../git/git.ts';
import {MAX_FILES, walk} from './walk.ts';

/** A listing younger than this counts as current, in milliseconds. */
const FRESH_MS = 2000;

/** The files of a folder as of the last listing. */
export type FolderIndex = ReturnType<typeof indexOfFolder>;

/** Reads nothing before the first call. */
export function indexOfFolder(root: string) {
  let listed: {readonly files: readonly string[]; readonly found: Searchable} | undefined;
  let listedAt = -Infinity;
  let listing: Promise<boolean> | undefined;

  async function list(): Promise<boolean> {
    const files = ((await gitFiles(root)) ?? (await walk(root))).slice(0, MAX_FILES);
    listedAt = performance.now();
    if (listed && isSame(listed.files, files)) return false;
    const found = createSearchable(await entriesOf(files));
    // Searches continue with the old listing meanwhile.
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
    /** Absolute. */
    root,
    /** Lists the folder again, unless the listing is new; true if something has changed. */
    refresh,
    /** Returns the current listing; waits only for the first one. */
    async current() {
      if (!listed) await refresh();
      return listed?.found ?? createSearchable([]);
    },
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((file, index) => file === other[index]);
}
