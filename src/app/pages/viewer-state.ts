import type {Scroll} from './scroll.ts';

/** An entry, and how many of its rows are above the screen (negative: how far below its top it begins). */
export interface ViewerPlace {
  readonly id: string;
  readonly above: number;
}

/** State of the transcript viewer. */
export interface Viewer {
  readonly scroll: Scroll;
  /** Empty while nothing is looked for. */
  readonly search: string;
  /** While what to look for is typed: the row that was on top before, to go back to. */
  readonly typingFrom: number | undefined;
  /** The rows that hold it, ascending, as they were drawn. */
  readonly hits: readonly number[];
  /** The row of the one that was gone to; undefined before that. */
  readonly hit: number | undefined;
  /** True if outputs, diffs and thoughts are folded; those of the entries in `flipped` are as all others are not. */
  readonly isFolded: boolean;
  readonly flipped: readonly string[];
  /** The entry on the screen that can be folded, the uppermost. */
  readonly foldable: ViewerPlace | undefined;
  /** What keeps its position when rows above it change; undefined if a row number decides. */
  readonly anchor: ViewerPlace | undefined;
}
