import type {AgentMessageEntry} from '../../src/session/entries.ts';
import {isHidden} from '../../src/session/transcript/content.ts';
import {createBlockSplitter} from '../../src/text/markdown/splitter.ts';
import type {Block} from '../../src/text/markdown/style.ts';
import type {Chunk} from './chunks.ts';

export type MessageStream = ReturnType<typeof createMessageStream>;

/** Splits a growing message into chunks; each part of it is read once. */
export function createMessageStream(entryId: string) {
  let splitter = createBlockSplitter();
  /** All finished chunks; another list once the agent has replaced the message. */
  let finished: Chunk[] = [];
  /** Index of the current content block, and the length of its text that was read. */
  let at = 0;
  let read = 0;
  let count = 0;
  /** How often its content was replaced. */
  let replacement = 0;
  const stream = {};
  const id = () => `${entryId}/${count++}`;

  function finish(blocks: readonly Block[]): void {
    for (const block of blocks) finished.push({kind: 'block', id: id(), block, progress: 'finished', stream});
  }

  /** Finishes the open chunk, and returns what it became. */
  function cut(): readonly Chunk[] {
    const before = finished.length;
    finish(splitter.cut());
    return finished.slice(before);
  }

  /** Later text has nothing to do with what there is. */
  function end(): void {
    finish(splitter.end());
    splitter = createBlockSplitter();
  }

  /** Reads what is new; returns all finished chunks, and the open one after them. */
  function take({content, complete, replaced = 0}: AgentMessageEntry) {
    if (replaced !== replacement) {
      splitter = createBlockSplitter();
      finished = [];
      [at, read, replacement] = [0, 0, replaced];
    }
    for (; at < content.length; at++, read = 0) {
      const block = content[at];
      if (block === undefined || isHidden(block)) continue;
      if (block.type === 'text') {
        if (complete && read === 0) splitter = createBlockSplitter(block.text);
        finish(splitter.push(block.text.slice(read)));
        // A search may still draw what there was when it began.
        read = Math.max(read, block.text.length);
        // The last text may grow even after the message was complete.
        if (at === content.length - 1) break;
        end();
      } else finished.push({kind: 'attachment', id: id(), content: block});
    }
    if (complete) end();
    const {tailBlock} = splitter;
    const tail: Chunk | undefined = tailBlock && {
      kind: 'block',
      id: `${entryId}/tail`,
      block: tailBlock,
      progress: 'streaming',
      stream,
    };
    return {finished, tail};
  }

  return {take, cut};
}
