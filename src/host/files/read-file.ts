import {constants, closeSync, fstatSync, openSync, readFileSync, statSync} from 'node:fs';
import {lstat, open, type FileHandle} from 'node:fs/promises';
import {throwRefusal, requireFile} from './file-errors.ts';
import {codeOf} from '../../shared/files/safe-files.ts';

/** Maximum size of one read, in bytes; `line` and `limit` reach into larger files. */
export const READ_LIMIT = 10 * 1024 * 1024;

interface Lines {
  /** The first line to read, from 1. */
  readonly first: number;
  /** Number of lines. */
  readonly count: number;
}

/**
 * Reads lines of a text file unchanged, including BOM and CRLF. Throws refusals and errors of the file system.
 * @param at the path to read; a link as last name is not followed
 * @param path the path for messages to the agent
 */
export async function readLines(
  at: string,
  path: string,
  range: Lines & {readonly signal?: AbortSignal | undefined},
): Promise<string> {
  const handle = await openFile(at, path);
  try {
    return await linesIn(handle, path, range);
  } finally {
    await handle.close();
  }
}

/** Reads lines of an open text file unchanged, including BOM and CRLF. */
export async function linesIn(
  handle: FileHandle,
  path: string,
  range: Lines & {readonly signal?: AbortSignal | undefined},
): Promise<string> {
  return decode(path, await collect(handle, path, range));
}

/** Returns the bytes of a regular file; null if there is none, undefined if it is larger than `limit`. Throws refusals and errors of the file system. */
export async function readBytes(at: string, path: string, limit: number): Promise<Buffer | null | undefined> {
  const handle = await openFile(at, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    const kept: Buffer[] = [];
    let size = 0;
    for await (const chunk of chunksOf(handle)) {
      size += chunk.length;
      if (size > limit) return undefined;
      kept.push(chunk);
    }
    return Buffer.concat(kept);
  } finally {
    await handle.close();
  }
}

async function openFile(at: string, path: string): Promise<FileHandle> {
  requireFile(path, await lstat(at));
  // O_NONBLOCK: if it has become a FIFO, opening must not hang.
  const handle = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    requireFile(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function collect(
  handle: FileHandle,
  path: string,
  {first, count, signal}: Lines & {readonly signal?: AbortSignal | undefined},
): Promise<Buffer> {
  const kept: Buffer[] = [];
  let size = 0;
  let line = 1;
  for await (const chunk of chunksOf(handle)) {
    if (signal?.aborted) throwRefusal('cancelled', 'The request was withdrawn.');
    if (chunk.includes(0)) throwRefusal('invalidParams', `Not a text file: ${path}`);
    const start = skipLines(chunk, first - line);
    const end = skipLines(chunk.subarray(start.offset), first + count - line - start.lines);
    line += start.lines + end.lines;
    // An empty slice would keep its whole chunk in memory.
    if (end.offset > 0) kept.push(chunk.subarray(start.offset, start.offset + end.offset));
    size += end.offset;
    if (size > READ_LIMIT)
      throwRefusal(
        'invalidParams',
        `It is larger than ${READ_LIMIT / 1024 / 1024} MiB; request part of it with line and limit: ${path}`,
      );
    if (line >= first + count) break;
  }
  return Buffer.concat(kept);
}

async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const {bytesRead, buffer} = await handle.read(Buffer.allocUnsafe(256 * 1024), 0, 256 * 1024, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Returns the offset `wanted` lines further on, and the number of line ends before it; the end if there are fewer. */
function skipLines(chunk: Buffer, wanted: number): {offset: number; lines: number} {
  let offset = 0;
  let lines = 0;
  while (lines < wanted) {
    const end = chunk.indexOf(0x0a, offset);
    if (end === -1) return {offset: chunk.length, lines};
    offset = end + 1;
    lines += 1;
  }
  return {offset, lines};
}

function decode(path: string, bytes: Buffer): string {
  try {
    return decodeText(bytes);
  } catch {
    return throwRefusal('invalidParams', `Not UTF-8 text: ${path}`);
  }
}

/** Decodes UTF-8, keeping its byte order mark; throws if it is invalid. */
export function decodeText(bytes: Buffer): string {
  return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
}

/**
 * Reads a text file synchronously, since the updates of a session must keep their order; null if there is no file, undefined if it is unreadable or larger
 * than `limit` bytes.
 */
export function readTextSync(path: string, limit: number): string | null | undefined {
  let file: number | undefined;
  try {
    // Opening a device may change it, and a FIFO may be in its place by then.
    if (!statSync(path).isFile()) return undefined;
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= limit ? readFileSync(file, 'utf8') : undefined;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? null : undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
