import {Marked, Parser, type Token, type Tokens} from 'marked';
import {markedTerminal} from 'marked-terminal';
import {sanitizeLine} from '../sanitize.ts';
import {stripStyles} from '../ansi.ts';
import {decodeEntities} from './entities.ts';
import type {MarkdownStyle} from './style.ts';

/** Formats inline tokens with styles; keeps line breaks of the source. */
type FormatInline = (tokens: readonly Token[]) => string;

const formatters = new WeakMap<MarkdownStyle, FormatInline>();

/**
 * Returns a formatter of inline text that uses marked-terminal as marked's extension. Blocks are laid out in render.ts instead, in lines of a fixed width with
 * hanging indents, since a message is drawn block by block.
 */
export function inlineFormatter(style: MarkdownStyle): FormatInline {
  const known = formatters.get(style);
  if (known) return known;
  const marked = new Marked();
  const {strong, em, del, code, html} = style;
  marked.use(
    markedTerminal({strong, em, del, html, codespan: code, paragraph: same, emoji: false, unescape: false}),
    {renderer: ownRenderer(style)},
  );
  const parser = new Parser(marked.defaults);
  const format: FormatInline = (tokens) =>
    parser.parse([{type: 'paragraph', raw: '', text: '', tokens: [...tokens]}]).trimEnd();
  formatters.set(style, format);
  return format;
}

const same = (text: string): string => text;

/** Handles what marked-terminal does not: character references and link targets. */
function ownRenderer(style: MarkdownStyle) {
  return {
    text(this: {parser: Parser}, token: Tokens.Text | Tokens.Escape): string {
      if ('tokens' in token && token.tokens) return this.parser.parseInline(token.tokens);
      return token.type === 'escape' ? token.text : decodeEntities(token.text);
    },
    link(this: {parser: Parser}, {href, tokens}: Tokens.Link): string {
      return link(style, this.parser.parseInline(tokens), href);
    },
    image({href, text}: Tokens.Image): string {
      return link(style, decodeEntities(text) || 'image', href);
    },
  };
}

/** How many more characters of targets may be shown in the block that is being drawn. */
let room = Infinity;

/** Draws a block with at most so many characters of link targets; throws if there are more. A short block may refer to one long target a thousand times. */
export function withTargetLimit<Lines>(most: number, draw: () => Lines): Lines {
  room = most;
  try {
    return draw();
  } finally {
    room = Infinity;
  }
}

/** A terminal hyperlink (OSC 8) is written on each row of the link: a longer URL can only be copied. */
const MAX_ADDRESS = 2048;

/** URL schemes that a terminal may open. */
const SAFE = /^(?:https?|mailto|file):/i;

/** Shows a link's target, unless its text is the same. */
function link(style: MarkdownStyle, text: string, href: string): string {
  const target = sanitizeLine(decodeEntities(href));
  room -= target.length;
  if (room < 0) throw new Error('the targets of links are too long');
  const shown = stripStyles(text);
  const isSame = target === shown || target === `mailto:${shown}` || target === '';
  const all = isSame ? style.link(text) : `${style.link(text)} (${target})`;
  if (!style.hyperlinks || !SAFE.test(target)) return all;
  const address = target.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
  return address.length > MAX_ADDRESS ? all : `\x1b]8;;${address}\x07${all}\x1b]8;;\x07`;
}
