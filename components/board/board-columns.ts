import type {BoardRow} from '../../src/app/board/board-rows.ts';
import {folderName} from '../../src/app/status/status-line.ts';
import type {ListedState} from '../../src/session/labels/session-states.ts';
import {age} from '../../src/text/format.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {padded, widest} from '../../src/text/width.ts';
import type {Paint} from '../theme/paint.ts';
import type {Theme} from '../theme/theme.tsx';

const GAP = 2;
/** Columns of the mark of the selected row, and of the state. */
const MARKS = 4;
/** Minimum columns of what a session asks or does, beside facts that matter less. */
const MIN_LINE = 24;

interface Column {
  readonly text: (row: BoardRow, now: number) => string;
  /** Maximum columns. */
  readonly most: number;
  /** Undefined if it is dim. */
  readonly style?: (row: BoardRow, paint: Paint) => Style;
}

const plain: Style = (text) => text;

const TITLE: Column = {
  text: ({title}) => title,
  most: 28,
  style: ({state}, {dim}) => (state === 'idle' || state === 'ended' ? dim : plain),
};
const AGENT: Column = {
  text: ({agent}) => agent,
  most: 14,
  style: (row, paint) => (text) => paint.agent(row.agent, text),
};
const FOLDER: Column = {text: ({cwd}) => folderName(cwd), most: 16};
const BRANCH: Column = {text: ({branch}) => branch, most: 16};
const SINCE: Column = {text: ({since}, now) => age(now - since), most: 9};
const LINE: Column = {
  text: ({line}) => line,
  most: Infinity,
  style: ({state}, {dim}) => (state === 'waiting' ? plain : dim),
};
const CHANGES: Column = {text: ({changes}) => changes, most: 20};
const COST: Column = {text: ({cost}) => cost, most: 9};

const DISPLAYED = [TITLE, AGENT, FOLDER, BRANCH, SINCE, LINE, CHANGES, COST];

/** Those after the title, the most important first: what does not fit is left out from the end. */
const BY_IMPORTANCE = [SINCE, LINE, AGENT, FOLDER, BRANCH, COST, CHANGES];

/** How wide each column is that is shown. */
type BoardWidths = ReadonlyMap<Column, number>;

/** Returns the columns that fit, as wide as their texts are. */
export function boardWidths(rows: readonly BoardRow[], now: number, columns: number): BoardWidths {
  const needed = ({text, most}: Column) =>
    Math.min(most, widest(rows.map((row) => sanitizeLine(text(row, now)))));
  let left = columns - MARKS;
  const title = Math.min(needed(TITLE), Math.max(8, Math.floor(left / 2)));
  const widths = new Map([[TITLE, title]]);
  left -= title;
  for (const column of BY_IMPORTANCE) {
    const cells = Math.min(column === LINE ? MIN_LINE : Infinity, needed(column));
    if (cells === 0) continue;
    if (cells + GAP > left) break;
    widths.set(column, cells);
    left -= cells + GAP;
  }
  const line = widths.get(LINE);
  return line === undefined ? widths : widths.set(LINE, line + left);
}

interface CellsView {
  readonly widths: BoardWidths;
  readonly now: number;
  /** True for the selected row: styles in it would end its own. */
  readonly isPlain: boolean;
}

/** Returns a row, without its marks. */
export function boardCells(row: BoardRow, {widths, now, isPlain}: CellsView, {paint}: Theme): string {
  const cells = DISPLAYED.flatMap((column) => {
    const room = widths.get(column);
    if (room === undefined) return [];
    const cell = padded(truncate(sanitizeLine(column.text(row, now)), room), room);
    const style = column.style?.(row, paint) ?? paint.dim;
    return [isPlain ? cell : style(cell)];
  });
  return cells.join(' '.repeat(GAP)).trimEnd();
}

/** Returns the sign of a state in its color. */
export function stateSign(state: ListedState, {paint, symbols}: Theme, isPlain: boolean): string {
  const {warning, accent, success, dim, error} = paint;
  const signs: Readonly<Record<ListedState, readonly [sign: string, style: Style]>> = {
    waiting: [symbols.warning, warning],
    working: [symbols.running, accent],
    done: [symbols.ended, success],
    idle: [symbols.notice, dim],
    failed: [symbols.failed, error],
    ended: [symbols.cancelled, dim],
    interrupted: [symbols.cancelled, dim],
    stored: [symbols.notice, dim],
  };
  const [sign, style] = signs[state];
  return isPlain ? sign : style(sign);
}
