import {copyFile, mkdir, stat, open} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {createReadStream} from 'node:fs';
import {createGunzip} from 'node:zlib';
import {text} from 'node:stream/consumers';
import {Parser} from 'tar/parse';
import type {ReadEntry} from 'tar/read-entry';
import {openPromise, type Entry, type ZipFile} from 'yauzl';
import {DONE, errorMessage, fail, type Result} from '../../../shared/failure.ts';
import {fileFailed} from '../../../shared/files/file-failure.ts';
import {
  InvalidArchiveError,
  createMeter,
  UNPACK_LIMITS,
  type UnpackLimits,
  splitEntryPath,
  type Meter,
  type ArchiveEntry,
} from './archive-entry.ts';
import {createFolderWriter} from './folder-writer.ts';

interface Unpacking {
  readonly archive: string;
  /** Empty, and not used by anything else. */
  readonly folder: string;
  /** The target for a plain program file; undefined if it must be an archive. */
  readonly program: string | undefined;
  readonly limits?: UnpackLimits;
  /** Called with the number of bytes written since the last call. */
  readonly onBytes?: (count: number) => void;
  /** Cancels unpacking; the caller knows the reason. */
  readonly signal?: AbortSignal | undefined;
}

const readers = {gzip: gunzip, bzip2: bunzip2, tar: readPlain};

/**
 * Unpacks a tar (plain, gzip or bzip2) or a zip into a folder: files, folders, and links that stay inside it. Failures are `bad_archive`, with the problem,
 * and `file`; the caller then removes the folder.
 */
export async function unpack({
  archive,
  folder,
  program,
  limits = UNPACK_LIMITS,
  onBytes,
  signal,
}: Unpacking): Promise<Result<void>> {
  try {
    const form = await formOf(archive);
    // The decompressed tar and its files are counted by separate meters.
    const meter = async () => createMeter(limits, (await stat(archive)).size, signal);
    const written = await meter();
    const writer = createFolderWriter(folder, {
      entry: written.entry,
      bytes(count) {
        written.bytes(count);
        onBytes?.(count);
      },
    });
    if (form === 'zip') {
      await readZip(archive, writer.add);
    } else if (form === 'gzip' || form === 'bzip2' || form === 'tar') {
      await readTar(readers[form](archive, await meter()), writer.add);
    } else if (form === 'other' && program !== undefined) {
      const place = join(folder, ...splitEntryPath(program));
      await mkdir(dirname(place), {recursive: true});
      await copyFile(archive, place);
    } else {
      throw new InvalidArchiveError(
        form === 'other' ? 'it is not an archive' : `it uses an unsupported compression (${form})`,
      );
    }
    await writer.finish();
    return DONE;
  } catch (error) {
    if (error instanceof InvalidArchiveError) return fail({kind: 'bad_archive', problem: error.message});
    return fileFailed(folder, error);
  }
}

/** Detected from the first bytes, since a file name can be anything. */
type ArchiveForm = 'gzip' | 'bzip2' | 'zip' | 'tar' | 'xz' | 'zstd' | 'other';

const MAGIC: readonly (readonly [ArchiveForm, readonly number[], number])[] = [
  ['gzip', [0x1f, 0x8b], 0],
  ['bzip2', [0x42, 0x5a, 0x68], 0],
  ['zip', [0x50, 0x4b, 0x03, 0x04], 0],
  ['zip', [0x50, 0x4b, 0x05, 0x06], 0],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a], 0],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd], 0],
  ['tar', [0x75, 0x73, 0x74, 0x61, 0x72], 257],
];

async function formOf(path: string): Promise<ArchiveForm> {
  const file = await open(path);
  try {
    const {buffer, bytesRead} = await file.read({buffer: Buffer.alloc(512), position: 0});
    const head = buffer.subarray(0, bytesRead);
    const found = MAGIC.find(([, bytes, at]) => bytes.every((byte, index) => head[at + index] === byte));
    return found?.[0] ?? 'other';
  } finally {
    await file.close();
  }
}

/** Yields the bytes of a file, counted by the meter. */
async function* readPlain(file: string, meter: Meter): AsyncIterable<Uint8Array> {
  for await (const bytes of createReadStream(file) as AsyncIterable<Uint8Array>) {
    meter.bytes(bytes.length);
    yield bytes;
  }
}

/** Yields the bytes of a gzip file, counted by the meter. Throws BadArchive if it is damaged. */
async function* gunzip(file: string, meter: Meter): AsyncIterable<Uint8Array> {
  const compressed = createReadStream(file);
  const whole = createGunzip();
  compressed.on('error', (error) => whole.destroy(error));
  try {
    for await (const bytes of compressed.pipe(whole) as AsyncIterable<Uint8Array>) {
      meter.bytes(bytes.length);
      yield bytes;
    }
  } catch (error) {
    throw damaged(error);
  } finally {
    compressed.destroy();
  }
}

/** Yields the bytes of a bzip2 file, counted by the meter. The package emits them synchronously, so they are counted in the listener. */
async function* bunzip2(file: string, meter: Meter): AsyncIterable<Uint8Array> {
  const {default: unbzip2} = await import('unbzip2-stream');
  const stream = unbzip2();
  let blocks: Uint8Array[] = [];
  let problem: unknown;
  stream.on('data', (block: Uint8Array) => {
    meter.bytes(block.length);
    blocks.push(block);
  });
  stream.on('error', (error) => (problem ??= error));
  function takeBlocks(): Uint8Array[] {
    if (problem !== undefined) throw damaged(problem);
    const taken = blocks;
    blocks = [];
    return taken;
  }
  for await (const bytes of createReadStream(file) as AsyncIterable<Uint8Array>) {
    stream.write(bytes);
    yield* takeBlocks();
  }
  stream.end();
  yield* takeBlocks();
}

