import {createHash} from 'node:crypto';
import type {Stats} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import type {WorkTree} from './work-tree.ts';
import {SnapshotProblem, type RawPath} from '../repository.ts';

/** The files in an index of git's, version 2. */
export interface IndexFile {
  /** Where the entry of each file begins in `bytes`, by path. */
  readonly entries: ReadonlyMap<RawPath, number>;
  readonly bytes: Buffer;
  /** In seconds: files of this time and later may have changed without a trace in their times. */
  readonly read: number;
}

/** With the version. */
const SIGNATURE = 'DIRC\0\0\0\x02';
const HEAD_BYTES = 12;
/** Where an entry has its fields. */
const AT = {ctime: 0, mtime: 8, mode: 24, size: 36, id: 40, path: 62} as const;
const CHECKSUM_BYTES = 20;

/** Returns an index without files. */
export function emptyIndex(): Buffer {
  const header = Buffer.from(`${SIGNATURE}\0\0\0\0`, 'latin1');
  return Buffer.concat([header, createHash('sha1').update(header).digest()]);
}

/** Reads the files of an index that are in a folder; throws a SnapshotProblem. */
export async function readIndex({
  indexPath,
  workTree: {prefix},
}: {
  readonly indexPath: string;
  readonly workTree: Pick<WorkTree, 'prefix'>;
}): Promise<IndexFile> {
  const [bytes, {mtimeMs}] = await Promise.all([readFile(indexPath), stat(indexPath)]);
  if (bytes.toString('latin1', 0, 8) !== SIGNATURE) throw new SnapshotProblem('its index is corrupt');
  const above = Buffer.from(prefix).toString('latin1');
  const entries = new Map<RawPath, number>();
  let at = HEAD_BYTES;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const end = bytes.indexOf(0, at + AT.path);
    if (end === -1 || end > bytes.length - CHECKSUM_BYTES) throw new SnapshotProblem('its index is corrupt');
    const name = bytes.toString('latin1', at + AT.path, end);
    if (name.startsWith(above)) entries.set(name.slice(above.length), at);
    // One to eight zero bytes: the length of an entry is a multiple of eight.
    at += (end - at + 8) & ~7;
  }
  return {entries, bytes, read: Math.floor(mtimeMs / 1000)};
}

/** Compares a file with its entry, as git does; `young` if it may have changed without being different in size and seconds. */
export function compareStats(
  {bytes, entries, read}: IndexFile,
  path: RawPath,
  {mtimeMs, ctimeMs, size}: Stats,
): 'same' | 'different' | 'young' {
  const at = entries.get(path) ?? 0;
  const has = (field: number, value: number) => bytes.readUInt32BE(at + field) === value >>> 0;
  const isSame =
    has(AT.mtime, Math.floor(mtimeMs / 1000)) &&
    has(AT.ctime, Math.floor(ctimeMs / 1000)) &&
    has(AT.size, size);
  if (!isSame) return 'different';
  return bytes.readUInt32BE(at + AT.mtime) >= read ? 'young' : 'same';
}

/** Returns git's mode and id of one of its files. */
export function modeAndId({bytes, entries}: IndexFile, path: RawPath): readonly [mode: number, id: string] {
  const at = entries.get(path) ?? 0;
  return [bytes.readUInt32BE(at + AT.mode), bytes.toString('hex', at + AT.id, at + AT.id + 20)];
}
