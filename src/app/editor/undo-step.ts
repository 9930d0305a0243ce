export interface Browsing {
  /** Counts from the newest entry; -1 is the draft that was being typed. */
  readonly position: number;
  /** What each visited place was changed to, the unsent draft at -1 among them. */
  readonly kept: Readonly<Record<number, {readonly text: string; readonly caret: number}>>;
}

/** One change of the text: at `at`, `removed` gave way to `inserted`. */
export interface Change {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  readonly caretBefore: number;
  readonly caretAfter: number;
  /** The draft's previous position in the history, if the change is a step through it. */
  readonly browsing?: {readonly before: Browsing | undefined; readonly after: Browsing | undefined};
}
