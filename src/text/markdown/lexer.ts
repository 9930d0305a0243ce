import {getDefaults, Lexer, Tokenizer, type Token, type TokensList} from 'marked';

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
export function lexInline(text: string): Token[] {
  return createLexer().inlineTokens(text);
}
