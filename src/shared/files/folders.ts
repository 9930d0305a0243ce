import {stat} from 'node:fs/promises';
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve, sep} from 'node:path';

/** A private temporary folder of this process, for files needed with `--no-save`. */
export function createTempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'acp-tui-'));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
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
    return realpathSync(path);
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
