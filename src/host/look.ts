import {lstat} from 'node:fs/promises';
import {codes} from './answers.ts';
import {fingerprintOf} from './changes/contents.ts';
import {answering} from './file-errors.ts';
import {withFolder} from './folder.ts';
import {decodeText, readBytes, READ_LIMIT} from './read-file.ts';
import type {Place} from './roots.ts';

/** More than this of what a file held is not remembered, in bytes: as much as the protocol can carry. */
const KEEP_LIMIT = 32 * 1024 * 1024;

/** What a place held when it was looked at. */
export interface Look {
  /** Null where there is no file, undefined where it is not text or too large to be shown. */
  readonly text: string | null | undefined;
  /** Equal only for equal contents. */
  readonly fingerprint: string;
}

/** What a place holds. A folder that is missing holds no file. */
export async function lookAt(place: Place): Promise<Look> {
  const seen = await answering(place.path, () =>
    withFolder(place, {create: false}, (folder, name) => seenAt(folder.at(name), place.path)),
  );
  if (seen.ok) return seen.value;
  return seen.code === codes.notFound ? NO_FILE : UNREADABLE;
}

const NO_FILE: Look = {text: null, fingerprint: 'none'};

const UNREADABLE: Look = {text: undefined, fingerprint: 'unreadable'};

/** The same for one file of a folder that is open. */
export async function seenAt(at: string, path: string): Promise<Look> {
  const bytes = await heldAt(at, path);
  if (bytes === null) return NO_FILE;
  if (bytes !== undefined) return {text: textOf(bytes), fingerprint: fingerprintOf(bytes)};
  const fingerprint = await fingerprintOfLarge(at).catch(() => undefined);
  return fingerprint === undefined ? UNREADABLE : {text: undefined, fingerprint};
}

/** What is not read has changed when its time has. */
async function fingerprintOfLarge(at: string): Promise<string> {
  const {ino, size, mtimeNs, ctimeNs} = await lstat(at, {bigint: true});
  return [ino, size, mtimeNs, ctimeNs].join(' ');
}

function textOf(bytes: Buffer): string | undefined {
  if (bytes.length > READ_LIMIT || bytes.includes(0)) return undefined;
  try {
    return decodeText(bytes);
  } catch {
    return undefined;
  }
}

/** All bytes of a file; null where there is none, undefined where they cannot be had: it can be written all the same. */
export function heldAt(at: string, path: string): Promise<Buffer | null | undefined> {
  return readBytes(at, path, KEEP_LIMIT).catch(() => undefined);
}
