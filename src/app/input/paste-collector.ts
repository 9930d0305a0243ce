import {PASTE_END, PASTE_START} from './sequences.ts';

/** The text as a terminal with bracketed paste sends it. */
export function bracketed(text: string): string {
  return PASTE_START + text + PASTE_END;
}

export interface PasteCollector {
  /** Adds a piece; returns what stood behind the paste's end once that has come. */
  add(text: string): string | undefined;
  /** What has come so far. */
  text(): string;
}

/** Gathers a paste whose end marker may be cut anywhere, at a cost that grows with its length only. */
export function createPasteCollector(): PasteCollector {
  const pieces: string[] = [];
  /** The start of the end marker, perhaps. */
  let tail = '';
  return {
    add(text) {
      const piece = tail + text;
      const end = piece.indexOf(PASTE_END);
      tail = '';
      if (end !== -1) {
        pieces.push(piece.slice(0, end));
        return piece.slice(end + PASTE_END.length);
      }
      const begun = piece.lastIndexOf('\x1b');
      if (begun !== -1 && PASTE_END.startsWith(piece.slice(begun))) tail = piece.slice(begun);
      pieces.push(piece.slice(0, piece.length - tail.length));
      return undefined;
    },
    text: () => pieces.join('') + tail,
  };
}
