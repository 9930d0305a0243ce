import {startOfText} from '../../text/truncate.ts';
import type {ContentItem} from './content-items.ts';
import {bareType, viewerOf} from './content-types.ts';

/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** In UTF-16 units; a letter has at most four bytes, and file systems allow 255. */
const MAX_STEM_LENGTH = 50;
const MAX_EXTENSION_LENGTH = 10;

/**
 * Returns a safe file name for content named by an agent: letters, digits and `-_. ` of its last path segment, never hidden, never a device name, and with the
 * type's extension if the type can be opened.
 */
export function fileName({name, mimeType, kind}: Pick<ContentItem, 'name' | 'mimeType' | 'kind'>): string {
  const cleaned = (name.split(/[/\\]/).at(-1) ?? '')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._ -]+/gu, '_')
    .replace(/^[\s._-]+/, '')
    .replace(/(?<![\s.])[\s.]+$/, '');
  const {stem, extension} = divided(cleaned);
  const whole = `${shortened(stem, MAX_STEM_LENGTH) || kind}${extension}`;
  const own = extensionOf({mimeType, kind});
  const typed = own === undefined || isExtension(extension, own) ? whole : `${whole}.${own}`;
  return DEVICE.test(typed) ? `_${typed}` : typed;
}

function divided(name: string): {readonly stem: string; readonly extension: string} {
  const [extension = ''] = /\.[a-z0-9]+$/i.exec(name) ?? [];
  if (extension.length > MAX_EXTENSION_LENGTH + 1 || extension.length === name.length)
    return {stem: name, extension: ''};
  return {stem: name.slice(0, name.length - extension.length), extension};
}

function shortened(text: string, most: number): string {
  return startOfText(text, most).replace(/(?<![\s.])[\s.]+$/, '');
}

/** From the type; a text keeps its own extension. */
function extensionOf({mimeType, kind}: Pick<ContentItem, 'mimeType' | 'kind'>): string | undefined {
  const viewer = viewerOf(mimeType);
  if (viewer?.kind === 'system') return viewer.extension;
  if (bareType(mimeType) === 'image/svg+xml') return 'svg';
  return kind === 'text' || viewer ? undefined : 'bin';
}

const SAME: Readonly<Record<string, string>> = {jpeg: 'jpg', tif: 'tiff', oga: 'ogg'};

function isExtension(extension: string, own: string): boolean {
  const ownExtension = extension.slice(1).toLowerCase();
  return ownExtension === own || SAME[ownExtension] === own || (own === 'bin' && ownExtension !== '');
}
