/** A file attached to a prompt, with the properties from its last check; it is read when the prompt is sent. */
export interface Attachment {
  /** Absolute. */
  readonly path: string;
  /** Its name in the text: relative to the working folder if it lies inside, otherwise absolute. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'image' | 'audio';
  /** In bytes; undefined before the first check, and for folders. */
  readonly size?: number | undefined;
  /** The attached lines; undefined for the whole file. */
  readonly lines?: LineRange | undefined;
  /** True if it was pasted from the clipboard into a temporary file, whose path is useless for the agent. */
  readonly isFromClipboard?: boolean | undefined;
}

/** Both from 1, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}
