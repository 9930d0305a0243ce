import type {MarkdownStyle, Style} from '../../src/text/markdown/style.ts';

/** How each part of the screen looks: a theme, made into functions for what the terminal can show. */
export interface Paint {
  readonly accent: Style;
  readonly bold: Style;
  readonly dim: Style;
  readonly user: Style;
  readonly output: Style;
  readonly success: Style;
  readonly warning: Style;
  readonly error: Style;
  readonly link: Style;
  readonly added: Style;
  readonly removed: Style;
  readonly addedWord: Style;
  readonly removedWord: Style;
  readonly selected: Style;
  readonly markdown: MarkdownStyle;
}
