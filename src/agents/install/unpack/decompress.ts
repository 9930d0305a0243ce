import {createReadStream} from 'node:fs';
import {createGunzip} from 'node:zlib';
import {BadArchive, type Meter} from './archive-entry.ts';

/** Yields the bytes of a file, counted by the meter. */
export async function* readPlain(file: string, meter: Meter): AsyncIterable<Uint8Array> {
  for await (const bytes of createReadStream(file) as AsyncIterable<Uint8Array>) {
    meter.bytes(bytes.length);
    yield bytes;
  }
}

/** Yields the bytes of a gzip file, counted by the meter. Throws BadArchive if it is damaged. */
export async function* gunzip(file: string, meter: Meter): AsyncIterable<Uint8Array> {
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
export async function* bunzip2(file: string, meter: Meter): AsyncIterable<Uint8Array> {
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
