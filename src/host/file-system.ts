import type * as acp from '@agentclientprotocol/sdk/unstable';
import {codes, refuse} from './answers.ts';
import {answering, refuseWith} from './file-errors.ts';
import {openFolder, type Folder} from './folder.ts';
import {readLines, type Lines} from './read-file.ts';
import type {Place, Roots} from './roots.ts';
import type {Answer, FileSystemService, Refusal, WrittenFile} from './services.ts';
import {writeFile} from './write-file.ts';

export interface FileSystemOptions {
  readonly roots: Roots;
  /** Told after each write, in the order in which they happened. */
  readonly onWritten?: ((written: WrittenFile) => void) | undefined;
}

const WHOLE: Lines = {first: 1, count: Infinity};

export interface FileSystem extends FileSystemService {
  /**
   * `approve` is told where the path really leads, and may refuse it. What is written is written to that place: when it has
   * become a link meanwhile, the write fails.
   */
  write(
    request: acp.WriteTextFileRequest,
    approve?: (place: Place) => Promise<Refusal | undefined>,
  ): Promise<Answer<acp.WriteTextFileResponse>>;
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

  async function writeAt(place: Place, content: string): Promise<object> {
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
      const place = await roots.confine(path);
      if (!place.ok) return place;
      return answering(path, () =>
        withFolder(place.value, {create: false}, async (folder, name) => ({
          content: await readLines(folder.at(name), path, wanted),
        })),
      );
    },
    async write({path, content}, approve) {
      // In turn as well, or the second of two writes could be resolved, and done, first.
      const place = await inTurn(() => roots.confine(path));
      if (!place.ok) return place;
      const refusal = await approve?.(place.value);
      return refusal ?? inTurn(() => answering(path, () => writeAt(place.value, content)));
    },
    textAt: (place) =>
      textOf(place.path, () =>
        withFolder(place, {create: false}, (folder, name) => readLines(folder.at(name), place.path, WHOLE)),
      ),
  };
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
