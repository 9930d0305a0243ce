import type {DOMElement} from 'ink';
import {width} from '../../src/text/width.ts';
import type {GatedOutput} from './output.ts';
import {type Scrollback} from './scrollback.ts';
import type {Cursor} from './frames.ts';
import {eraseFrame} from './frames.ts';

interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** How long the size must be stable before redrawing, in milliseconds. */
const QUIET = 100;
/** Longer than Ink delays a frame, in milliseconds. */
const FRAME = 10;

export interface Painter {
  /** The terminal was resized, and may be again. */
  readonly resized: () => void;
  /** Redraws the frame. */
  readonly repaint: () => void;
  /** True while output would not stay on the screen. */
  readonly isBusy: () => boolean;
  /** Finishes pending work at once. */
  readonly finish: () => void;
}

interface PainterOptions {
  readonly output: GatedOutput;
  /** True if the terminal rewraps lines when it is resized. */
  readonly reflows: boolean;
  /** The width of each line of the current frame. */
  readonly lineWidths: () => readonly number[];
  readonly scrollback: Scrollback;
}

/**
 * Repositions the frame after a resize: terminals rewrap it, and Ink would erase as many lines as it drew. While the size changes nothing is drawn; then
 * everything from the frame's first line on is erased, and the frame is drawn once.
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

  /** Lays out everything for the new size, without output. */
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

/** The frame before the terminal was resized. */
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

type DOMNode = DOMElement['childNodes'][number];

/** Returns the width of each line of the frame, without the lines already printed. */
export function lineWidths(node: DOMElement): readonly number[] {
  if (node.internal_static) return [];
  if (node.nodeName === 'ink-text') return textOf(node).split('\n').map(width);
  return node.childNodes.flatMap((child) => (child.nodeName === '#text' ? [] : lineWidths(child)));
}

function textOf(node: DOMNode): string {
  return node.nodeName === '#text' ? node.nodeValue : node.childNodes.map(textOf).join('');
}
