import type {ScreenSize} from '../../src/app/editor/layout.ts';
import {linesInFrame, missingRows} from './in-flight.ts';
import {type Scrollback} from './scrollback.ts';
import {type Cursor, type GatedOutput} from './output.ts';
import {minOf} from '../../src/text/lists.ts';

/** How long the size must be stable before redrawing, in milliseconds. */
const QUIET = 100;
/** Longer than Ink delays a frame, in milliseconds. */
const FRAME = 10;
/** How long to wait for the first answer of a terminal, which may be far away, and for later ones, in milliseconds. */
const FIRST_ANSWER = 1000;
const ANSWER = 5000;

/** Queries the cursor's position (DSR 6). */
export const ASK_FOR_CURSOR = '\x1b[6n';
const CURSOR = /^\x1b\[(\d+);\d+R$/;

interface PainterOptions {
  readonly output: GatedOutput;
  /** Has its current size, which `output` passes on later. */
  readonly terminal: ScreenSize;
  /** Sends a query to the terminal; undefined if it cannot answer. */
  readonly ask: ((query: string) => void) | undefined;
  /** True if the terminal rewraps lines when it is resized. */
  readonly reflows: boolean;
  readonly scrollback: Scrollback;
}

export type ScreenRepair = ReturnType<typeof createScreenRepair>;

/**
 * Repositions the frame after a resize: terminals rewrap it, and Ink would erase as many lines as it drew. While the size changes nothing is drawn; then
 * everything from the frame's first line on is erased, and the frame is drawn once. Terminals differ in which rows they scroll away and bring back, so the
 * terminal is asked for the cursor's row.
 */
export function createScreenRepair({output, terminal, ask, reflows, scrollback}: PainterOptions) {
  let frame: ReturnType<typeof frameOnScreen> | undefined;
  /** The terminal's sizes since the frame was drawn. */
  let sizes: readonly ScreenSize[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const query = createCursorQuery(ask, (milliseconds) => output.inFlight.answered(milliseconds));

  function begin(delay: number): void {
    if (frame === undefined) {
      frame = frameOnScreen(output, scrollback);
      sizes = [frame];
    }
    sizes = [...sizes, {columns: terminal.columns, rows: terminal.rows}];
    clearTimeout(timer);
    query.cancel();
    timer = setTimeout(settle, delay);
  }

  /** Lays out everything for the new size, without output. */
  function settle(): void {
    output.settle();
    timer = setTimeout(() => (isResized(sizes) ? (timer = query.start(finish)) : finish()), FRAME);
  }

  /** `cursorRow` is undefined if the terminal has not reported it. */
  function finish(cursorRow?: number): void {
    clearTimeout(timer);
    query.cancel();
    if (frame === undefined) return;
    const before = frame;
    output.settle();
    const {columns, rows} = output.stream;
    const {above, below} = rowsAroundCursor(before, reflows ? columns : undefined);
    const widths = reflows ? sizes.slice(1).map((size) => size.columns) : [];
    if (isResized(sizes))
      scrollback.resized({
        columns,
        rows,
        cursorRow,
        below,
        above: {before: rowsAroundCursor(before, undefined).above, after: above},
        isFrameWrapped: before.widths.some((width) => width > minOf(widths)),
        missing: missingRows(before.underWay, widths),
        inFrame: linesInFrame(before.underWay, widths),
        hasOnlyNarrowed: hasOnlyNarrowed(sizes),
      });
    else scrollback.doubt();
    if (cursorRow !== undefined) output.inFlight.arrived();
    output.open();
    // Not earlier: what is printed while the output is closed would be lost.
    frame = undefined;
    output.replace(above);
    output.settle();
  }

  return {
    /** The terminal was resized, and may be again. */
    resized: () => begin(QUIET),
    /** Redraws the frame. */
    repaint: () => begin(0),
    /** True while output would not stay on the screen. */
    isBusy: () => frame !== undefined,
    /** Handles reports of the terminal. */
    handleReport: query.handleReport,
    /** Lays out pending work for the current size, without output. */
    layOut: () => frame && output.settle(),
    /** Finishes pending work at once. */
    finish: () => finish(),
  };
}

/** Returns the frame, and what may be under way to the terminal. Also stops output, so that it stays there. */
function frameOnScreen(output: GatedOutput, scrollback: Scrollback) {
  output.close();
  const {columns, rows} = output.stream;
  const widths = scrollback.heights().frame === 0 ? [] : output.widths();
  return {widths, cursor: output.cursor(), columns, rows, underWay: output.inFlight.writes()};
}

function isResized([first, ...later]: readonly ScreenSize[]): boolean {
  return later.some(({columns, rows}) => columns !== first?.columns || rows !== first.rows);
}

/** True if no size has more columns than the one before it, and all have the same number of rows. */
function hasOnlyNarrowed(sizes: readonly ScreenSize[]): boolean {
  return sizes.every(({columns, rows}, index) => {
    const before = sizes[index - 1];
    return before === undefined || (columns <= before.columns && rows === before.rows);
  });
}

/** Asks the terminal for the cursor's row. */
function createCursorQuery(ask: PainterOptions['ask'], onAnswer: (milliseconds: number) => void) {
  let finish: ((row?: number) => void) | undefined;
  /** Number of queries that were not answered yet: only the answer to the last one is for the current size. */
  let unanswered = 0;
  let askedAt = 0;
  let hasAnswered = false;
  return {
    /** `done` is called with the row, from 0; after the returned timer without one. */
    start(done: (row?: number) => void) {
      ask?.(ASK_FOR_CURSOR);
      unanswered++;
      askedAt = performance.now();
      finish = done;
      return setTimeout(
        () => {
          unanswered = 0;
          done();
        },
        ask === undefined ? 0 : hasAnswered ? ANSWER : FIRST_ANSWER,
      );
    },
    /** Ignores the answer. */
    cancel: () => (finish = undefined),
    handleReport: (sequence: string): void => {
      const [, row] = CURSOR.exec(sequence) ?? [];
      if (row === undefined || unanswered === 0) return;
      unanswered--;
      hasAnswered = true;
      if (unanswered > 0) return;
      onAnswer(performance.now() - askedAt);
      finish?.(Number(row) - 1);
    },
  };
}

interface Frame {
  /** The width of each of its lines. */
  readonly widths: readonly number[];
  readonly cursor: Cursor;
}

/** Returns the rows of a frame above its cursor's, and from that on, after the terminal has rewrapped the frame to `columns`. */
export function rowsAroundCursor({widths, cursor}: Frame, columns: number | undefined) {
  const line = Math.max(0, widths.length - cursor.up);
  if (columns === undefined) return {above: line, below: widths.length - line};
  const rows = widths.map((width) => Math.max(1, Math.ceil(width / columns)));
  const above = sum(rows.slice(0, line)) + Math.floor(cursor.column / columns);
  return {above, below: sum(rows) - above};
}

function sum(rows: readonly number[]): number {
  return rows.reduce((total, count) => total + count, 0);
}
