/** Styles a piece of text without line breaks. */
export type Style = (text: string) => string;

/** Styles of Markdown elements, created from a theme. */
export interface MarkdownStyle {
  /** `depth` counts from 1. */
  readonly heading: (text: string, depth: number) => string;
  readonly strong: Style;
  readonly em: Style;
  readonly del: Style;
  /** Inline code. */
  readonly code: Style;
  /** A piece of a code block; `token` is its highlight.js class without the prefix (`keyword`, `title function_`). */
  readonly codeBlock: (text: string, token: string | undefined) => string;
  /** The background of a code block; undefined if it is only indented. */
  readonly surface: Style | undefined;
  /** The label of its language. */
  readonly label: Style;
  readonly link: Style;
  /** The text of a quote, and the bar before it. */
  readonly quote: Style;
  readonly quoteBar: Style;
  /** A list's bullet or number, or a task's checkbox. */
  readonly bullet: Style;
  readonly hr: Style;
  readonly html: Style;
  readonly tableHead: Style;
  /** The borders of a table. */
  readonly tableBorder: Style;
  /** True if links are written as terminal hyperlinks (OSC 8). */
  readonly hyperlinks: boolean;
}

export interface RenderOptions {
  /** Maximum width of lines, as long as the widest character fits. */
  readonly columns: number;
  /** Maximum width of prose; tables and code use all columns. */
  readonly prose?: number;
  readonly style: MarkdownStyle;
  /** True to highlight code: only for finished blocks, since it is expensive. */
  readonly highlight: boolean;
}

export function proseColumns({columns, prose = columns}: RenderOptions): number {
  return Math.min(columns, prose);
}

/**
 * A finished part of a Markdown message, which never changes. A long block is split into pieces, of which only the first has `first` and only the last has
 * `last`. A blank line precedes a block with `first`. Some blocks are invisible (link definitions).
 */
export interface Block {
  readonly kind: BlockKind;
  /** The sources of all blocks together are the message (except for blank lines at its end). */
  readonly source: string;
  readonly first: boolean;
  readonly last: boolean;
  /** Earlier source that is needed for parsing but not shown again: link definitions, the header of a table; for a code piece the preceding lines. */
  readonly context: string;
  /** True if its link definitions are shown: no link before it has them. */
  readonly showsDefinitions?: boolean;
}

/**
 *
 * - `markdown`: one or more whole blocks of Markdown.
 * - `code`: a piece of a fenced code block; its first line is the opening fence if `first`.
 * - `text`: the rest of an overlong block: inline Markdown, line breaks kept.
 */
type BlockKind = 'markdown' | 'code' | 'text';
