import {sanitize} from '../text/sanitize.ts';

/**
 * What the end of a piece may be the beginning of: a character outside the BMP, a flag, a line break, a control sequence.
 * The payload of a sequence ends where `sanitize` ends it.
 */
const UNFINISHED = new RegExp(
  [
    '\r+',
    '[\ud800-\udbff]',
    '\ud83c\udff4(?:\udb40[\udc00-\udfff])*\udb40?',
    String.raw`\x1b[ -/]*`,
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*`,
    String.raw`(?:\x1b\]|\x9d)[^\x00-\x1f\x7f-\x9f]*\x1b?`,
    String.raw`(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*\x1b?`,
  ]
    .map((beginning) => `(?:${beginning})$`)
    .join('|'),
);

/** A sequence longer than this is none; waiting for its end would hide text and cost more with every piece. */
const LONGEST_CARRY = 1024;

/** The text of pieces that belong together, as far as it is sure. */
export interface StreamedText {
  readonly text: string;
  /** Raw text that the next piece continues. */
  readonly carry: string;
}

/** Cleans one piece of a stream, so that the whole comes out the same wherever the agent cut it. */
export function cleanPiece(carry: string, piece: string): StreamedText {
  const raw = carry + piece;
  const start = raw.search(UNFINISHED);
  if (start === -1 || raw.length - start > LONGEST_CARRY) return {text: sanitize(raw), carry: ''};
  return {text: sanitize(raw.slice(0, start)), carry: raw.slice(start)};
}
