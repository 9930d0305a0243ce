import type {AgentMessageEntry} from '../../src/session/entries.ts';
import {isHidden} from '../../src/session/transcript/content.ts';
import {createBlockSplitter} from '../../src/text/markdown/splitter.ts';
import type {Block} from '../../src/text/markdown/style.ts';
import type {Chunk, BlockChunk} from './chunks.ts';

/** Splits a growing message into chunks; each part of it is read once. */
export interface MessageStream {
  /** Reads what is new: the chunks that are finished now, and the open one after them. */
  take(entry: AgentMessageEntry): {
    readonly finished: Chunk[];
    readonly tail: BlockChunk | undefined;
    /** True if the agent has replaced the message: what was read before is no longer part of it. */
    readonly startsAnew: boolean;
  };
  /** Finishes the open chunk; later text starts a new one. */
  cut(): Chunk[];
}

export function createMessageStream(entryId: string): MessageStream {
  let splitter = createBlockSplitter();
  /** Index of the current content block, and the length of its text that was read. */
  let at = 0;
  let read = 0;
  let count = 0;
  /** How often its content was replaced. */
  let replacement = 0;
  const stream = {};
  const id = () => `${entryId}/${count++}`;
  const finish = (blocks: readonly Block[]) =>
    blocks.map((block): Chunk => ({kind: 'block', id: id(), block, progress: 'finished', stream}));

  function cut(): Chunk[] {
    const rest = finish(splitter.end());
    splitter = createBlockSplitter();
    return rest;
  }

  function take({content, complete, replaced = 0}: AgentMessageEntry): ReturnType<MessageStream['take']> {
    const finished: Chunk[] = [];
    const startsAnew = replaced !== replacement;
    if (startsAnew) {
      splitter = createBlockSplitter();
      [at, read, replacement] = [0, 0, replaced];
    }
    for (; at < content.length; at++, read = 0) {
      const block = content[at];
      if (block === undefined || isHidden(block)) continue;
      if (block.type === 'text') {
        if (complete && read === 0) splitter = createBlockSplitter(block.text);
        finished.push(...finish(splitter.push(block.text.slice(read))));
        read = block.text.length;
        // The last text may grow even after the message was complete.
        if (at === content.length - 1) break;
        finished.push(...cut());
      } else finished.push({kind: 'attachment', id: id(), content: block});
    }
    if (complete) finished.push(...cut());
    const {tailBlock} = splitter;
    const tail =
      tailBlock &&
      ({kind: 'block', id: `${entryId}/tail`, block: tailBlock, progress: 'streaming', stream} as const);
    return {finished, tail, startsAnew};
  }

  return {take, cut};
}
