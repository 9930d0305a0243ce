/**
 * A finished part of a markdown message, which never changes again. Most blocks stand for themselves; a long one comes
 * in pieces, of which only the first has `first` and only the last has `last`. A blank line belongs before a block that
 * is `first`, and none before its other pieces. Some blocks show nothing (link definitions).
 */
export interface Block {
  readonly kind: BlockKind;
  /** The blocks' sources, joined, are the message (but for blank lines at its very end). */
  readonly source: string;
  readonly first: boolean;
  readonly last: boolean;
  /**
   * Source from before that is needed to understand this one, and not shown again: link definitions that it refers to,
   * the head of a table; of a code piece the lines before it.
   */
  readonly context: string;
  /** The languages that its code blocks name on their fences, for `highlightReady`. Of a code piece the one it is in. */
  readonly languages: readonly string[];
}

/**
 * - `markdown`: one or more whole blocks of markdown.
 * - `code`: a piece of a fenced code block; its first line opens the fence when `first`.
 * - `text`: the rest of a block too long to wait for its end: inline markdown, line breaks kept.
 */
export type BlockKind = 'markdown' | 'code' | 'text';
