import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import * as fuzzysort from 'fuzzysort';
import {absolutePath} from '../attachments/places.ts';
import {byFolderAndName, isSpeakable} from './entries.ts';
import {RESEMBLANCE} from './search.ts';

const MOST_LISTED = 200;

/** True for a path that is typed from a place of its own: `/`, `~/`, `./` or `../`. */
export function isRooted(query: string): boolean {
  return /^(?:\/|~\/|\.{1,2}\/)/.test(query);
}

/** What goes on from such a path, read from its folder: the folder itself when it is typed whole, then what fits in it. */
export async function listFolder(query: string, cwd: string): Promise<readonly string[]> {
  const end = query.lastIndexOf('/') + 1;
  const [folder, name] = [query.slice(0, end), query.slice(end)];
  const place = absolutePath(folder, cwd);
  const entries = await readdir(place, {withFileTypes: true}).catch(() => []);
  const names = await Promise.all(
    entries
      .filter((entry) => isSpeakable(entry.name) && (name.startsWith('.') || !entry.name.startsWith('.')))
      .slice(0, 10_000)
      .map(async (entry) => {
        const isFolder = entry.isSymbolicLink()
          ? await leadsToFolder(join(place, entry.name))
          : entry.isDirectory();
        return isFolder ? `${entry.name}/` : entry.name;
      }),
  );
  if (name === '')
    return [folder, ...names.sort(byFolderAndName).map((each) => folder + each)].slice(0, MOST_LISTED);
  return fuzzysort
    .go(name, names, {limit: MOST_LISTED, threshold: RESEMBLANCE})
    .map(({target}) => folder + target);
}

async function leadsToFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
