import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHidden} from '../../session/content.ts';
import {attachmentWords, type Attached} from '../../session/words/attachment.ts';
import {markdownHtml} from './markdown.ts';
import {markup, type Markup} from './markup.ts';

/** Content blocks one below the other: text as markdown or as it stands, pictures as they look, everything else by name. */
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

/** Pictures that cannot hold anything but a picture. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function attachedHtml(block: Attached, cwd: string): Markup {
  const words = markup`<p class="attachment">${attachmentWords(block, cwd)}</p>\n`;
  if (block.type !== 'image' || !PICTURES.has(block.mimeType) || !BASE64.test(block.data)) return words;
  return markup`<figure class="picture"><img src="data:${block.mimeType};base64,${block.data}" alt="${attachmentWords(block, cwd)}"></figure>\n`;
}
