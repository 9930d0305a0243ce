import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHidden} from '../../../src/session/content.ts';
import type {AgentMessageEntry} from '../../../src/session/entries.ts';
import type {Block} from '../../../src/text/markdown/style.ts';
import {renderBlockNow} from '../../../src/text/markdown/lazy.ts';
import {createBlockSplitter} from '../../../src/text/markdown/splitter.ts';
import type {Draw} from '../../draw/draw.ts';
import {drawAttachment} from '../attachment.ts';

/** What the agent said, as markdown; while it streams, pieces.ts draws it block by block instead. */
export function drawAgentMessage(entry: AgentMessageEntry, draw: Draw): string[] {
  return drawContent(entry.content, draw);
}

/** Content blocks one below the other: text as markdown, everything else by name. */
export function drawContent(content: readonly acp.ContentBlock[], draw: Draw): string[] {
  const lines: string[] = [];
  for (const block of content) {
    if (isHidden(block)) continue;
    if (lines.length > 0) lines.push('');
    lines.push(...(block.type === 'text' ? drawMarkdown(block.text, draw) : drawAttachment(block, draw)));
  }
  return lines;
}

/** One finished block of markdown, its code highlighted. */
export function drawBlock(
  block: Block,
  draw: Draw,
  progress: 'finished' | 'streaming' = 'finished',
): string[] {
  const {columns, paint} = draw;
  return renderBlockNow(block, {columns, style: paint.markdown, highlight: progress === 'finished'});
}

function drawMarkdown(source: string, draw: Draw): string[] {
  const splitter = createBlockSplitter();
  const lines: string[] = [];
  for (const block of [...splitter.push(source), ...splitter.end()]) {
    if (block.first && lines.length > 0) lines.push('');
    lines.push(...drawBlock(block, draw));
  }
  return lines;
}
