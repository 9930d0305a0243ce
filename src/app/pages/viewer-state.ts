/** The two screens: rows printed into the terminal's scrollback, or the alternate screen with the transcript to scroll in. */
export const SCREENS = ['inline', 'full'] as const;
export type ScreenMode = (typeof SCREENS)[number];

/** A row of an entry as it is drawn, from 0; the blank row above an entry is its first. */
export interface ViewerPlace {
  readonly id: string;
  readonly row: number;
}

/**
 * The top row of the transcript on the screen, so many `rows` below something that keeps its place: no heights but those of what is
 * on the screen have to be known. From the end, 0 shows the last row at the bottom, and fewer rows are above that.
 */
export type ViewerPosition =
  | {readonly from: 'start' | 'end'; readonly rows: number}
  | {readonly from: 'entry'; readonly id: string; readonly rows: number};

/** Scroll position, search and folding of the transcript where it is scrolled in. */
export interface Viewer {
  readonly position: ViewerPosition;
  /** Rows of the screen for the transcript; 0 until the first drawing. */
  readonly page: number;
  /** How many entries there were when the end was left; undefined at the end. */
  readonly seen: number | undefined;
  /** Empty while nothing is looked for. */
  readonly search: string;
  /** While what to look for is typed: the position before, to go back to. */
  readonly typingFrom: ViewerPosition | undefined;
  /** The rows that hold it, from the top, as they were drawn; undefined until they were looked for. */
  readonly hits: readonly ViewerPlace[] | undefined;
  /** Index of the one that was gone to; undefined before that. */
  readonly hit: number | undefined;
  /** Index of the first one from the top of the screen on. */
  readonly nearest: number;
  /** True if outputs, diffs and thoughts are folded; those of the entries in `flipped` are as all others are not. */
  readonly isFolded: boolean;
  readonly flipped: readonly string[];
  /** The uppermost entry on the screen that can be folded, and the row of it that is on top (negative: how far below the top it begins). */
  readonly foldable: ViewerPlace | undefined;
  /** The entry that was jumped to. */
  readonly selected: string | undefined;
}
