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

/** How long no resize must have come before the screen is drawn again, in milliseconds. */
const QUIET = 100;
/** Longer than Ink holds a frame back, in milliseconds. */
const FRAME = 10;

export interface Painter {
  /** The terminal has another size, and perhaps not for the last time. */
  readonly resized: () => void;
  /** Redraws the frame. */
  readonly repaint: () => void;
  /** True while nothing that is written would stay on the screen. */
  readonly isBusy: () => boolean;
  /** Finishes at once what was begun. */
  readonly finish: () => void;
}

interface PainterOptions {
  readonly output: GatedOutput;
  /** True if the terminal rewraps lines when it is resized. */
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

/** The frame as it stood before the terminal was resized. */
interface Frame {
  /** The width of each of its lines. */
  readonly widths: readonly number[];
  readonly cursor: Cursor;
}

/** The rows of a frame above its cursor's, and from that on, after the terminal has wrapped the frame for `columns`. */
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

/** The width of each line of a linear frame, without the lines already printed. */
export function lineWidths(node: DOMElement): readonly number[] {
  if (node.internal_static) return [];
  if (node.nodeName === 'ink-text') return textOf(node).split('\n').map(width);
  return node.childNodes.flatMap((child) => (child.nodeName === '#text' ? [] : lineWidths(child)));
}

function textOf(node: DOMNode): string {
  return node.nodeName === '#text' ? node.nodeValue : node.childNodes.map(textOf).join('');
}
