/** The parts that must have been visible before a request can be allowed. Rejecting needs none. */
export const READING_LEVELS = ['all', 'commands', 'none'] as const;

export type ReadingLevel = (typeof READING_LEVELS)[number];

export interface RowRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The rows of a request that have been visible, as disjoint ascending ranges, wrapped at this width. */
export interface SeenRows {
  readonly columns: number;
  readonly totalRows: number;
  readonly ranges: readonly RowRange[];
}
