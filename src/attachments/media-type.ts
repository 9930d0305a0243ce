/** A media file that is sent in its own content block. */
export interface MediaType {
  readonly media: 'image' | 'audio';
  readonly mimeType: string;
}

/** The first bytes of media types that common models support, one byte per character; the file name is not reliable. */
const SIGNATURES: readonly (readonly [mimeType: string, begins: RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^[^]{8}WEBP/],
  ['audio/wav', /^RIFF[^]{4}WAVE/],
  ['audio/mpeg', /^(?:ID3[\x02-\x04]\0|\xff[\xf2\xf3\xfa\xfb])/],
  ['audio/ogg', /^OggS\0/],
  ['audio/flac', /^fLaC\0/],
  ['audio/mp4', /^[^]{4}ftypM4[AB]/],
  ['audio/aac', /^\xff[\xf0\xf1\xf8\xf9]/],
];

/** Number of bytes that `mediaType` examines. */
export const HEAD_BYTES = 16;

/** Returns the type of an image or audio file by its content; undefined for anything else. */
export function mediaType(bytes: Uint8Array): MediaType | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  const mimeType = SIGNATURES.find(([, begins]) => begins.test(head))?.[0];
  if (mimeType === undefined) return undefined;
  return {media: mimeType.startsWith('image/') ? 'image' : 'audio', mimeType};
}
