import {getDefaults, Lexer, Tokenizer, type Token, type TokensList} from 'marked';
import {wrap} from '../wrap.ts';
import {codePieceLines} from './code.ts';
import {inlineFormatter} from './inline.ts';
import {layOut} from './layout.ts';
import {plainLines} from './plain.ts';
import {proseColumns, type Block, type RenderOptions} from './style.ts';

export {codePieces, highlightReady, loadHighlight} from './highlight.ts';

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
      return text === '' ? [] : wrap(inlineFormatter(options.style)(tokens), proseColumns(options));
    }
  }
}

const FOOTNOTE = /^ {0,3}\[\^/;

/** marked takes a footnote of one word (`[^1]: see`) for a link definition, which shows nothing. */
class FootnotesAsText extends Tokenizer {
  override def(source: string): ReturnType<Tokenizer['def']> {
    return FOOTNOTE.test(source) ? undefined : super.def(source);
  }
}

const createLexer = (): Lexer => new Lexer({...getDefaults(), tokenizer: new FootnotesAsText()});

/** The blocks of a markdown source, with what is in them. */
export function lexBlocks(source: string): TokensList {
  return createLexer().lex(source);
}

/** The tokens of markdown within a line. */
function lexInline(text: string): Token[] {
  return createLexer().inlineTokens(text);
}
