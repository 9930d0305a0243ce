/** Rows that are drawn only where they are shown: of a change of 70,000 lines few are. An array of lines has the same two members. */
export interface Rows {
  readonly length: number;
  /** Draws a part of them; `to` is exclusive. */
  slice(from: number, to: number): readonly string[];
}

interface RowSource<Source> {
  /** Number of rows of a source, which must not take long. */
  readonly count: (source: Source) => number;
  readonly rowsOf: (source: Source) => readonly string[];
}

/** Returns the rows of many sources. */
export function lazyRows<Source>(sources: readonly Source[], {count, rowsOf}: RowSource<Source>): Rows {
  let length = 0;
  const ends = sources.map((source) => (length += count(source)));
  return {
    length,
    slice(from, to) {
      const first = ends.findIndex((end) => end > from);
      if (first === -1) return [];
      const start = ends[first - 1] ?? 0;
      const last = ends.findIndex((end) => end >= to);
      const shown = sources.slice(first, last === -1 ? undefined : last + 1);
      return shown.flatMap(rowsOf).slice(from - start, to - start);
    },
  };
}

/** Returns rows one after the other. */
export function joinRows(parts: readonly Rows[]): Rows {
  return {
    length: parts.reduce((sum, {length}) => sum + length, 0),
    slice(from, to) {
      let before = 0;
      return parts.flatMap((part) => {
        const start = before;
        before += part.length;
        const [first, end] = [Math.max(0, from - start), Math.min(part.length, to - start)];
        return first < end ? part.slice(first, end) : [];
      });
    },
  };
}

/** Returns rows that are changed one by one when they are drawn. */
export function mapRows(rows: Rows, change: (line: string) => string): Rows {
  return {length: rows.length, slice: (from, to) => rows.slice(from, to).map(change)};
}

/** Returns all rows. */
export function allRows(rows: Rows): readonly string[] {
  return rows.slice(0, rows.length);
}
