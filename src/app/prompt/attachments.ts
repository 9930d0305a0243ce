/** A file that goes with a prompt, as it was when it was last looked at; it is read when the prompt is sent. */
export interface Attachment {
  /** Absolute. */
  readonly path: string;
  /** What the text calls it: relative to the working folder when it lies inside, otherwise absolute. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'image';
  /** In bytes; left out until it was looked at, and for folders. */
  readonly size?: number | undefined;
  /** The part that is meant; left out for the whole file. */
  readonly lines?: LineRange | undefined;
  /** True when it was in the clipboard and we keep it: then no path means anything to the agent. */
  readonly isOurs?: boolean | undefined;
}

/** Both from 1, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** How a text refers to a file: `@src/a.ts`, `@src/a.ts:10-40`, `@"with blanks.md":3`. */
export function referenceTo({name, lines}: Pick<Attachment, 'name' | 'lines'>): string {
  return `@${quotedIfNeeded(name)}${lines ? `:${linesLabel(lines)}` : ''}`;
}

export function linesLabel({first, last}: LineRange): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

/** A name as it stands behind an `@`; an open one can be typed on. */
export function quotedIfNeeded(name: string, {open = false} = {}): string {
  return /\s/.test(name) ? `"${name}${open ? '' : '"'}` : name;
}

/** Where the references to attachments stand in a text, in order; those that are not in it are left out. */
export function findReferences(text: string, attachments: readonly Attachment[]): readonly Reference[] {
  const found: Reference[] = [];
  let searched = 0;
  for (const attachment of attachments) {
    const reference = referenceTo(attachment);
    const from = text.indexOf(reference, searched);
    if (from === -1) continue;
    searched = from + reference.length;
    found.push({attachment, from, to: searched});
  }
  return found;
}

export interface Reference {
  readonly attachment: Attachment;
  readonly from: number;
  readonly to: number;
}
