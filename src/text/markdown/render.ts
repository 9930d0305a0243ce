import {wrap} from '../wrap.ts';
import type {Block} from './block.ts';
import {codePieceLines} from './code.ts';
import {inlineFormatter} from './inline.ts';
import {layOut} from './layout.ts';
import {lexBlocks, lexInline} from './lexer.ts';
import type {RenderOptions} from './options.ts';
import {plainLines} from './plain.ts';

export {highlightReady, loadHighlight} from './highlight.ts';

/** A block of sanitized markdown as lines with styles, without a blank line before or behind it. */
export function renderBlock(block: Block, options: RenderOptions): string[] {
  try {
    return linesOf(block, options);
  } catch (error) {
    // A thousand nested quotes exhaust the stack. Whatever marked fails on is still shown.
    if (!(error instanceof Error)) throw error;
    return plainLines(block, options.columns);
  }
}

function linesOf(block: Block, options: RenderOptions): string[] {
  switch (block.kind) {
    case 'markdown':
      return layOut(lexBlocks(block.context + block.source), options);
    case 'code':
      return codePieceLines(block, options);
    case 'text': {
      const text = block.source.replace(/^\n+/, '').trimEnd();
      const tokens = lexInline(text);
      return text === '' ? [] : wrap(inlineFormatter(options.style)(tokens), options.columns);
    }
  }
}
