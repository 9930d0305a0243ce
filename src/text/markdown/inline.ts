import {Marked, Parser, type RendererObject, type Token} from 'marked';
import {sanitizeLine} from '../sanitize.ts';
import {stripStyles} from '../ansi.ts';
import {decodeEntities} from './entities.ts';
import type {MarkdownStyle} from './style.ts';

/** Formats inline tokens with styles; keeps line breaks of the source. */
type FormatInline = (tokens: readonly Token[]) => string;

const formatters = new WeakMap<MarkdownStyle, FormatInline>();

/** Returns a formatter of inline text; render.ts lays out blocks with it. */
export function inlineFormatter(style: MarkdownStyle): FormatInline {
  const known = formatters.get(style);
  if (known) return known;
  const parser = new Parser(new Marked({renderer: createRenderer(style)}).defaults);
  const format: FormatInline = (tokens) => parser.parseInline([...tokens]).trimEnd();
  formatters.set(style, format);
  return format;
}

function createRenderer(style: MarkdownStyle): RendererObject {
  return {
    strong({tokens}) {
      return style.strong(this.parser.parseInline(tokens));
    },
    em({tokens}) {
      return style.em(this.parser.parseInline(tokens));
    },
    del({tokens}) {
      return style.del(this.parser.parseInline(tokens));
    },
    codespan: ({text}) => style.code(text),
    html: ({text}) => style.html(text),
    br: () => '\n',
    text(token) {
      if ('tokens' in token && token.tokens) return this.parser.parseInline(token.tokens);
      return token.type === 'escape' ? token.text : decodeEntities(token.text);
    },
    link({href, tokens}) {
      return link(style, this.parser.parseInline(tokens), href);
    },
    image: ({href, text}) => link(style, decodeEntities(text) || 'image', href),
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
