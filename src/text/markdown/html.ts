import {Marked} from 'marked';
import {decodeEntities} from './entities.ts';
import {highlightLines} from './highlight.ts';
import {linkTo, escape} from '../markup.ts';
import {isFootnote} from './render.ts';

/** Returns Markdown as HTML; HTML in it is shown as text. Takes any time for some texts, and throws for some. */
export function markdownToHtml(source: string): string {
  return marked.parse(source, {async: false});
}

/** Returns code with syntax highlighting classes. */
function codeHtml(code: string, language: string): string {
  const lines = highlightLines(code, language, (text, token) =>
    token === undefined ? escape(text) : `<span class="${classesOf(token)}">${escape(text)}</span>`,
  );
  return `<pre class="code"><code>${lines.join('\n')}</code></pre>\n`;
}

function classesOf(token: string): string {
  return token
    .split(' ')
    .map((name) => `hl-${name.replaceAll(/[^\w-]/g, '')}`)
    .join(' ');
}

const marked = new Marked({
  gfm: true,
  // `false` leaves it to marked's own.
  tokenizer: {def: (source) => (isFootnote(source) ? undefined : false)},
  renderer: {
    html: ({text, block}) => (block ? `<p class="html">${escape(text.trim())}</p>\n` : escape(text)),
    code: ({text, lang}) => codeHtml(text, lang ?? ''),
    codespan: ({text}) => `<code>${escape(text)}</code>`,
    text(token) {
      if ('tokens' in token && token.tokens) return this.parser.parseInline(token.tokens);
      return escape(token.type === 'escape' ? token.text : decodeEntities(token.text));
    },
    link({href, text, tokens}) {
      const words = this.parser.parseInline(tokens);
      return linkTo(decodeEntities(href), {words, plain: text});
    },
    image: ({href, text}) => {
      const plain = decodeEntities(text) || 'image';
      return linkTo(decodeEntities(href), {words: escape(plain), plain});
    },
    checkbox: ({checked}) => (checked ? '☑ ' : '☐ '),
  },
});
