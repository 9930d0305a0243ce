import type {ContentData, ContentItem} from '../session/content/content-items.ts';
import {hasSignature, textViewer, viewerOf, type ContentViewer} from '../session/content/content-types.ts';
import type {Result} from '../shared/failure.ts';
import {fileFailed} from '../shared/files/file-failure.ts';
import {LIMITS} from '../shared/limits.ts';
import {bytes} from '../text/format.ts';

/** Returns the data of an item as bytes; a failure (`file`) if its base64 is invalid. */
export function bytesOf({name}: Pick<ContentItem, 'name'>, data: ContentData): Result<Buffer> {
  if (data.kind === 'text') return {ok: true, value: Buffer.from(data.text)};
  return isBase64(data.data)
    ? {ok: true, value: Buffer.from(data.data, 'base64')}
    : fileFailed(name, 'its data is not base64');
}

/** True for both alphabets, with line breaks, with or without padding. Node ignores invalid characters. */
function isBase64(text: string): boolean {
  const digits = text.replaceAll(/\s/g, '').replace(/={1,2}$/, '');
  return /^[\w+/-]*$/.test(digits) && digits.length % 4 !== 1;
}

export interface FileToOpen {
  readonly content: Buffer;
  readonly viewer: ContentViewer;
}

/** Returns how to open these bytes; a failure (`file`) if they do not match their type, or are too many. */
export function fileToOpen(
  {name, kind, mimeType}: Pick<ContentItem, 'name' | 'kind' | 'mimeType'>,
  content: Buffer,
): Result<FileToOpen> {
  const viewer = kind === 'text' ? textViewer(mimeType) : viewerOf(mimeType);
  if (!viewer) return fileFailed(name, 'files of its type cannot be opened from here');
  if (content.length > LIMITS.contentBytes)
    return fileFailed(name, `it is larger than ${bytes(LIMITS.contentBytes)}`);
  const fits = viewer.kind === 'system' ? hasSignature(viewer, content) : isText(content);
  return fits ? {ok: true, value: {content, viewer}} : fileFailed(name, `its content is not ${mimeType}`);
}

/** True for UTF-8 without NUL bytes. */
function isText(content: Buffer): boolean {
  if (content.includes(0)) return false;
  try {
    new TextDecoder('utf-8', {fatal: true}).decode(content);
    return true;
  } catch {
    return false;
  }
}
