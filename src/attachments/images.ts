/** The first bytes of the pictures that the usual models take; a name may lie. */
const SIGNATURES: readonly (readonly [type: string, at: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
];

/** How many bytes of a file `imageType` looks at. */
export const HEAD_BYTES = 16;

/** The MIME type of a picture, by what it holds; undefined for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  return SIGNATURES.find(([, at, signature]) => head.startsWith(signature, at))?.[0];
}
