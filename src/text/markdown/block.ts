/**
 * A finished part of a markdown message, which never changes again. Most blocks are one block of markdown; a long one
 * comes in several pieces, of which only the first has `first` and only the last has `last`. A blank line belongs
 * before a block that is `first`, and none before the other pieces.
 */
export interface Block {
  readonly kind: BlockKind;
  /** The blocks' sources, joined, are the message (but for blank lines at its very end). */
  readonly source: string;
  readonly first: boolean;
  readonly last: boolean;
  /** Markdown that `source` needs before it to be understood: link definitions, the head of a table. */
  readonly context: string;
  /** Of a code piece: the language named on the fence, or ''. */
  readonly language: string;
}

/**
 * - `markdown`: stands on its own (behind its context).
 * - `code`: lines of a fenced code block, without the fence.
 * - `text`: the rest of a block too long to wait for its end: inline markdown, line breaks kept.
 */
export type BlockKind = 'markdown' | 'code' | 'text';
