import {stat} from 'node:fs/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {atWords} from '../app/editor/attachments.ts';
import type {Attachment} from '../session/content/attachment.ts';
import {fail, type Result} from '../shared/failure.ts';
import {checkTarget} from './file-for-agent.ts';
import {bytes} from '../text/format.ts';
import {contentBlockOf} from './content-block.ts';
import {absolutePath, isInside, type Folders} from '../shared/files/session-folders.ts';
import {readAttachment, type CheckFile, type ReadAttachment} from './read.ts';

/** The parts of a prompt before it is sent. */
interface UnreadPrompt {
  readonly content: readonly acp.ContentBlock[];
  readonly files: readonly Attachment[];
}

interface Recipient extends Folders {
  readonly capabilities: acp.PromptCapabilities | undefined;
  /** False for a real path that the agent's sandbox hides. */
  readonly isReadable?: ((real: string) => boolean) | undefined;
}

/** Maximum size of embedded files per prompt; others are linked. The protocol's library limits a message to 32 MiB. */
const MAX_PROMPT_BYTES = 16 * 1024 * 1024;
/** With more words it is a list, not a prompt that names files. */
const MAX_WORDS = 50;

/**
 * Reads the files of a prompt, attached or named in its text, and appends them to its content in a form that the agent supports. A file that cannot be read is
 * a failure: nothing is sent without it.
 */
export async function promptContent(
  prompt: UnreadPrompt,
  recipient: Recipient,
): Promise<Result<{readonly content: readonly acp.ContentBlock[]; readonly remarks: readonly string[]}>> {
  const {cwd, additionalDirectories, isReadable} = recipient;
  const named = await namedFiles(prompt, recipient);
  const check: CheckFile = (path, real) =>
    void checkTarget(path, real, {bases: [cwd, ...additionalDirectories], isReadable});
  // The text may be that of a command file, which an agent may write.
  const checkNamed: CheckFile = (_, real) => {
    if (isReadable?.(real) === false) throw new Error('the sandbox hides it');
  };
  const blocks: acp.ContentBlock[] = [];
  const remarks: string[] = [];
  let room = MAX_PROMPT_BYTES;
  for (const file of [...prompt.files, ...named]) {
    const read = await readAttachment(file, named.includes(file) ? checkNamed : check);
    if (!read.ok) return read;
    const block = blockFor(file, read.value, recipient, room);
    if (!block.ok) return block;
    room -= embeddedBytes(block.value);
    blocks.push(block.value);
    const remark = await remarkOn(file, read.value, {block: block.value, recipient});
    if (remark !== undefined) remarks.push(remark);
  }
  return {ok: true, value: {content: [...prompt.content, ...blocks], remarks}};
}

/** A pasted image is sent or refused; a link would point into acp-tui's own files. */
function blockFor(
  {isFromClipboard, name}: Attachment,
  read: ReadAttachment,
  {capabilities}: Recipient,
  room: number,
): Result<acp.ContentBlock> {
  const block = contentBlockOf(read, capabilities);
  const fits =
    embeddedBytes(block) <= room ? block : contentBlockOf({...read, body: undefined}, capabilities);
  if (!isFromClipboard) return {ok: true, value: fits};
  if (fits.type === 'image') {
    const {uri: _ours, ...image} = fits;
    return {ok: true, value: image};
  }
  const why = capabilities?.image ? 'it is too large' : 'this agent does not accept images';
  return fail({kind: 'file', path: name, problem: why});
}

function embeddedBytes(block: acp.ContentBlock): number {
  if (block.type === 'image' || block.type === 'audio') return block.data.length;
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text.length : 0;
}

const NAMES = {image: {one: 'an image', many: 'images'}, audio: {one: 'audio', many: 'audio'}} as const;

async function remarkOn(
  {name, kind, path}: Attachment,
  {body, size}: ReadAttachment,
  {block, recipient}: {readonly block: acp.ContentBlock; readonly recipient: Recipient},
): Promise<string | undefined> {
  if (block.type !== 'resource_link') return undefined;
  const {capabilities} = recipient;
  if (body && 'media' in body && !capabilities?.[body.media])
    return `This agent does not accept ${NAMES[body.media].many}: it gets a link to ${name}.`;
  const isMedia = kind === 'image' || kind === 'audio';
  if (isMedia && body === undefined && capabilities?.[kind] && size !== undefined)
    return `${name} is too large to send as ${NAMES[kind].one} (${bytes(size)}): the agent gets a link to it.`;
  if (!(await isInside(path, recipient)))
    return `${name} is outside the workspace: the agent gets a link, and may not be able to read it. /add-dir adds a folder.`;
  return undefined;
}

/** Files in the session's folders that the text names after an `@` without attaching them: typed, or from the history. */
async function namedFiles(
  {content, files}: UnreadPrompt,
  {cwd, additionalDirectories}: Recipient,
): Promise<readonly Attachment[]> {
  const [first] = content;
  if (first?.type !== 'text' || !first.text.includes('@')) return [];
  const key = (path: string, lines: Attachment['lines']) => `${path}:${lines?.first}-${lines?.last}`;
  const known = new Set(files.map(({path, lines}) => key(path, lines)));
  const named: Attachment[] = [];
  for (const {path: name, lines} of atWords(first.text).slice(0, MAX_WORDS)) {
    // A bare word is more likely a person's name than a file's.
    if (!/[./]/.test(name)) continue;
    const path = absolutePath(name, cwd);
    if (known.has(key(path, lines)) || !(await isFileInside(path, {cwd, additionalDirectories}))) continue;
    known.add(key(path, lines));
    named.push({path, name, kind: 'file', lines});
  }
  return named;
}

async function isFileInside(path: string, folders: Folders): Promise<boolean> {
  try {
    return (await stat(path)).isFile() && (await isInside(path, folders));
  } catch {
    return false;
  }
}
