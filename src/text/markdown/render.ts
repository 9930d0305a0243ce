import {getDefaults, Lexer, Tokenizer, type Token, type TokensList} from 'marked';
import {wrap} from '../wrap.ts';
import {codePieceLines} from './code.ts';
import {inlineFormatter} from './inline.ts';
import {layOut} from './layout.ts';
import {plainLines} from './plain.ts';
import {proseColumns, type Block, type RenderOptions} from './style.ts';

export {codePieces, highlightReady, loadHighlight} from './highlight.ts';

/** Returns a block of sanitized Markdown as styled lines, without surrounding blank lines. */
export function renderBlock(block: Block, options: RenderOptions): string[] {
  try {
    return linesOf(block, options);
  } catch (error) {
    // A thousand nested quotes exhaust the stack. Whatever marked fails on is shown as plain text.
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
      return text === '' ? [] : wrap(inlineFormatter(options.style)(tokens), proseColumns(options));
    }
  }
}

const FOOTNOTE = /^ {0,3}\[\^/;

/** marked reads a footnote of one word (`[^1]: see`) as a link definition, which is invisible. */
class FootnotesAsText extends Tokenizer {
  override def(source: string): ReturnType<Tokenizer['def']> {
    return FOOTNOTE.test(source) ? undefined : super.def(source);
  }
}

const createLexer = (): Lexer => new Lexer({...getDefaults(), tokenizer: new FootnotesAsText()});

/** Returns the block tokens of a Markdown source. */
export function lexBlocks(source: string): TokensList {
  return createLexer().lex(source);
}

/** Returns the inline tokens of a Markdown text. */
function lexInline(text: string): Token[] {
  return createLexer().inlineTokens(text);
}
