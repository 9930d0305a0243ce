import {stat} from 'node:fs/promises';
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve, sep} from 'node:path';

/** Creates a private temporary folder, which is removed on every exit that can be caught. */
export function createTempDir(prefix = 'acp-tui-'): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true, maxRetries: 3}));
  return folder;
}

/** True for a folder, and for a link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Returns the real path, or the path itself if it cannot be resolved. */
export function realpathOrItself(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

/** True for a path below a folder, and for the folder itself. Both are normalized; either may end in a slash. */
export function isWithin(path: string, folder: string): boolean {
  const [inner = '', outer = ''] = [path, folder].map((each) =>
    each.endsWith(sep) ? each.slice(0, -1) : each,
  );
  return inner === outer || inner.startsWith(outer + sep);
}
