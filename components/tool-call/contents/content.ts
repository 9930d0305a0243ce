import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHidden} from '../../../src/session/content.ts';
import {plainResult} from '../../../src/text/hidden.ts';
import {attachmentWords} from '../../../src/session/words/attachment.ts';
import {toolEnding} from '../../../src/session/words/tool-ending.ts';
import {withoutFence} from '../../../src/session/words/without-fence.ts';
import type {Draw} from '../../draw/draw.ts';
import {drawExact, markEscapes} from '../../draw/exact.ts';
import {fold, wrapFolded} from '../../draw/lines.ts';
import {drawAttachment} from '../../transcript/attachment.ts';
import {mostLines, type ContentContext} from '../extent.ts';

/** What a tool gave back: text, or something else by name, type and size. */
export function drawContentItem({content}: acp.Content, context: ContentContext, draw: Draw): string[] {
  if (context.extent === 'exact') return drawWhole(content, draw);
  if (isHidden(content)) return [];
  if (content.type !== 'text') return drawAttachment(content, draw);
  const text = withoutFence(plainResult(content.text).trim());
  if (text === '') return [];
  const most = mostLines(context);
  if (most === 0 && text.includes('\n')) return fold(text.split('\n'), {most, keep: 'head'}, draw);
  const lines = wrapFolded(text, {most, keep: context.entry.kind === 'execute' ? 'tail' : 'head'}, draw);
  const style = toolEnding(context.entry) === 'failed' ? draw.paint.error : draw.paint.output;
  return lines.map((line) => style(markEscapes(line, draw)));
}

/** What is to be approved, also what is meant for the model alone. */
function drawWhole(content: acp.ContentBlock, draw: Draw): string[] {
  if (content.type === 'text') return drawExact(content.text, draw);
  const text = content.type === 'resource' && 'text' in content.resource ? content.resource.text : '';
  const words = attachmentWords(content, draw.cwd);
  return [
    ...drawExact(words, draw).map((line) => draw.paint.link(line)),
    ...(text === '' ? [] : drawExact(text, draw)),
  ];
}
