import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHidden} from '../../session/transcript/content.ts';
import {attachmentLabel, type AttachedContent} from '../../session/labels/labels.ts';
import {awaitTaskOutput} from '../../worker/background.ts';
import {markup, type Markup} from '../../text/markup.ts';

/** Returns an agent's Markdown as HTML; HTML in it is shown as text, and so is what cannot be parsed in time. */
export async function markdownHtml(source: string): Promise<Markup> {
  const html = await awaitTaskOutput('html', source);
  return html === null ? markup`<pre class="plain">${source}</pre>` : {markup: html};
}

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

export function attachedHtml(block: AttachedContent, cwd: string): Markup {
  const words = markup`<p class="attachment">${attachmentLabel(block, cwd)}</p>\n`;
  if (block.type !== 'image' || !PICTURES.has(block.mimeType) || !BASE64.test(block.data)) return words;
  return markup`<figure class="picture"><img src="data:${block.mimeType};base64,${block.data}" alt="${attachmentLabel(block, cwd)}"></figure>\n`;
}
