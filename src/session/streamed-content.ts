import type * as acp from '@agentclientprotocol/sdk/unstable';
import {sanitize} from '../text/sanitize.ts';
import {appendBlock, sameAnnotations} from './content.ts';
import type {MessageEntry} from './entries.ts';
import {cleanPiece} from './streamed-text.ts';

type Streamed = Pick<MessageEntry, 'content' | 'carry'>;

/** Adds a block as it came; its text is cleaned here, where it is joined to what came before. */
export function stream(before: Streamed, block: acp.ContentBlock): Streamed {
  if (block.type !== 'text') return {content: [...flushed(before), block], carry: undefined};
  const last = before.content.at(-1);
  const goesOn = last?.type === 'text' && sameAnnotations(last, block);
  const {text, carry} = cleanPiece((goesOn && before.carry) || '', block.text);
  const content = appendBlock(goesOn ? before.content : flushed(before), {...block, text});
  return {content, carry: carry || undefined};
}

/** The message as it is when nothing more is expected. */
export function completed(entry: MessageEntry): MessageEntry {
  return {...entry, content: flushed(entry), carry: undefined, complete: true};
}

/** What was held back turned out to be all there is. */
function flushed({content, carry}: Streamed): readonly acp.ContentBlock[] {
  const last = content.at(-1);
  if (carry === undefined || last?.type !== 'text') return content;
  return appendBlock(content, {...last, text: sanitize(carry)});
}
