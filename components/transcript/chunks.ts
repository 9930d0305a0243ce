import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Entry, ShellCommandEntry, ToolCallEntry} from '../../src/session/entries.ts';
import type {Block} from '../../src/text/markdown/style.ts';

/**
 * What is printed into the scrollback as one thing and never touched again: an entry, or a finished part of a message.
 * Ids are unique in a transcript.
 */
export type Piece =
  | EntryPiece
  | BlockPiece
  /** Content of a message that is not text. */
  | {
      readonly kind: 'attachment';
      readonly id: string;
      readonly content: Exclude<acp.ContentBlock, {type: 'text'}>;
    }
  /** How a tool call or a command ended whose card was printed while it ran. */
  | {readonly kind: 'ending'; readonly id: string; readonly entry: ToolCallEntry | ShellCommandEntry};

export interface EntryPiece {
  readonly kind: 'entry';
  readonly id: string;
  readonly entry: Entry;
  /** When something else came after it, in milliseconds since the epoch; known of finished entries only. */
  readonly endedAt: number | undefined;
}

export interface BlockPiece {
  readonly kind: 'block';
  readonly id: string;
  readonly block: Block;
  readonly progress: 'finished' | 'streaming';
}

/** A piece in its place. */
export interface PlacedPiece {
  readonly piece: Piece;
  /** True when a blank line belongs above it. */
  readonly gap: boolean;
  /** How many of its last rows are printed, where not all of it is. */
  readonly lastRows?: number;
}

/** Puts a piece below another. */
export function place(piece: Piece, above: Piece | undefined): PlacedPiece {
  return {piece, gap: hasGap(piece, above)};
}

function hasGap(piece: Piece, above: Piece | undefined): boolean {
  switch (piece.kind) {
    case 'block':
      return piece.block.first;
    case 'attachment':
      return true;
    case 'ending':
      return !isToolPiece(above);
    case 'entry':
      if (piece.entry.type === 'turn_end') return false;
      if (piece.entry.type === 'tool_call') return !isToolPiece(above);
      return !(piece.entry.type === 'notice' && above?.kind === 'entry' && above.entry.type === 'notice');
  }
}

function isToolPiece(piece: Piece | undefined): boolean {
  return piece?.kind === 'ending' || (piece?.kind === 'entry' && piece.entry.type === 'tool_call');
}