function damaged(error: unknown): unknown {
  if (error instanceof InvalidArchiveError || !(error instanceof Error)) return error;
  const isOfFile = 'syscall' in error;
  return isOfFile ? error : new InvalidArchiveError(`it is corrupt (${error.message})`);
}

const TAR_KINDS: Readonly<Record<string, ArchiveEntry['kind']>> = {
  File: 'file',
  OldFile: 'file',
  ContiguousFile: 'file',
  Directory: 'folder',
  SymbolicLink: 'symbolic_link',
  Link: 'hard_link',
};

/** Passes each entry of a tar to `take`, one after the other. Throws what `take` throws, and BadArchive if it is not a valid tar. */
async function readTar(
  bytes: AsyncIterable<Uint8Array>,
  take: (entry: ArchiveEntry) => Promise<void>,
): Promise<void> {
  const parser = new Parser({strict: true});
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  const fail = (problem: unknown) => failure.reject(problem);
  // The parser waits until the content of an entry is read, but not until `take` has finished.
  let work: Promise<void> = Promise.resolve();
  let isOver = false;
  parser.on('entry', (entry: ReadEntry) => {
    work = work.then(() => (isOver ? undefined : take(tarEntry(entry, failure.promise))));
    work.catch(fail);
  });
  parser.on('ignoredEntry', ({path}: ReadEntry) => {
    fail(new InvalidArchiveError(`entry "${path}" has an unknown type`));
  });
  parser.on('error', ({message}: Error) => fail(new InvalidArchiveError(`it is corrupt (${message})`)));
  try {
    await feed(parser, bytes, failure.promise);
    await Promise.race([failure.promise, work]);
  } catch (problem) {
    // Ends the entry that is being written, so that its file is closed and nothing is written later.
    isOver = true;
    fail(problem);
    await work.catch(() => {});
    throw problem;
  }
}

async function feed(
  parser: Parser,
  bytes: AsyncIterable<Uint8Array>,
  failure: Promise<never>,
): Promise<void> {
  const ended = new Promise<void>((resolve) => parser.once('end', resolve));
  for await (const chunk of bytes) {
    if (parser.write(chunk)) continue;
    await Promise.race([failure, new Promise<void>((resolve) => parser.once('drain', resolve))]);
  }
  parser.end();
  await Promise.race([failure, ended]);
}

function tarEntry(entry: ReadEntry, failure: Promise<never>): ArchiveEntry {
  const {path, type, mode = 0, linkpath} = entry;
  const kind = TAR_KINDS[type] ?? 'other';
  const content = tarContent(entry, failure);
  return {path, kind, mode, content, ...(linkpath !== undefined && {target: linkpath})};
}

/** If the tar fails, the content of an entry does not end by itself: no more data follows. */
async function* tarContent(entry: ReadEntry, failure: Promise<never>): AsyncIterable<Uint8Array> {
  const chunks = entry[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([failure, chunks.next()]);
    if (next.done === true) return;
    yield next.value;
  }
}

const TYPE_BITS = 0o170000;
const ZIP_KINDS: Readonly<Record<number, ArchiveEntry['kind']>> = {
  0: 'file',
  0o100000: 'file',
  0o040000: 'folder',
  0o120000: 'symbolic_link',
};
const MADE_ON_UNIX = 3;
const MAX_TARGET_LENGTH = 4096;

/** Passes each entry of a zip to `take`, one after the other. Throws what `take` throws, and BadArchive if it is not a valid zip. */
async function readZip(file: string, take: (entry: ArchiveEntry) => Promise<void>): Promise<void> {
  const zip = await damagedOr(openPromise(file, {strictFileNames: true, autoClose: false}));
  try {
    const entries = zip.eachEntry()[Symbol.asyncIterator]();
    for (;;) {
      const next = await damagedOr(entries.next());
      if (next.done) return;
      await take(await zipEntry(zip, next.value));
    }
  } finally {
    zip.close();
  }
}

async function zipEntry(zip: ZipFile, entry: Entry): Promise<ArchiveEntry> {
  const path = entry.fileName;
  const mode = entry.versionMadeBy >> 8 === MADE_ON_UNIX ? entry.externalFileAttributes >>> 16 : 0;
  const kind = path.endsWith('/') ? 'folder' : (ZIP_KINDS[mode & TYPE_BITS] ?? 'other');
  const content = zipContent(zip, entry);
  if (kind !== 'symbolic_link') return {path, kind, mode, content};
  if (entry.uncompressedSize > MAX_TARGET_LENGTH)
    throw new InvalidArchiveError(`entry "${path}" is a link that is too long`);
  const target = await text(content);
  return {path, kind, mode, target, content: nothing()};
}

async function* zipContent(zip: ZipFile, entry: Entry): AsyncIterable<Uint8Array> {
  const stream = await damagedOr(zip.openReadStreamPromise(entry));
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const next = await damagedOr(chunks.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    stream.destroy();
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {}

/** The package only throws errors about the zip itself. */
async function damagedOr<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    throw new InvalidArchiveError(`it is corrupt (${errorMessage(error)})`);
  });
}
