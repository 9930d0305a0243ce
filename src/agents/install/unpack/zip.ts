import {text} from 'node:stream/consumers';
import {openPromise, type Entry, type ZipFile} from 'yauzl';
import {BadArchive, type ArchiveEntry} from './entry.ts';

const TYPE_BITS = 0o170000;
const KINDS: Readonly<Record<number, ArchiveEntry['kind']>> = {
  0: 'file',
  0o100000: 'file',
  0o040000: 'folder',
  0o120000: 'symbolic_link',
};
const MADE_ON_UNIX = 3;
const LONGEST_TARGET = 4096;

/** Hands each entry of a zip to `take`, one after the other. Throws what `take` throws, and BadArchive for what is no zip. */
export async function readZip(file: string, take: (entry: ArchiveEntry) => Promise<void>): Promise<void> {
  const zip = await damagedOr(openPromise(file, {strictFileNames: true, autoClose: false}));
  try {
    const entries = zip.eachEntry()[Symbol.asyncIterator]();
    for (;;) {
      const next = await damagedOr(entries.next());
      if (next.done) return;
      await take(await entryOf(zip, next.value));
    }
  } finally {
    zip.close();
  }
}

async function entryOf(zip: ZipFile, entry: Entry): Promise<ArchiveEntry> {
  const path = entry.fileName;
  const mode = entry.versionMadeBy >> 8 === MADE_ON_UNIX ? entry.externalFileAttributes >>> 16 : 0;
  const kind = path.endsWith('/') ? 'folder' : (KINDS[mode & TYPE_BITS] ?? 'other');
  const content = contentOf(zip, entry);
  if (kind !== 'symbolic_link') return {path, kind, mode, content};
  if (entry.uncompressedSize > LONGEST_TARGET)
    throw new BadArchive(`"${path}" in it is a link that is too long`);
  const target = await text(content);
  return {path, kind, mode, target, content: nothing()};
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncIterable<Uint8Array> {
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

/** What the package throws is about the zip: it was opened by us, and is nobody else's. */
async function damagedOr<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    throw new BadArchive(`it is damaged (${error instanceof Error ? error.message : String(error)})`);
  });
}
