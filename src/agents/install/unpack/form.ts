import {open} from 'node:fs/promises';

/** What an archive is by its first bytes; its name can say anything. */
export type ArchiveForm = 'gzip' | 'bzip2' | 'zip' | 'tar' | 'xz' | 'zstd' | 'other';

const MAGIC: readonly (readonly [ArchiveForm, readonly number[], number])[] = [
  ['gzip', [0x1f, 0x8b], 0],
  ['bzip2', [0x42, 0x5a, 0x68], 0],
  ['zip', [0x50, 0x4b, 0x03, 0x04], 0],
  ['zip', [0x50, 0x4b, 0x05, 0x06], 0],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a], 0],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd], 0],
  ['tar', [0x75, 0x73, 0x74, 0x61, 0x72], 257],
];

export async function formOf(path: string): Promise<ArchiveForm> {
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
