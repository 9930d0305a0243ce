/** What stands in an archive, as it calls itself: nothing of it is checked. */
export interface ArchiveEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'symbolic_link' | 'hard_link' | 'other';
  /** Where a link leads. */
  readonly target?: string;
  /** As Unix has it; only the bits for executing are looked at. */
  readonly mode: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** An archive that is not what it should be, or that wants what no archive may do. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}

/** Refuses an entry; the name is quoted, and made safe where the sentence is shown. */
export function refuse(path: string, problem: string): never {
  throw new BadArchive(`"${path}" in it ${problem}`);
}
