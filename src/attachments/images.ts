import {createHash} from 'node:crypto';
import {mkdir, readdir, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

/** The first bytes of the pictures that the usual models take; a name may lie. */
const SIGNATURES: readonly (readonly [type: string, at: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
];

/** The number of bytes that `imageType` inspects. */
export const HEAD_BYTES = 16;

/** The MIME type of a picture, by what it holds; undefined for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  return SIGNATURES.find(([, at, signature]) => head.startsWith(signature, at))?.[0];
}

const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

/**
 * Keeps a picture from the clipboard in a private file, so that a draft that names it survives, and removes those that no draft can
 * still want. Returns its path.
 */
export async function keepImage(
  folder: string,
  {bytes, mimeType}: {readonly bytes: Buffer; readonly mimeType: string},
): Promise<string> {
  await mkdir(folder, {recursive: true, mode: 0o700});
  await removeOld(folder);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const path = join(folder, `clipboard-${hash}.${mimeType.split('/')[1] ?? 'png'}`);
  await writeFile(path, bytes, {mode: 0o600});
  return path;
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > KEPT_MS) await rm(path, {force: true});
  }
}
