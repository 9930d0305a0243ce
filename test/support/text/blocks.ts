import {markdownStyle} from '../../../src/text/markdown/look.ts';
import {renderBlock} from '../../../src/text/markdown/render.ts';
import {createBlockSplitter} from '../../../src/text/markdown/splitter.ts';
import type {Block, RenderOptions} from '../../../src/text/markdown/style.ts';

const none = undefined;
const codeInks = {keyword: none, string: none, number: none, comment: none, title: none};
const inks = {accent: none, dim: none, inlineCode: none, ...codeInks};

/** No styles. */
export const plainStyle = markdownStyle({level: 0, emphasis: false, hyperlinks: false, inks, surface: none});

export const plain: RenderOptions = {columns: 60, style: plainStyle, highlight: false};

export function split(chunks: readonly string[]): Block[] {
  const splitter = createBlockSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

export function wholeBlock(source: string): Block {
  return {kind: 'markdown', source, first: true, last: true, context: ''};
}

/** Blocks one after the other, as a screen shows them. */
export function drawBlocks(blocks: readonly Block[], options: RenderOptions): string[] {
  const lines: string[] = [];
  for (const block of blocks) {
    const own = renderBlock(block, options);
    if (own.length > 0 && lines.length > 0 && block.first) lines.push('');
    lines.push(...own);
  }
  return lines;
}
