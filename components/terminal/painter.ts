import type {GatedOutput} from './output.ts';
import {eraseFrame, rowsAroundCursor, type Frame} from './repaint.ts';
import type {Scrollback} from './scrollback.ts';

interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** How long no resize must have come before the screen is drawn again, in milliseconds. */
const QUIET = 100;
/** Longer than Ink holds a frame back, in milliseconds. */
const FRAME = 10;

export interface Painter {
  /** The terminal has another size, and perhaps not for the last time. */
  readonly resized: () => void;
  /** Draws the frame anew. */
  readonly repaint: () => void;
  /** True while nothing that is written would stay on the screen. */
  readonly isBusy: () => boolean;
  /** Finishes at once what was begun. */
  readonly finish: () => void;
}

export interface PainterOptions {
  readonly output: GatedOutput;
  /** Whether the terminal wraps lines anew when it is resized. */
  readonly reflows: boolean;
  /** The width of each line of the frame on the screen. */
  readonly lineWidths: () => readonly number[];
  readonly scrollback: Scrollback;
}

/**
 * Puts the frame right after the terminal was resized: terminals wrap it anew, and Ink would erase as many lines as it drew.
 * While sizes still change nothing is drawn; then all from the frame's first line on is erased, and the frame drawn once.
 */
export function createPainter({output, reflows, lineWidths, scrollback}: PainterOptions): Painter {
  let frame: (Frame & ScreenSize) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function begin(delay: number): void {
    frame ??= frameOnScreen();
    clearTimeout(timer);
    timer = setTimeout(settle, delay);
  }

  function frameOnScreen(): Frame & ScreenSize {
    output.close();
    const {columns, rows} = output.stream;
    const widths = scrollback.height() === 0 ? [] : lineWidths();
    return {widths, cursor: output.cursor(), columns, rows};
  }

  /** Lets everything be laid out for the new size, unseen. */
  function settle(): void {
    output.settle();
    timer = setTimeout(finish, FRAME);
  }

  function finish(): void {
    clearTimeout(timer);
    if (frame === undefined) return;
    const before = frame;
    frame = undefined;
    output.settle();
    const {columns, rows} = output.stream;
    const {above, below} = rowsAroundCursor(before, reflows ? columns : undefined);
    if (columns === before.columns && rows === before.rows) scrollback.doubt();
    else
      scrollback.resized({
        columns,
        rows,
        below,
        above: {before: rowsAroundCursor(before, undefined).above, after: above},
      });
    output.open();
    output.replace(eraseFrame(above));
    output.settle();
  }

  return {
    resized: () => begin(QUIET),
    repaint: () => begin(0),
    isBusy: () => frame !== undefined,
    finish,
  };
}
