import {constants, statSync} from 'node:fs';
import {access} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {bytesOf} from '../../attachments/content-file.ts';
import {contentData, contentItems, type ContentItem} from '../../session/content/content-items.ts';
import {fileName} from '../../session/content/content-names.ts';
import type {SessionState} from '../../session/state.ts';
import {DONE, type Failure, type Result} from '../../shared/failure.ts';
import {fileFailed, writeFailure} from '../../shared/files/file-failure.ts';
import {LIMITS} from '../../shared/limits.ts';
import {makeFolder, writeNewFile} from '../../shared/files/safe-files.ts';
import {bytes} from '../../text/format.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {truncate} from '../../text/truncate.ts';
import type {RunResult} from './schema.ts';

/** The saved content of the answer and its tools, oldest first. */
interface SavedContent {
  readonly content: RunResult['content'];
  /** Why some of it was not written. */
  readonly failure: Failure | undefined;
}

/** Creates the folder of `--save-content`, before anything is sent. */
export async function prepareContentFolder(folder: string): Promise<Result<void>> {
  try {
    const found = statSync(folder, {throwIfNoEntry: false});
    if (found && !found.isDirectory()) return fileFailed(folder, 'it is not a folder');
    makeFolder(resolve(folder));
    await access(folder, constants.W_OK);
    return DONE;
  } catch (error) {
    return fileFailed(folder, error);
  }
}

/**
 * Lists the images, audio and files of a run, and writes them to the folder if there is one. Names start with a number, so that an agent cannot create a file
 * that other programs look for, such as `package.json`.
 */
export async function saveContent(state: SessionState, folder: string | undefined): Promise<SavedContent> {
  const content: RunResult['content'] = [];
  let failure: Failure | undefined;
  let canWrite = folder !== undefined;
  for (const item of sentAlong(state)) {
    const name = `${String(content.length + 1).padStart(3, '0')}-${fileName(item)}`;
    const path = join(resolve(folder ?? ''), name);
    const found = canWrite && content.length < LIMITS.savedFiles ? contentOf(state, item) : undefined;
    const written = found?.ok ? await writeNewFile(path, found.value, {orNumbered: true}) : found;
    canWrite &&= !found?.ok || written?.ok === true;
    if (written?.ok === false) failure ??= withPath(path, written.failure);
    content.push(describe(item, written?.ok ? written.value : null));
  }
  return {content, failure};
}

/** In columns. */
const MAX_NAME_LENGTH = 100;
/** Number of items that a sentence names. */
const MAX_NAMED = 3;

/** Returns what to say of pictures, sound and files that the answer's text leaves out; undefined if there are none. */
export function leftOutOfText(content: RunResult['content']): string | undefined {
  const left = content.filter(
    ({kind, path, toolCallId, subagent}) =>
      kind !== 'text' && path === null && toolCallId === null && subagent === null,
  );
  if (left.length === 0) return undefined;
  const named = left.slice(0, MAX_NAMED).map(({name, mimeType, bytes: size}) => {
    const facts = [mimeType, bytes(size)].filter((fact) => fact !== null);
    return truncate(sanitizeLine(`${name} (${facts.join(', ')})`), MAX_NAME_LENGTH);
  });
  const more = left.length > MAX_NAMED ? [`${left.length - MAX_NAMED} more`] : [];
  return `The answer's text leaves out ${[...named, ...more].join(', ')}. --save-content <dir> saves it.`;
}

type Sent = ContentItem & {readonly kind: RunResult['content'][number]['kind']};

function sentAlong(state: SessionState): readonly Sent[] {
  return contentItems(state)
    .filter((item): item is Sent => !item.isOwn && item.kind !== 'link' && item.kind !== 'location')
    .toReversed();
}

function contentOf(state: SessionState, item: ContentItem): Result<Buffer> {
  const data = contentData(state, item);
  if (!data) throw new Error(`no content ${item.id}`);
  return bytesOf(item, data);
}

function withPath(path: string, failure: Failure): Failure {
  return failure.kind === 'file' ? writeFailure({file: path}, failure.problem) : failure;
}

function describe(item: Sent, path: string | null): RunResult['content'][number] {
  const {name, kind, mimeType = null, bytes = 0, toolCallId = null, subagent = null} = item;
  return {name, kind, mimeType, bytes, path, toolCallId, subagent};
}
