import {isHidden} from '../../src/session/content.ts';
import type {AgentMessageEntry} from '../../src/session/entries.ts';
import {createBlockSplitter} from '../../src/text/markdown/splitter.ts';
import type {Block} from '../../src/text/markdown/style.ts';
import type {BlockPiece, Piece} from './pieces.ts';

/** A message that is cut into pieces while it grows; each part of it is read once. */
export interface MessageStream {
  /** Reads what is new: the pieces that are finished now, and what is still open behind them. */
  take(entry: AgentMessageEntry): {readonly finished: Piece[]; readonly tail: BlockPiece | undefined};
  /** Finishes what is open as it stands; what comes later begins a new piece. */
  cut(): Piece[];
}

export function createMessageStream(entryId: string): MessageStream {
  let splitter = createBlockSplitter();
  /** The content block that is read, and how much of its text was. */
  let at = 0;
  let read = 0;
  let count = 0;
  const id = () => `${entryId}/${count++}`;
  const finish = (blocks: readonly Block[]) =>
    blocks.map((block): Piece => ({kind: 'block', id: id(), block, progress: 'finished'}));

  function cut(): Piece[] {
    const rest = finish(splitter.end());
    splitter = createBlockSplitter();
    return rest;
  }

  function take({content, complete}: AgentMessageEntry): ReturnType<MessageStream['take']> {
    const finished: Piece[] = [];
    for (; at < content.length; at++, read = 0) {
      const block = content[at];
      if (block === undefined || isHidden(block)) continue;
      if (block.type === 'text') {
        finished.push(...finish(splitter.push(block.text.slice(read))));
        read = block.text.length;
        // More may be added to the last text, even after the message was complete.
        if (at === content.length - 1) break;
        finished.push(...cut());
      } else finished.push({kind: 'attachment', id: id(), content: block});
    }
    if (complete) finished.push(...cut());
    const {tailBlock} = splitter;
    const tail =
      tailBlock && ({kind: 'block', id: `${entryId}/tail`, block: tailBlock, progress: 'streaming'} as const);
    return {finished, tail};
  }

  return {take, cut};
}
