/** A file or folder that matches the text after an `@`. */
export interface FileMatch {
  /** As written in the text: relative to the working folder, or absolute; a folder ends in `/`. */
  readonly path: string;
  readonly absolute: string;
  readonly isFolder: boolean;
}

/** The latest search result and its query; shown until the next search finishes. */
export interface FileMatches {
  readonly query: string;
  readonly items: readonly FileMatch[];
}

/** What becomes of the draft with an argument. */
interface CompletedArgument {
  /** The whole text. */
  readonly text: string;
  /** True if Enter sends it: it is the last argument, and no path, which may only resemble what was meant. */
  readonly isSent: boolean;
}

/** A command or file that completes the typed text. */
export interface MenuItem {
  /** As typed: `/mode`, or `//mode` for an agent's command with the name of one of acp-tui's; or an argument, such as a file path. */
  readonly text: string;
  /** Its argument; undefined if there is none. */
  readonly argument?: string | undefined;
  readonly description: string;
  /** Other names that match it. */
  readonly aliases?: readonly string[];
  readonly source: 'client' | 'custom' | 'agent' | 'files' | 'arguments' | 'moved';
  /** The file to attach, or whose path is an argument; undefined for commands. */
  readonly file?: FileMatch;
  /** Set for an argument of a command that is not acp-tui's. */
  readonly completed?: CompletedArgument;
  /** Why it cannot be used now. */
  readonly unavailable?: string | undefined;
}
