export interface HistoryBrowsing {
  /** Counts from the newest entry; -1 is the draft that was being typed. */
  readonly position: number;
  /** Edited texts by position, including the unsent draft at -1. */
  readonly kept: Readonly<Record<number, {readonly text: string; readonly caret: number}>>;
}

/** A change of the text: at `at`, `removed` was replaced by `inserted`. */
export interface DraftChange {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  readonly caretBefore: number;
  readonly caretAfter: number;
  /** The draft's previous position in the history, if the change is a step through it. */
  readonly browsing?: {
    readonly before: HistoryBrowsing | undefined;
    readonly after: HistoryBrowsing | undefined;
  };
}
