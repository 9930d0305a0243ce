/** Colours a piece of text that has no line breaks in it. */
export type Style = (text: string) => string;

/** How each part of markdown looks; a theme makes one. */
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
  /** Whether links are written as terminal hyperlinks (OSC 8). */
  readonly hyperlinks: boolean;
}

const same: Style = (text) => text;

/** No colours at all. */
export const plainStyle: MarkdownStyle = {
  heading: same,
  strong: same,
  em: same,
  del: same,
  code: same,
  codeBlock: same,
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
