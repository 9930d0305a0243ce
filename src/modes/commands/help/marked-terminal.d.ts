declare module 'marked-terminal' {
  import type {MarkedExtension} from 'marked';

  /** The options in use; the package has no types. */
  interface MarkedTerminalOptions {
    /** In columns. */
    width?: number;
    reflowText?: boolean;
    emoji?: boolean;
    /** Number of spaces. */
    tab?: number;
    showSectionPrefix?: boolean;
  }

  export function markedTerminal(options?: MarkedTerminalOptions): MarkedExtension;
}
