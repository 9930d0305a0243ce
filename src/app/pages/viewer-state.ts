/** The two screen modes: printed into the terminal's scrollback, or a scrollable transcript on the alternate screen. */
export const SCREENS = ['inline', 'full'] as const;
export type ScreenMode = (typeof SCREENS)[number];

/** A drawn row of an entry, from 0; the blank row above an entry is its first. */
export interface ViewerPlace {
  readonly id: string;
  readonly row: number;
}

/** A row with a match, or the card of a subagent with matches in its own transcript or below. */
export interface ViewerHit extends ViewerPlace {
  /** Its name, if the match is not on the screen. */
  readonly subagent?: string;
}

/**
 * The top row of the visible transcript, `rows` below a fixed anchor: only the heights of visible entries have to be known. With the end as anchor, 0 shows
 * the last row at the bottom.
 */
export type ViewerPosition =
  | {readonly from: 'start' | 'end'; readonly rows: number}
  | {readonly from: 'entry'; readonly id: string; readonly rows: number};

/** Scroll position, search and folding of a scrollable transcript. */
export interface Viewer {
  readonly position: ViewerPosition;
  /** Visible rows of the transcript; 0 until the first drawing. */
  readonly page: number;
  /** Number of entries when the user scrolled away from the end; undefined at the end. */
  readonly seen?: number | undefined;
  /** Empty while not searching. */
  readonly search: string;
  /** While the search is typed: the previous position, for cancelling. */
  readonly typingFrom?: ViewerPosition | undefined;
  /** The rows with matches, from the top, as drawn; undefined until they were searched. */
  readonly hits?: readonly ViewerHit[] | undefined;
  /** Index of the current match, or of the one to jump to when they were searched; undefined before the first jump. */
  readonly hit?: number | undefined;
  /** Index of the first match below the top of the screen. */
  readonly nearest: number;
  /** True if outputs, diffs and thoughts are folded; the entries in `flipped` are the exceptions. */
  readonly isFolded: boolean;
  readonly flipped: readonly string[];
  /** The uppermost visible entry that can be folded, and its row at the top of the screen (negative if it starts below the top). */
  readonly foldable?: ViewerPlace | undefined;
  /** The entry of the uppermost visible subagent. */
  readonly card?: string | undefined;
  /** The entry that was jumped to. */
  readonly selected?: string | undefined;
}
