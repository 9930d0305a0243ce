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

/** One of the terminal's 256 colors by its number, or `#rrggbb`. */
export type TerminalColor = number | `#${string}`;

/** Text of one look, without control characters. */
export interface TerminalRun {
  readonly text: string;
  readonly style?: TerminalStyle;
}

export type TerminalRow = readonly TerminalRun[];

/** The interpreted screen of a terminal with its scrollback. */
export interface TerminalScreen {
  /** The newest rows, at most `SCREEN_ROWS`. */
  readonly rows: readonly TerminalRow[];
  /** How many rows came before them. */
  readonly dropped: number;
}

/** The rows from the one with this number on, counted from 0 over all that the terminal ever had, are these now. */
export interface ScreenChange {
  readonly from: number;
  readonly rows: readonly TerminalRow[];
}

/** The number of rows kept of a terminal. */
export const SCREEN_ROWS = 2000;

const emptyScreen: TerminalScreen = {rows: [], dropped: 0};

export function changeScreen(
  screen: TerminalScreen = emptyScreen,
  {from, rows}: ScreenChange,
): TerminalScreen {
  const end = screen.dropped + screen.rows.length;
  // What lies before a gap is far above what is seen.
  const kept = from > end ? [] : screen.rows.slice(0, Math.max(0, from - screen.dropped));
  const all = [...kept, ...rows];
  const newest = all.slice(-SCREEN_ROWS);
  return {rows: newest, dropped: from - kept.length + all.length - newest.length};
}
