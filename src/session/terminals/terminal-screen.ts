/** The style of a run of terminal output. */
export interface TerminalStyle {
  readonly foreground?: TerminalColor;
  readonly background?: TerminalColor;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly inverse?: true;
  readonly strikethrough?: true;
}

/** An index into the terminal's 256 colors, or `#rrggbb`. */
export type TerminalColor = number | `#${string}`;

/** Text in one style, without control characters. */
export interface TerminalRun {
  readonly text: string;
  readonly style?: TerminalStyle;
}

export type TerminalRow = readonly TerminalRun[];

/** The interpreted screen of a terminal with its scrollback. */
export interface TerminalScreen {
  /** The newest rows, at most `SCREEN_ROWS`. */
  readonly rows: readonly TerminalRow[];
  /** Number of rows that were dropped before them. */
  readonly dropped: number;
}

/** Replaces all rows from an index on, counted from 0 over all rows that the terminal ever had. */
export interface ScreenChange {
  readonly from: number;
  readonly rows: readonly TerminalRow[];
}

/** Maximum number of rows kept per terminal. */
export const SCREEN_ROWS = 2000;

const emptyScreen: TerminalScreen = {rows: [], dropped: 0};

export function changeScreen(
  screen: TerminalScreen = emptyScreen,
  {from, rows}: ScreenChange,
): TerminalScreen {
  const end = screen.dropped + screen.rows.length;
  // Rows before a gap are far above the visible ones.
  const kept = from > end ? [] : screen.rows.slice(0, Math.max(0, from - screen.dropped));
  const all = [...kept, ...rows];
  const newest = all.slice(-SCREEN_ROWS);
  return {rows: newest, dropped: from - kept.length + all.length - newest.length};
}
