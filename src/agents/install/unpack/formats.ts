import {text} from 'node:stream/consumers';
import {Parser} from 'tar/parse';
import type {ReadEntry} from 'tar/read-entry';
import {openPromise, type Entry, type ZipFile} from 'yauzl';
import {BadArchive, type ArchiveEntry} from './archive-entry.ts';

const TAR_KINDS: Readonly<Record<string, ArchiveEntry['kind']>> = {
  File: 'file',
  OldFile: 'file',
  ContiguousFile: 'file',
  Directory: 'folder',
  SymbolicLink: 'symbolic_link',
  Link: 'hard_link',
};

/** Passes each entry of a tar to `take`, one after the other. Throws what `take` throws, and BadArchive if it is not a valid tar. */
export async function readTar(
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
    fail(new BadArchive(`entry "${path}" has an unknown type`));
  });
  parser.on('error', ({message}: Error) => fail(new BadArchive(`it is corrupt (${message})`)));
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
export async function readZip(file: string, take: (entry: ArchiveEntry) => Promise<void>): Promise<void> {
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
    throw new BadArchive(`entry "${path}" is a link that is too long`);
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
    throw new BadArchive(`it is corrupt (${error instanceof Error ? error.message : String(error)})`);
  });
}
