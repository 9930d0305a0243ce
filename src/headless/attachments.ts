import {access, constants, readFile, stat} from 'node:fs/promises';
import {basename, extname, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Result} from '../failure.ts';
import {failed} from './failed.ts';

/** A file that goes with the prompt, read before anything is sent. */
export interface Attachment {
  readonly path: string;
  readonly size: number;
  /** Undefined when it is too large to embed, or neither text nor an image. */
  readonly body: {readonly text: string} | {readonly image: string; readonly mimeType: string} | undefined;
}

/** Text over this many bytes is linked: the agent can read the part that it needs. */
const MAX_TEXT_BYTES = 256 * 1024;
/** What the usual models take. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

/** Reads the files; the first that is missing, unreadable or no file is the failure. Relative paths start at `cwd`. */
export async function readAttachments(paths: readonly string[], cwd: string): Promise<Result<Attachment[]>> {
  const attachments: Attachment[] = [];
  for (const path of paths) {
    const absolute = resolve(cwd, path);
    try {
      const attachment = await readAttachment(absolute);
      if (!attachment.ok) return failed(path, attachment.problem);
      attachments.push(attachment.value);
    } catch (error) {
      return failed(path, error);
    }
  }
  return {ok: true, value: attachments};
}

/** Asks what it is before opening it: opening a pipe would wait for its writer. */
async function readAttachment(
  path: string,
): Promise<{readonly ok: true; readonly value: Attachment} | {readonly ok: false; readonly problem: string}> {
  const found = await stat(path);
  const {size} = found;
  if (!found.isFile()) {
    return {ok: false, problem: found.isDirectory() ? 'it is a folder' : 'it is not a regular file'};
  }
  const limit = imageType(path) ? MAX_IMAGE_BYTES : MAX_TEXT_BYTES;
  if (size > limit) {
    await access(path, constants.R_OK);
    return {ok: true, value: {path, size, body: undefined}};
  }
  return {ok: true, value: {path, size, body: bodyOf(path, await readFile(path))}};
}

/** The content block for it: what the agent advertised decides between embedding, an image and a link ("Content"). */
export function contentBlockOf(
  {path, size, body}: Attachment,
  capabilities: acp.PromptCapabilities | undefined,
): acp.ContentBlock {
  const uri = pathToFileURL(path).href;
  if (body && 'text' in body && capabilities?.embeddedContext) {
    return {type: 'resource', resource: {uri, text: body.text}};
  }
  if (body && 'image' in body && capabilities?.image) {
    return {type: 'image', data: body.image, mimeType: body.mimeType, uri};
  }
  return {type: 'resource_link', uri, name: basename(path), size};
}

function bodyOf(path: string, bytes: Buffer): Attachment['body'] {
  const mimeType = imageType(path);
  if (mimeType) return {image: bytes.toString('base64'), mimeType};
  if (bytes.includes(0)) return undefined;
  try {
    return {text: new TextDecoder('utf-8', {fatal: true}).decode(bytes)};
  } catch {
    return undefined;
  }
}

function imageType(path: string): string | undefined {
  return IMAGE_TYPES[extname(path).toLowerCase()];
}
