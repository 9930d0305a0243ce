import {copyFile, mkdir, stat, open} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {createReadStream} from 'node:fs';
import {createGunzip} from 'node:zlib';
import type {Result} from '../../../shared/failure.ts';
import {failed} from '../../../shared/file-failure.ts';
import {
  BadArchive,
  createMeter,
  UNPACK_LIMITS,
  type UnpackLimits,
  splitEntryPath,
  type Meter,
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
      const {readZip} = await import('./formats.ts');
      await readZip(archive, writer.add);
    } else if (form === 'gzip' || form === 'bzip2' || form === 'tar') {
      const {readTar} = await import('./formats.ts');
      await readTar(readers[form](archive, await meter()), writer.add);
    } else if (form === 'other' && program !== undefined) {
      const place = join(folder, ...splitEntryPath(program));
      await mkdir(dirname(place), {recursive: true});
      await copyFile(archive, place);
    } else {
      throw new BadArchive(
        form === 'other' ? 'it is not an archive' : `it uses an unsupported compression (${form})`,
      );
    }
    await writer.finish();
    return {ok: true, value: undefined};
  } catch (error) {
    if (error instanceof BadArchive)
      return {ok: false, failure: {kind: 'bad_archive', problem: error.message}};
    return failed(folder, error);
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

/** The same for bzip2. The package emits what it decompressed synchronously, so it is counted in the listener. */
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
  if (error instanceof BadArchive || !(error instanceof Error)) return error;
  const isOfFile = 'syscall' in error;
  return isOfFile ? error : new BadArchive(`it is corrupt (${error.message})`);
}
