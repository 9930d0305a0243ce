import type * as acp from '@agentclientprotocol/sdk/unstable';
import {codes, refuse} from './answers.ts';
import {answering, refuseWith} from './file-errors.ts';
import {openFolder, type Folder} from './folder.ts';
import {readBytes, readLines, type Lines} from './read-file.ts';
import type {Place, Roots} from './roots.ts';
import type {Answer, FileSystemService, Refusal, WrittenFile} from './services.ts';
import {writeFile, type Target} from './write-file.ts';

export interface FileSystemOptions {
  readonly roots: Roots;
  /** Told after each write, in the order in which they happened; the next one waits for it. */
  readonly onWritten?: ((written: WrittenFile) => Promise<void> | void) | undefined;
}

/** More than this of what a file held is not remembered, in bytes: as much as the protocol can carry. */
const KEEP_LIMIT = 32 * 1024 * 1024;

const WHOLE: Lines = {first: 1, count: Infinity};

export interface FileSystem extends FileSystemService {
  /** `approve` is told where the path really leads, and may refuse it. */
  read(
    request: acp.ReadTextFileRequest,
    signal?: AbortSignal,
    approve?: (place: Place) => Promise<Refusal | undefined>,
  ): Promise<Answer<acp.ReadTextFileResponse>>;
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
  /**
   * Works on the file of a path that was written before, while nothing is written through us. Refuses a path that leads
   * elsewhere by now.
   */
  alone<T>(path: string, work: (target: Target) => Promise<T>): Promise<Answer<T>>;
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
      const before = onWritten && (await heldBefore(folder.at(name), path));
      const after = Buffer.from(content);
      const {inPlace} = await writeFile({folder, name, path}, after);
      await onWritten?.({path, before, after, ...(inPlace !== undefined && {inPlace})});
      return {};
    });
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
    alone: (path, work) =>
      inTurn(() =>
        answering(path, async () => {
          const place = await roots.confine(path);
          if (!place.ok || place.value.path !== path)
            return refuseWith('invalidParams', 'its path leads elsewhere by now');
          return withFolder(place.value, {create: false}, (folder, name) => work({folder, name, path}));
        }),
      ),
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

/** What cannot be read can be written all the same. */
function heldBefore(at: string, path: string): Promise<Buffer | null | undefined> {
  return readBytes(at, path, KEEP_LIMIT).catch(() => undefined);
}

async function textOf(path: string, read: () => Promise<string>): Promise<string | null | undefined> {
  const answer = await answering(path, read);
  if (answer.ok) return answer.value;
  return answer.code === codes.notFound ? null : undefined;
}
