import {width} from '../../src/text/width.ts';
import {maxOf} from '../../src/text/lists.ts';

/** What one write does to the screen. */
interface ScreenWrite {
  /** Rows that it moves up from the cursor, before it writes. */
  readonly up: number;
  /** The lines above the frame: new ones, and all that it writes. */
  readonly added: readonly string[];
  readonly lines: readonly string[];
  /** True if only what changes is written: long lines may then overwrite the next one instead of moving it. */
  readonly isPatch: boolean;
  /** The rows of the frame above the cursor, before and after. */
  readonly above: {readonly before: readonly string[]; readonly after: readonly string[]};
}

/** How long output may be under way, in milliseconds, if the terminal's last answer did not take longer. */
const UNDER_WAY = 300;

/** What may not have reached the terminal yet when it is resized. */
export function createInFlight() {
  let writes: readonly ScreenWrite[] = [];
  let underWay = UNDER_WAY;
  return {
    add: (written: ScreenWrite) => {
      writes = [...writes, written];
      const forget = () => (writes = writes.filter((write) => write !== written));
      // Not by the clock: a resize while this process is busy or stopped is reported late, but before this immediate.
      setTimeout(() => setImmediate(forget), underWay).unref();
    },
    /** The terminal took so long for its last answer, in milliseconds: on a busy machine it is that far behind. */
    answered: (milliseconds: number) => {
      underWay = Math.max(UNDER_WAY, milliseconds);
    },
    /** The terminal has processed everything so far. */
    arrived: () => (writes = []),
    /** Returns what may be under way now; call it when a resize is reported. */
    writes: () => writes,
  };
}

/** Returns by how many rows the cursor may be higher than expected, because the terminal had one of these numbers of columns when it got what was meant for another width. */
export function missingRows(writes: readonly ScreenWrite[], columns: readonly number[]): number {
  return maxOf(
    columns.map((width) => mostMissing(writes, width)),
    0,
  );
}

/** Returns how many of the last printed lines may be in rows of the frame, for the same reason: where it was wrapped, a patch begins too far down. */
export function linesInFrame(writes: readonly ScreenWrite[], columns: readonly number[]): number {
  const isWrapped = ({isPatch, above}: ScreenWrite) =>
    isPatch && columns.some((width) => rowsOf(above.before, width) > above.before.length);
  const first = writes.findIndex(isWrapped);
  return first === -1 ? 0 : writes.slice(first).reduce((sum, {added}) => sum + added.length, 0);
}

/** The terminal may have been resized before any of them. */
function mostMissing(writes: readonly ScreenWrite[], columns: number): number {
  let most = 0;
  let missing = 0;
  for (const write of writes.toReversed()) {
    missing += missingOf(write, columns);
    most = Math.max(most, missing);
  }
  return most;
}

function missingOf({up, added, lines, isPatch, above}: ScreenWrite, columns: number): number {
  const {before, after} = above;
  const expected = rowsOf(added, columns) + rowsOf(after, columns) - rowsOf(before, columns);
  return expected + up - (isPatch ? lines.length : rowsOf(lines, columns)) - after.length;
}

/** Returns how many rows lines take. */
function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / columns)), 0);
}
