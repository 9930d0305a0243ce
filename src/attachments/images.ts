import {createHash} from 'node:crypto';
import {mkdir, readdir, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

/**
 * Stores an image from the clipboard in a private file, so that a draft that refers to it survives, and removes those that no draft can refer to. Returns its
 * path.
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
