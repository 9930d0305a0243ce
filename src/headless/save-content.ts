import {constants, statSync} from 'node:fs';
import {access} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {bytesOf} from '../client/content/content-file.ts';
import {contentData, contentItems, type ContentItem} from '../session/content/content-items.ts';
import {fileName} from '../session/content/content-names.ts';
import type {SessionState} from '../session/state.ts';
import type {Failure, Result} from '../shared/failure.ts';
import {failed, notWritten} from '../shared/file-failure.ts';
import {LIMITS} from '../shared/limits.ts';
import {makeFolder, writeNewFile} from '../storage/files.ts';
import type {RunResult} from './schema.ts';

/** What the answer and its tools brought, oldest first. */
interface SavedContent {
  readonly content: RunResult['content'];
  /** Why not all of it was written. */
  readonly failure: Failure | undefined;
}

/** Makes the folder of `--save-content`, before anything is sent. */
export async function prepareContentFolder(folder: string): Promise<Result<void>> {
  try {
    const found = statSync(folder, {throwIfNoEntry: false});
    if (found && !found.isDirectory()) return failed(folder, 'it is not a folder');
    makeFolder(resolve(folder));
    await access(folder, constants.W_OK);
    return {ok: true, value: undefined};
  } catch (error) {
    return failed(folder, error);
  }
}

/**
 * Lists the images, sound and files of a run, and writes them into the folder where one is given. A number in front of each name
 * keeps an agent from writing a file that other programs look for, such as `package.json`.
 */
export async function saveContent(state: SessionState, folder: string | undefined): Promise<SavedContent> {
  const content: RunResult['content'] = [];
  let failure: Failure | undefined;
  for (const item of sentAlong(state)) {
    const name = `${content.length + 1}-${fileName(item)}`;
    const isWanted = folder !== undefined && failure === undefined && content.length < LIMITS.savedFiles;
    const written = isWanted ? await write(state, item, join(resolve(folder), name)) : undefined;
    if (written?.ok === false) failure = written.failure;
    content.push(describe(item, written?.ok ? written.value : null));
  }
  return {content, failure};
}

type Sent = ContentItem & {readonly kind: RunResult['content'][number]['kind']};

function sentAlong(state: SessionState): readonly Sent[] {
  return contentItems(state)
    .filter((item): item is Sent => !item.isOwn && item.kind !== 'link' && item.kind !== 'location')
    .toReversed();
}

async function write(state: SessionState, item: ContentItem, path: string): Promise<Result<string>> {
  const data = contentData(state, item);
  if (!data) throw new Error(`no content ${item.id}`);
  const written = await writeNewFile(path, bytesOf(data), {orNumbered: true});
  if (written.ok || written.failure.kind !== 'file') return written;
  return {ok: false, failure: notWritten({file: path}, written.failure.problem)};
}

function describe(item: Sent, path: string | null): RunResult['content'][number] {
  const {name, kind, mimeType, bytes, toolCallId} = item;
  return {name, kind, mimeType: mimeType ?? null, bytes: bytes ?? 0, path, toolCallId: toolCallId ?? null};
}
