/** Colors a piece of text that has no line breaks in it. */
export type Style = (text: string) => string;

/** Styles of the parts of markdown; a theme makes one. */
export interface MarkdownStyle {
  /** `depth` counts from 1. */
  readonly heading: (text: string, depth: number) => string;
  readonly strong: Style;
  readonly em: Style;
  readonly del: Style;
  /** Code inside a line. */
  readonly code: Style;
  /** A piece of a code block; `token` is its highlight.js class without the prefix (`keyword`, `title function_`). */
  readonly codeBlock: (text: string, token: string | undefined) => string;
  /** The background of a code block; undefined if it is only indented. */
  readonly surface: Style | undefined;
  /** The name of its language. */
  readonly label: Style;
  readonly link: Style;
  /** The text of a quote, and the bar before it. */
  readonly quote: Style;
  readonly quoteBar: Style;
  /** A list's bullet or number, a task's box. */
  readonly bullet: Style;
  readonly hr: Style;
  readonly html: Style;
  readonly tableHead: Style;
  /** The lines of a table. */
  readonly tableBorder: Style;
  /** True if links are written as terminal hyperlinks (OSC 8). */
  readonly hyperlinks: boolean;
}

const same: Style = (text) => text;

/** No colors at all. */
export const plainStyle: MarkdownStyle = {
  heading: (text, depth) => `${'#'.repeat(depth)} ${text}`,
  strong: same,
  em: same,
  del: same,
  code: same,
  codeBlock: same,
  surface: undefined,
  label: same,
  link: same,
  quote: same,
  quoteBar: same,
  bullet: same,
  hr: same,
  html: same,
  tableHead: same,
  tableBorder: same,
  hyperlinks: false,
};

export interface RenderOptions {
  /** Lines are never wider, as long as the columns hold the widest character. */
  readonly columns: number;
  /** The most that prose takes of them; tables and code take all. */
  readonly prose?: number;
  readonly style: MarkdownStyle;
  /** True if code is highlighted: for finished blocks only, it is the dearest part. */
  readonly highlight: boolean;
}

export function proseColumns({columns, prose = columns}: RenderOptions): number {
  return Math.min(columns, prose);
}

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
type BlockKind = 'markdown' | 'code' | 'text';
