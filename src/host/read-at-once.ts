import {closeSync, constants, fstatSync, openSync, readFileSync} from 'node:fs';

/**
 * Returns the text of an ordinary file while an update waits, since the updates of a session must keep their order; null where
 * there is no file, undefined where it cannot be read or has more than `limit` bytes.
 */
export function readAtOnce(path: string, limit: number): string | null | undefined {
  let file: number | undefined;
  try {
    // A pipe would be waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= limit ? readFileSync(file, 'utf8') : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
