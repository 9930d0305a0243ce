import {basename, join} from 'node:path';
import {createHash} from 'node:crypto';
import {mkdir, readdir, rm, stat, writeFile} from 'node:fs/promises';
import {pathOfUrl} from '../app/editor/dropped-paths.ts';
import type {Attachment} from '../session/content/attachment.ts';
import {fail, type Result} from '../shared/failure.ts';
import {fileFailed} from '../shared/files/file-failure.ts';
import {sanitize, sanitizeLine} from '../text/sanitize.ts';
import {shownPath} from '../text/format.ts';
import {absolutePath} from '../shared/files/session-folders.ts';
import {readFileInfo, MAX_IMAGE_BYTES} from './read.ts';
import type {ClipboardContent} from './clipboards/clipboard-tool.ts';

/** How the draft changes. */
type Taken =
  | {readonly kind: 'files'; readonly files: readonly Attachment[]}
  | {readonly kind: 'text'; readonly text: string};

/** Reads type and size of files; fails with the first one that cannot be sent. */
export async function readFileInfos(files: readonly Attachment[]): Promise<Result<Attachment[]>> {
  const seen: Attachment[] = [];
  for (const file of files) {
    try {
      const info = await readFileInfo(file.path);
      if (!info) return fileFailed(file.name, 'it is not a regular file');
      seen.push({...file, kind: info.kind, size: info.size});
    } catch (error) {
      return fileFailed(file.name, error);
    }
  }
  return {ok: true, value: seen};
}

/** Returns dropped or copied paths as attachments; a failure if one does not exist. */
export async function attachPaths(paths: readonly string[], cwd: string): Promise<Result<Attachment[]>> {
  const files = paths.map((typed): Attachment => {
    const path = absolutePath(typed, cwd);
    return {path, name: shownPath(path, cwd), kind: 'file'};
  });
  // Its name must be valid in a prompt.
  const unspeakable = files.find(({name}) => sanitize(name) !== name || /["\n\t]/.test(name));
  if (unspeakable)
    return fileFailed(sanitizeLine(unspeakable.name), 'its name has characters that cannot be typed');
  return readFileInfos(files);
}

/** Returns the clipboard as an attachment or text. Fails for images that the agent does not support. */
export async function takeClipboard(
  content: ClipboardContent,
  options: {readonly cwd: string; readonly folder: string; readonly takesImages: boolean},
): Promise<Result<Taken>> {
  const name = 'the image in the clipboard';
  switch (content.kind) {
    case 'unavailable':
      return fail({kind: 'not_offered', cannot: 'paste with this key', why: content.why});
    case 'nothing':
      return fileFailed('the clipboard', 'it has no image, files or text');
    case 'text':
      return {ok: true, value: content};
    case 'files': {
      const paths = content.paths.map((path) => pathOfUrl(path) ?? path);
      const files = await attachPaths(paths, options.cwd);
      return files.ok ? {ok: true, value: {kind: 'files', files: files.value}} : files;
    }
    case 'image': {
      if (!options.takesImages) return fileFailed(name, 'this agent does not accept images');
      if (content.bytes.length > MAX_IMAGE_BYTES) return fileFailed(name, 'it is larger than 5 MiB');
      const path = await keepImage(options.folder, content);
      const size = content.bytes.length;
      return {
        ok: true,
        value: {
          kind: 'files',
          files: [{path, name: basename(path), kind: 'image', size, isFromClipboard: true}],
        },
      };
    }
  }
}

const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

/**
 * Stores an image from the clipboard in a private file, so that a draft that refers to it survives, and removes those that no draft can refer to. Returns its
 * path.
 */
async function keepImage(
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
