import type * as acp from '@agentclientprotocol/sdk/unstable';
import {Marked, type Token, type Tokens} from 'marked';
import {isHidden} from '../../session/transcript/content.ts';
import {attachmentLabel, type Attached} from '../../session/labels/labels.ts';
import {decodeEntities} from '../../text/markdown/entities.ts';
import {highlightLines, loadHighlight} from '../../text/markdown/highlight.ts';
import {linkTo, escape, markup, type Markup} from './markup.ts';

/** Returns an agent's Markdown as HTML; HTML in it is shown as text. */
export async function markdownHtml(source: string): Promise<Markup> {
  try {
    const tokens = marked.lexer(source);
    await Promise.all(languagesIn(tokens).map(loadHighlight));
    return {markup: marked.parser(tokens)};
  } catch (error) {
    // A thousand nested quotes exhaust the stack. Whatever marked fails on is shown as plain text.
    if (!(error instanceof Error)) throw error;
    return markup`<pre class="plain">${source}</pre>`;
  }
}

function languagesIn(tokens: Token[]): string[] {
  const languages = new Set<string>();
  void marked.walkTokens(tokens, (token) => {
    if (token.type === 'code') languages.add((token as Tokens.Code).lang ?? '');
  });
  return [...languages];
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

/** Returns content blocks: text as Markdown or plain, images as images, everything else by name. */
export async function contentHtml(
  content: readonly acp.ContentBlock[],
  cwd: string,
  kind: 'markdown' | 'plain',
): Promise<readonly Markup[]> {
  const parts = content
    .filter((block) => !isHidden(block))
    .map(async (block) => {
      if (block.type !== 'text') return attachedHtml(block, cwd);
      return kind === 'markdown'
        ? markdownHtml(block.text)
        : markup`<p class="plain">${block.text.trim()}</p>\n`;
    });
  return Promise.all(parts);
}

/** Image types that cannot contain scripts. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function attachedHtml(block: Attached, cwd: string): Markup {
  const words = markup`<p class="attachment">${attachmentLabel(block, cwd)}</p>\n`;
  if (block.type !== 'image' || !PICTURES.has(block.mimeType) || !BASE64.test(block.data)) return words;
  return markup`<figure class="picture"><img src="data:${block.mimeType};base64,${block.data}" alt="${attachmentLabel(block, cwd)}"></figure>\n`;
}
