declare module 'marked-terminal' {
  import type {MarkedExtension} from 'marked';

  type Format = (text: string) => string;

  /** The options in use; the package has no types. */
  interface MarkedTerminalOptions {
    strong?: Format;
    em?: Format;
    del?: Format;
    codespan?: Format;
    html?: Format;
    paragraph?: Format;
    emoji?: boolean;
    unescape?: boolean;
    reflowText?: boolean;
  }

  export function markedTerminal(options?: MarkedTerminalOptions): MarkedExtension;
}
