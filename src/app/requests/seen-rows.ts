/** The parts that must have been visible before a request can be allowed. Rejecting needs none. */
export const READING_LEVELS = ['all', 'commands'] as const;

export type ReadingLevel = (typeof READING_LEVELS)[number];

interface RowRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Where the suggested rule is: in rows of what is read, or in the row of its answer, if that is on the screen. */
export type ShownRule = RowRange | 'in its answer' | 'off the screen';

/** The rows of a request that have been visible, as disjoint ascending ranges, wrapped at this width. */
export interface SeenRows {
  readonly columns: number;
  readonly totalRows: number;
  readonly ranges: readonly RowRange[];
}
