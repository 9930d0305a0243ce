import {createHash} from 'node:crypto';
import {lstat} from 'node:fs/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {accept, refuse, type HostResponse, type HostOptions, type Refusal, codes} from '../services.ts';
import {withFileErrors} from './file-errors.ts';
import {withFolder} from './folder.ts';
import {readLines, decodeText, readBytes, READ_LIMIT} from './read-file.ts';
import type {RootedPath, Roots} from './roots.ts';
import {writeFile} from './write-file.ts';

interface FileSystemOptions extends Pick<HostOptions, 'onWrittenInPlace'> {
  readonly roots: Roots;
}

/** "File System", confined to the workspace after resolving links. Never asks the user; writes are serialized, so two writes to one file never mix. */
export interface FileSystem {
  /** `approve` is called with the real path, and may refuse. */
  read(
    request: acp.ReadTextFileRequest,
    signal?: AbortSignal,
    approve?: (path: RootedPath) => Promise<Refusal | undefined>,
  ): Promise<HostResponse<acp.ReadTextFileResponse>>;
  /**
   * `approve` is called with the real path, and may refuse. The write goes to that path: if it has become a link meanwhile, the write fails; if its content is
   * no longer the approved one, `approve` is called again.
   */
  write(
    request: acp.WriteTextFileRequest,
    approve?: (subject: WriteRequest) => Promise<Permit>,
  ): Promise<HostResponse<acp.WriteTextFileResponse>>;
  /** Returns the content at a place. */
  snapshot(place: RootedPath): Promise<FileSnapshot>;
}

interface WriteRequest {
  readonly place: RootedPath;
  /** True if the file changed after its approval. */
  readonly isChanged: boolean;
}

/** An approval; `base` is the fingerprint that the file must still have when it is written, if that matters. `content` is what may be written. */
type Permit = Refusal | {readonly ok: true; readonly base: string | undefined; readonly content?: string};

export function createFileSystem({roots, onWrittenInPlace}: FileSystemOptions): FileSystem {
  let lastWrite: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = lastWrite.then(work);
    lastWrite = done.catch(() => undefined);
    return done;
  }

  return {
    async read({path, line, limit}, signal, approve) {
      for (const [name, value] of Object.entries({line, limit}))
        if (value !== undefined && value !== null && !(Number.isInteger(value) && value >= 1))
          return refuse('invalidParams', `${name} counts from 1, but is ${value}.`);
      const wanted = {first: line ?? 1, count: limit ?? Infinity, signal};
      const place = await roots.confine(path);
      if (!place.ok) return place;
      const refusal = await approve?.(place.value);
      if (refusal) return refusal;
      return withFileErrors(path, () =>
        withFolder(place.value, {create: false}, async (folder, name) => ({
          content: await readLines(folder.at(name), path, wanted),
        })),
      );
    },
    async write({path, content}, approve) {
      for (let isChanged = false; ; isChanged = true) {
        // Serialized as well, or the second of two writes could be resolved and done first.
        const place = await inTurn(() => roots.confine(path));
        if (!place.ok) return place;
        const permit = await approve?.({place: place.value, isChanged});
        if (permit?.ok === false) return permit;
        const written = await inTurn(() =>
          withFileErrors(path, () =>
            writeAt(place.value, {base: undefined, content, ...permit, onWrittenInPlace}),
          ),
        );
        if (!written.ok) return written;
        if (written.value) return accept({});
      }
    },
    snapshot: (place) => takeSnapshot(place),
  };
}

interface WriteAt extends Pick<FileSystemOptions, 'onWrittenInPlace'> {
  readonly content: string;
  readonly base: string | undefined;
}

/** False if the file has neither the content of `base` nor the new content. */
async function writeAt(place: RootedPath, {content, base, onWrittenInPlace}: WriteAt): Promise<boolean> {
  return withFolder(place, {create: true}, async (folder, name) => {
    const {path} = place;
    const at = folder.at(name);
    const after = Buffer.from(content);
    const written = await writeFile({folder, name, path}, after, async () => {
      if (base !== undefined && (await seenAt(at, path)).fingerprint !== base) throw new Changed();
    }).catch(wasChanged);
    if (written === undefined) return (await seenAt(at, path)).fingerprint === fingerprintOf(after);
    if (written.inPlace !== undefined) onWrittenInPlace?.(path, written.inPlace);
    return true;
  });
}

/** Aborts a write before it has changed anything. */
class Changed extends Error {}

function wasChanged(error: unknown): undefined {
  if (!(error instanceof Changed)) throw error;
  return undefined;
}

/** Maximum size of a file to compare by its content, in bytes: as much as the protocol can carry. */
const COMPARED_LIMIT = 32 * 1024 * 1024;

/** The content of a file at one point in time. */
export interface FileSnapshot {
  /** Null if there is no file, undefined if it is not text or too large to show. */
  readonly text: string | null | undefined;
  /** Equal only for equal contents. */
  readonly fingerprint: string;
}

/** Returns the content at a place. A missing folder contains no file. */
async function takeSnapshot(place: RootedPath): Promise<FileSnapshot> {
  const seen = await withFileErrors(place.path, () =>
    withFolder(place, {create: false}, (folder, name) => seenAt(folder.at(name), place.path)),
  );
  if (seen.ok) return seen.value;
  return seen.code === codes.notFound ? NO_FILE : UNREADABLE;
}

const NO_FILE: FileSnapshot = {text: null, fingerprint: 'none'};

const UNREADABLE: FileSnapshot = {text: undefined, fingerprint: 'unreadable'};

/** Returns the content of a file in an open folder. */
async function seenAt(at: string, path: string): Promise<FileSnapshot> {
  const bytes = await heldAt(at, path);
  if (bytes === null) return NO_FILE;
  if (bytes !== undefined) return {text: textOf(bytes), fingerprint: fingerprintOf(bytes)};
  const fingerprint = await fingerprintOfLarge(at).catch(() => undefined);
  return fingerprint === undefined ? UNREADABLE : {text: undefined, fingerprint};
}

export function fingerprintOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64');
}

/** A file too large to read counts as changed if its modification time has changed. */
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

/** Returns the bytes of a file; null if there is none, undefined if unreadable: it may be writable all the same. */
function heldAt(at: string, path: string): Promise<Buffer | null | undefined> {
  return readBytes(at, path, COMPARED_LIMIT).catch(() => undefined);
}
