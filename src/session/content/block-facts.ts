const encoder = new TextEncoder();

/** Returns the size of a text in bytes. */
export function textSize(text: string): number {
  return encoder.encode(text).length;
}

/** Returns the number of bytes behind a base64 text, without decoding it. */
export function decodedSize(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

/** A local file, and the range of lines meant, counted from 1. */
interface FileUri {
  readonly path: string;
  readonly first?: number;
  readonly last?: number;
}

/** Returns the file that a local `file://` URL names; undefined for any other URL. */
export function fileOfUri(uri: string): FileUri | undefined {
  const [, encoded, first, last] =
    /^file:\/\/(?:localhost)?(\/[^#?]*)(?:#L(\d{1,9})(?:[-:]L?(\d{1,9}))?)?/i.exec(uri) ?? [];
  if (encoded === undefined) return undefined;
  const path = decodedUri(encoded).replace(/^\/(?=[a-z]:)/i, '');
  return {
    path,
    ...(first !== undefined && {first: Number(first)}),
    ...(last !== undefined && {last: Number(last)}),
  };
}

/** Returns the text percent-decoded, or unchanged if its encoding is invalid. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
