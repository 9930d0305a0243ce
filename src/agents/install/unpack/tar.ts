import {Parser} from 'tar/parse';
import type {ReadEntry} from 'tar/read-entry';
import {BadArchive, type ArchiveEntry} from './entry.ts';

const KINDS: Readonly<Record<string, ArchiveEntry['kind']>> = {
  File: 'file',
  OldFile: 'file',
  ContiguousFile: 'file',
  Directory: 'folder',
  SymbolicLink: 'symbolic_link',
  Link: 'hard_link',
};

/** Hands each entry of a tar to `take`, one after the other. Throws what `take` throws, and BadArchive for what is no tar. */
export async function readTar(
  bytes: AsyncIterable<Uint8Array>,
  take: (entry: ArchiveEntry) => Promise<void>,
): Promise<void> {
  const parser = new Parser({strict: true});
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  const fail = (problem: unknown) => failure.reject(problem);
  // The parser waits for the content of each to be read, but not for what is done with it.
  let work: Promise<void> = Promise.resolve();
  let isOver = false;
  parser.on('entry', (entry: ReadEntry) => {
    work = work.then(() => {
      if (!isOver) return take(entryOf(entry, failure.promise));
    });
    work.catch(fail);
  });
  parser.on('ignoredEntry', ({path}: ReadEntry) => {
    fail(new BadArchive(`"${path}" in it is of a kind that is not known`));
  });
  parser.on('error', ({message}: Error) => fail(new BadArchive(`it is damaged (${message})`)));
  try {
    await feed(parser, bytes, failure.promise);
    await Promise.race([failure.promise, work]);
  } catch (problem) {
    // What is being written ends, so that its file is closed and nothing is written later.
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

function entryOf(entry: ReadEntry, failure: Promise<never>): ArchiveEntry {
  const {path, type, mode = 0, linkpath} = entry;
  const kind = KINDS[type] ?? 'other';
  const content = contentOf(entry, failure);
  return {path, kind, mode, content, ...(linkpath !== undefined && {target: linkpath})};
}

/** The content of an entry does not end by itself when the tar fails: no more comes then. */
async function* contentOf(entry: ReadEntry, failure: Promise<never>): AsyncIterable<Uint8Array> {
  const chunks = entry[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([failure, chunks.next()]);
    if (next.done === true) return;
    yield next.value;
  }
}
