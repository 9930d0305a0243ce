import type * as acp from '@agentclientprotocol/sdk/unstable';
import {codes, refuse} from './answers.ts';
import {answering, refuseWith} from './file-errors.ts';
import {openFolder, type Folder} from './folder.ts';
import {readLines, type Lines} from './read-file.ts';
import type {Place, Roots} from './roots.ts';
import type {Answer, FileSystemService, WrittenFile} from './services.ts';
import {writeFile} from './write-file.ts';

export interface FileSystemOptions {
  readonly roots: Roots;
  /** Told after each write, in the order in which they happened. */
  readonly onWritten?: ((written: WrittenFile) => void) | undefined;
}

const WHOLE: Lines = {first: 1, count: Infinity};

export interface FileSystem extends FileSystemService {
  /** Writes to a place that was confined, and perhaps approved, before: what has become a link since is not followed. */
  writeAt(place: Place, content: string): Promise<Answer<acp.WriteTextFileResponse>>;
  /** What a place holds; null where there is no file, undefined where it is not text or too large to be kept. */
  textAt(place: Place): Promise<string | null | undefined>;
}

/** "File System", confined to the roots; asks nobody. Writes happen one at a time, in the order asked for, so two to one file never mix. */
export function createFileSystem({roots, onWritten}: FileSystemOptions): FileSystem {
  let lastWrite: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = lastWrite.then(work);
    lastWrite = done.catch(() => undefined);
    return done;
  }

  async function write(place: Place, content: string): Promise<object> {
    return withFolder(place, {create: true}, async (folder, name) => {
      const {path} = place;
      const before = await textOf(path, () => readLines(folder.at(name), path, WHOLE));
      const {inPlace} = await writeFile({folder, name, path}, content);
      onWritten?.({path, before, after: content, ...(inPlace !== undefined && {inPlace})});
      return {};
    });
  }

  return {
    async read({path, line, limit}, signal) {
      for (const [name, value] of Object.entries({line, limit}))
        if (value !== undefined && value !== null && !(Number.isInteger(value) && value >= 1))
          return refuse('invalidParams', `${name} counts from 1, but is ${value}.`);
      const wanted = {first: line ?? 1, count: limit ?? Infinity, signal};
      return confined(path, roots, (place) =>
        withFolder(place, {create: false}, async (folder, name) => ({
          content: await readLines(folder.at(name), path, wanted),
        })),
      );
    },
    write({path, content}) {
      return inTurn(() => confined(path, roots, (place) => write(place, content)));
    },
    textAt: (place) =>
      textOf(place.path, () =>
        withFolder(place, {create: false}, (folder, name) => readLines(folder.at(name), place.path, WHOLE)),
      ),
    writeAt(place, content) {
      return inTurn(() => answering(place.path, () => write(place, content)));
    },
  };
}

async function confined<T>(
  path: string,
  roots: Roots,
  work: (place: Place) => Promise<T>,
): Promise<Answer<T>> {
  const place = await roots.confine(path);
  return place.ok ? answering(path, () => work(place.value)) : place;
}

async function withFolder<T>(
  place: Place,
  options: {readonly create: boolean},
  work: (folder: Folder, name: string) => Promise<T>,
): Promise<T> {
  const name = place.names.at(-1) ?? refuseWith('invalidParams', `It is a folder: ${place.path}`);
  const folder = await openFolder(place, options);
  try {
    return await work(folder, name);
  } finally {
    await folder.close();
  }
}

async function textOf(path: string, read: () => Promise<string>): Promise<string | null | undefined> {
  const answer = await answering(path, read);
  if (answer.ok) return answer.value;
  return answer.code === codes.notFound ? null : undefined;
}
