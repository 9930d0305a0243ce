import {constants} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';

/** The first bytes of an ordinary file as text; undefined for everything else, none of which is waited for, and where none can be read. */
export async function readOrdinaryFile(file: string, maxBytes: number): Promise<string | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await handle.stat();
    if (!stats.isFile()) return undefined;
    const size = Math.min(stats.size, maxBytes);
    const {bytesRead, buffer} = await handle.read(Buffer.alloc(size), 0, size, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}
