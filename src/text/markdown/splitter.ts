import type {Block} from './block.ts';

export interface BlockSplitter {
  /** Takes the next part of the message; returns the blocks that it finished. */
  push(chunk: string): Block[];
  /** The source that is not finished yet. */
  readonly tail: string;
  /** The same as a block, to be drawn meanwhile; undefined when there is nothing but blank lines. */
  readonly tailBlock: Block | undefined;
  /** The message is over: returns what is left. */
  end(): Block[];
}

/** Splits a markdown message into finished blocks while it streams. */
export function createBlockSplitter(): BlockSplitter {
  let tail = '';
  const block = (source: string): Block => ({
    kind: 'markdown',
    source,
    first: true,
    last: true,
    context: '',
    language: '',
  });
  return {
    push(chunk) {
      tail += chunk;
      return [];
    },
    get tail() {
      return tail;
    },
    get tailBlock() {
      return tail.trim() === '' ? undefined : block(tail);
    },
    end() {
      const rest = tail;
      tail = '';
      return rest.trim() === '' ? [] : [block(rest)];
    },
  };
}
