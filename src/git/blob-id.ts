import {createHash} from 'node:crypto';
import {createReadStream, type Stats} from 'node:fs';
import {readFile, readlink} from 'node:fs/promises';

/** Larger files are read piece by piece: many are read at a time. In bytes. */
const MAX_AT_ONCE = 1024 * 1024;

/** Returns git's id of the bytes of a file, or of the target of a link, as `lstat` has found it. */
export async function blobIdOf(at: Buffer, stats: Stats): Promise<string> {
  if (stats.isSymbolicLink()) return idOf(await readlink(at, 'buffer'));
  const {size} = stats;
  if (size <= MAX_AT_ONCE) return idOf(await readFile(at));
  // If the size changes meanwhile, it is the id of no content.
  const hash = createHash('sha1').update(`blob ${size}\0`);
  for await (const piece of createReadStream(at)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

function idOf(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
