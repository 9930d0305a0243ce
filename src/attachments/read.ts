import {constants} from 'node:fs';
import {open, stat, type FileHandle} from 'node:fs/promises';
import {resolve} from 'node:path';
import type {Attachment, LineRange} from '../session/content/attachment.ts';
import type {Result} from '../shared/failure.ts';
import {fileFailed} from '../shared/files/file-failure.ts';
import {linesIn} from '../host/files/read-file.ts';
import {checkTarget, placeOf, type Recipient} from './file-for-agent.ts';
import {HEAD_BYTES, mediaType, type MediaType} from './media-type.ts';

/** A file of the prompt, read before anything is sent. */
export interface ReadAttachment {
  /** Absolute. */
  readonly path: string;
  /** Size of the whole file in bytes; undefined for a folder. */
  readonly size: number | undefined;
  readonly lines?: LineRange;
  /** Undefined if it is too large to embed, or neither text nor media; `data` is base64. */
  readonly body: {readonly text: string} | (MediaType & {readonly data: string}) | undefined;
}

/** Larger text is linked, in bytes: the agent can read the part that it needs. */
const MAX_TEXT_BYTES = 256 * 1024;
/** Maximum size of an image, the limit of most models. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Maximum size of audio: about 10 minutes of MP3. */
const MAX_AUDIO_BYTES = 10 * 1024 * 1024;

const LIMITS = {text: MAX_TEXT_BYTES, image: MAX_IMAGE_BYTES, audio: MAX_AUDIO_BYTES};

/** Reads the files; fails with the first one that is missing, unreadable or not a file. Relative paths start at `cwd`. */
export async function readAttachments(
  paths: readonly string[],
  cwd: string,
  recipient: Recipient = {bases: [cwd]},
): Promise<Result<ReadAttachment[]>> {
  const check: CheckFile = (path, real) => void checkTarget(path, real, recipient);
  const attachments: ReadAttachment[] = [];
  for (const path of paths) {
    const read = await readAttachment({path: resolve(cwd, path), name: path}, check);
    if (!read.ok) return read;
    if (read.value.size === undefined) return fileFailed(path, 'it is a folder');
    attachments.push(read.value);
  }
  return {ok: true, value: attachments};
}

/** Throws if what is at a real path is not sent to the agent. */
export type CheckFile = (path: string, real: string) => void;

/** Reads a file, or a range of its lines; `name` identifies it in the failure. */
export async function readAttachment(
  {path, name, lines}: Pick<Attachment, 'path' | 'name' | 'lines'>,
  check: CheckFile,
): Promise<Result<ReadAttachment>> {
  try {
    // Checked before opening: opening a FIFO would block.
    const found = await stat(path);
    if (found.isDirectory()) return {ok: true, value: {path, size: undefined, body: undefined}};
    if (!found.isFile()) return fileFailed(name, 'it is not a regular file');
    const {size} = found;
    if (lines === undefined) return {ok: true, value: {path, size, body: await readBody(path, check)}};
    const wantedLines = {first: lines.first, count: lines.last - lines.first + 1};
    const text = await withType(path, (_, handle) => linesIn(handle, name, wantedLines), check);
    if (text === '') return fileFailed(name, `it has no line ${lines.first}`);
    const isSmall = Buffer.byteLength(text) <= MAX_TEXT_BYTES;
    return {ok: true, value: {path, size, lines, body: isSmall ? {text} : undefined}};
  } catch (error) {
    return fileFailed(name, error);
  }
}

/** Returns type and size of a file by its first bytes. Throws Node's errors; undefined for pipes, devices and sockets. */
export async function readFileInfo(
  path: string,
): Promise<{readonly kind: 'file' | 'folder' | 'image' | 'audio'; readonly size?: number} | undefined> {
  const found = await stat(path);
  if (found.isDirectory()) return {kind: 'folder'};
  if (!found.isFile()) return undefined;
  return withType(path, async (type) => ({kind: type?.media ?? 'file', size: found.size}));
}

/** Opens a file and recognizes its type by its first bytes. */
async function withType<T>(
  path: string,
  use: (type: MediaType | undefined, handle: FileHandle) => Promise<T>,
  check?: CheckFile,
): Promise<T> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    check?.(path, placeOf(await handle.stat(), path));
    const head = Buffer.alloc(HEAD_BYTES);
    await handle.read(head, 0, HEAD_BYTES, 0);
    return await use(mediaType(head), handle);
  } finally {
    await handle.close();
  }
}

function readBody(path: string, check: CheckFile): Promise<ReadAttachment['body']> {
  const read = async (type: MediaType | undefined, handle: FileHandle) => {
    const limit = LIMITS[type?.media ?? 'text'];
    if ((await handle.stat()).size > limit) return undefined;
    const bytes = await handle.readFile();
    // It may have grown meanwhile.
    if (bytes.length > limit) return undefined;
    return type === undefined ? textOf(bytes) : {...type, data: bytes.toString('base64')};
  };
  return withType(path, read, check);
}

function textOf(bytes: Buffer): ReadAttachment['body'] {
  if (bytes.includes(0)) return undefined;
  try {
    return {text: new TextDecoder('utf-8', {fatal: true}).decode(bytes)};
  } catch {
    return undefined;
  }
}
