/**
 * Allow-list of MIME types that may be opened. The file gets its extension from here and never from the agent's file name, and only if its first bytes match
 * the type: so nothing that an agent sends can be executed.
 */
export type ContentViewer =
  /** The system's default program for the type. */
  | {readonly kind: 'system'; readonly extension: string; readonly begins: RegExp}
  /** The user's editor. */
  | {readonly kind: 'editor'; readonly extension: string};

const ISO_MEDIA = /^[^]{4}ftyp/;
const OGG = /^OggS/;
const WAVE = /^RIFF[^]{4}WAVE/;
const MATROSKA = /^\x1a\x45\xdf\xa3/;

/** Media types with their file extension and a pattern of their first bytes (one byte per character). */
const MEDIA: Readonly<Record<string, readonly [extension: string, begins: RegExp]>> = {
  'image/png': ['png', /^\x89PNG\r\n\x1a\n/],
  'image/jpeg': ['jpg', /^\xff\xd8\xff/],
  'image/gif': ['gif', /^GIF8[79]a/],
  'image/webp': ['webp', /^RIFF[^]{4}WEBP/],
  'image/bmp': ['bmp', /^BM/],
  'image/tiff': ['tiff', /^(?:II\*\0|MM\0\*)/],
  'image/avif': ['avif', ISO_MEDIA],
  'image/heic': ['heic', ISO_MEDIA],
  'audio/mpeg': ['mp3', /^(?:ID3|\xff[\xe2-\xff])/],
  'audio/mp3': ['mp3', /^(?:ID3|\xff[\xe2-\xff])/],
  'audio/wav': ['wav', WAVE],
  'audio/wave': ['wav', WAVE],
  'audio/x-wav': ['wav', WAVE],
  'audio/ogg': ['ogg', OGG],
  'audio/opus': ['opus', OGG],
  'audio/flac': ['flac', /^fLaC/],
  'audio/aac': ['aac', /^\xff[\xf0-\xff]/],
  'audio/mp4': ['m4a', ISO_MEDIA],
  'audio/webm': ['weba', MATROSKA],
  'video/mp4': ['mp4', ISO_MEDIA],
  'video/ogg': ['ogv', OGG],
  'video/webm': ['webm', MATROSKA],
  'application/pdf': ['pdf', /^%PDF-/],
};

/** Text types with their own file extension; all other text is `.txt`. */
const TEXT: Readonly<Record<string, string>> = {
  'text/markdown': 'md',
  'text/csv': 'csv',
  'application/json': 'json',
};

/** Types opened as text; SVG and HTML too, since a browser would run their scripts. */
const IS_TEXT =
  /^(?:text\/|application\/(?:json|xml|javascript|typescript|toml|x-(?:yaml|sh|toml|httpd-php)|yaml|sql)$|[\w.-]+\/[\w.-]+\+(?:json|xml|yaml)$)/;

/** Returns the bare type: in lower case and without parameters. */
export function bareType(mimeType: string | undefined): string {
  return (mimeType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Returns the viewer for content of this type; undefined if it can only be saved or copied. */
export function viewerOf(mimeType: string | undefined): ContentViewer | undefined {
  const type = bareType(mimeType);
  const media = Object.hasOwn(MEDIA, type) ? MEDIA[type] : undefined;
  if (media) return {kind: 'system', extension: media[0], begins: media[1]};
  return IS_TEXT.test(type) ? textViewer(type) : undefined;
}

/** Returns the viewer for text of any type. */
export function textViewer(mimeType: string | undefined): Extract<ContentViewer, {kind: 'editor'}> {
  const type = bareType(mimeType);
  return {kind: 'editor', extension: (Object.hasOwn(TEXT, type) && TEXT[type]) || 'txt'};
}

/** Number of first bytes matched by `begins`. */
const HEAD_BYTES = 16;

/** True if the first bytes match the type. */
export function hasSignature({begins}: {readonly begins: RegExp}, data: Uint8Array): boolean {
  return begins.test(String.fromCharCode(...data.subarray(0, HEAD_BYTES)));
}
