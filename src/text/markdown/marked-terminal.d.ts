declare module 'marked-terminal' {
  import type {MarkedExtension} from 'marked';

  type Format = (text: string) => string;

  /** The options that are used here; the package has no types of its own. */
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
