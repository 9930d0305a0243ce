import {type Block, type RenderOptions, plainStyle} from '../../../src/text/markdown/style.ts';
import {renderBlock} from '../../../src/text/markdown/render.ts';
import {createBlockSplitter} from '../../../src/text/markdown/splitter.ts';

export const plain: RenderOptions = {columns: 60, style: plainStyle, highlight: false};

export function split(chunks: readonly string[]): Block[] {
  const splitter = createBlockSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

export function wholeBlock(source: string): Block {
  return {kind: 'markdown', source, first: true, last: true, context: ''};
}

/** Blocks one after the other, as a screen shows them. */
export function shown(blocks: readonly Block[], options: RenderOptions): string[] {
  const lines: string[] = [];
  for (const block of blocks) {
    const own = renderBlock(block, options);
    if (own.length > 0 && lines.length > 0 && block.first) lines.push('');
    lines.push(...own);
  }
  return lines;
}
