import {sanitizeLine} from '../text/sanitize.ts';
import {pacer} from './slices.ts';

const PER_PIECE = 2000;

/**
 * Files and the folders that they lie in, folders ending in `/`. Names that cannot stand in a prompt as they are (with control or
 * deceiving characters, or quotes) are left out.
 */
export async function entriesOf(files: readonly string[]): Promise<readonly string[]> {
  const pause = pacer();
  const folders = new Set<string>();
  const kept: string[] = [];
  for (const [index, file] of files.entries()) {
    if (index % PER_PIECE === 0) await pause();
    if (!isSpeakable(file)) continue;
    kept.push(file);
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders, ...kept];
}

/** True for a name that stands in a text as it is, on one line. */
export function isSpeakable(name: string): boolean {
  if (/^[\w./@+=,~-]+$/.test(name)) return true;
  return !name.includes('"') && sanitizeLine(name) === name;
}

/** What lies directly in a folder (`''` for the root), folders first, each in the order of names. */
export function childrenOf(entries: readonly string[], folder: string): readonly string[] {
  const children = entries.filter((entry) => {
    if (!entry.startsWith(folder) || entry.length === folder.length) return false;
    const end = entry.indexOf('/', folder.length);
    return end === -1 || end === entry.length - 1;
  });
  return children.sort(byFolderAndName);
}

export function byFolderAndName(one: string, other: string): number {
  const folders = Number(other.endsWith('/')) - Number(one.endsWith('/'));
  return folders !== 0 ? folders : one.localeCompare(other);
}
