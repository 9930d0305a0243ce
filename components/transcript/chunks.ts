import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Entry, ShellCommandEntry, ToolCallEntry} from '../../src/session/entries.ts';
import type {Block} from '../../src/text/markdown/style.ts';

/** A unit that is printed into the scrollback once: an entry, or a finished part of a message. Ids are unique in a transcript. */
export type Chunk =
  | EntryChunk
  | BlockChunk
  /** Content of a message that is not text. */
  | {
      readonly kind: 'attachment';
      readonly id: string;
      readonly content: Exclude<acp.ContentBlock, {type: 'text'}>;
    }
  /** How a tool call or a command ended whose card was printed while it ran. */
  | {readonly kind: 'ending'; readonly id: string; readonly entry: ToolCallEntry | ShellCommandEntry};

export interface EntryChunk {
  readonly kind: 'entry';
  readonly id: string;
  readonly entry: Entry;
  /** When something else came after it, in milliseconds since the epoch; known of finished entries only. */
  readonly endedAt: number | undefined;
}

export interface BlockChunk {
  readonly kind: 'block';
  readonly id: string;
  readonly block: Block;
  readonly progress: 'finished' | 'streaming';
}

/** A chunk in its place. */
export interface PlacedChunk {
  readonly chunk: Chunk;
  /** True if a blank line belongs above it. */
  readonly gap: boolean;
  /** How many of its last rows are printed, where not all of it is. */
  readonly lastRows?: number;
}

/** Puts a chunk below another. */
export function place(chunk: Chunk, above: Chunk | undefined): PlacedChunk {
  return {chunk, gap: hasGap(chunk, above)};
}

function hasGap(chunk: Chunk, above: Chunk | undefined): boolean {
  switch (chunk.kind) {
    case 'block':
      return chunk.block.first;
    case 'attachment':
      return true;
    case 'ending':
      return !isToolPiece(above);
    case 'entry':
      if (chunk.entry.type === 'turn_end') return false;
      if (chunk.entry.type === 'tool_call') return !isToolPiece(above);
      return !(chunk.entry.type === 'notice' && above?.kind === 'entry' && above.entry.type === 'notice');
  }
}

function isToolPiece(chunk: Chunk | undefined): boolean {
  return chunk?.kind === 'ending' || (chunk?.kind === 'entry' && chunk.entry.type === 'tool_call');
}
