/** A file or folder that fits what is typed behind an `@`. */
export interface FoundFile {
  /** As written in the text: relative to the working folder, or absolute; a folder ends in `/`. */
  readonly path: string;
  readonly absolute: string;
  readonly isFolder: boolean;
}

/** The files found last and their query; shown until the next search finishes. */
export interface FoundFiles {
  readonly query: string;
  readonly items: readonly FoundFile[];
}

/** A command or a file that completes what is typed. */
export interface MenuItem {
  /** As typed: `/mode`, or `//mode` for an agent's command with the name of one of acp-tui's; or a file path. */
  readonly text: string;
  /** What can follow it; undefined if nothing. */
  readonly argument: string | undefined;
  readonly description: string;
  /** Other names that find it. */
  readonly aliases: readonly string[];
  readonly source: 'client' | 'agent' | 'files';
  /** What is attached; only of a file. */
  readonly file?: FoundFile;
  /** Why it cannot be used now. */
  readonly unavailable: string | undefined;
}
