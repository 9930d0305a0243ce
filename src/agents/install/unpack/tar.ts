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
  const fail = (error: unknown) => failure.reject(error);
  // The parser waits for the content of each to be read, but not for what is done with it.
  let work: Promise<void> = Promise.resolve();
  const takeNext = (entry: ReadEntry) => {
    work = work.then(() => take(entryOf(entry)));
    work.catch(fail);
  };
  parser.on('entry', takeNext);
  parser.on('ignoredEntry', ({path}: ReadEntry) => {
    fail(new BadArchive(`"${path}" in it is of a kind that is not known`));
  });
  parser.on('error', ({message}: Error) => fail(new BadArchive(`it is damaged (${message})`)));
  const ended = new Promise<void>((resolve) => parser.once('end', resolve));
  for await (const chunk of bytes) {
    const drained = new Promise<void>((resolve) => parser.once('drain', resolve));
    if (!parser.write(chunk)) await Promise.race([failure.promise, drained]);
  }
  parser.end();
  await Promise.race([failure.promise, ended]);
  await Promise.race([failure.promise, work]);
}

function entryOf(entry: ReadEntry): ArchiveEntry {
  const {path, type, mode = 0, linkpath} = entry;
  const kind = KINDS[type] ?? 'other';
  return {path, kind, mode, content: entry, ...(linkpath !== undefined && {target: linkpath})};
}
