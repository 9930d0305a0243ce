import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHidden} from '../../session/content.ts';
import {attachmentWords} from '../../session/words/attachment.ts';
import {closed, inLine} from './pieces.ts';

/** Content blocks one below the other; what is not text by name. `plain` text is to be read as it stands. */
export function contentText(
  content: readonly acp.ContentBlock[],
  cwd: string,
  kind: 'markdown' | 'plain',
): string {
  return content
    .filter((block) => !isHidden(block))
    .map((block) => {
      if (block.type !== 'text') return inLine(attachmentWords(block, cwd));
      return kind === 'markdown' ? closed(block.text.trim()) : block.text.trim();
    })
    .filter(Boolean)
    .join('\n\n');
}
