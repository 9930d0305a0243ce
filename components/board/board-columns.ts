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
}

const COLUMNS = {
  title: {text: ({title}) => title, most: 28},
  agent: {text: ({agent}) => agent, most: 14},
  folder: {text: ({cwd}) => folderName(cwd), most: 16},
  branch: {text: ({branch}) => branch, most: 16},
  since: {text: ({since}, now) => age(now - since), most: 9},
  line: {text: ({line}) => line, most: Infinity},
  changes: {text: ({changes}) => changes, most: 20},
  cost: {text: ({cost}) => cost, most: 9},
} as const satisfies Readonly<Record<string, Column>>;

type ColumnName = keyof typeof COLUMNS;

const DISPLAYED = Object.keys(COLUMNS) as readonly ColumnName[];

/** Those after the title, the most important first: what does not fit is left out from the end. */
const BY_IMPORTANCE: readonly ColumnName[] = [
  'since',
  'line',
  'agent',
  'folder',
  'branch',
  'cost',
  'changes',
];

/** How wide each column is that is shown. */
type BoardWidths = Readonly<Partial<Record<ColumnName, number>>>;

/** Returns the columns that fit, as wide as their texts are. */
export function boardWidths(rows: readonly BoardRow[], now: number, columns: number): BoardWidths {
  const needed = (name: ColumnName) => {
    const {text, most}: Column = COLUMNS[name];
    return Math.min(most, widest(rows.map((row) => sanitizeLine(text(row, now)))));
  };
  let left = columns - MARKS;
  const title = Math.min(needed('title'), Math.max(8, Math.floor(left / 2)));
  const widths: Partial<Record<ColumnName, number>> = {title};
  left -= title;
  for (const name of BY_IMPORTANCE) {
    const cells = name === 'line' ? Math.min(MIN_LINE, needed(name)) : needed(name);
    if (cells === 0) continue;
    if (cells + GAP > left) break;
    widths[name] = cells;
    left -= cells + GAP;
  }
  return widths.line === undefined ? widths : {...widths, line: widths.line + left};
}

interface CellsView {
  readonly widths: BoardWidths;
  readonly now: number;
  /** True for the selected row: styles in it would end its own. */
  readonly isPlain: boolean;
}

/** Returns a row, without its marks. */
export function boardCells(row: BoardRow, {widths, now, isPlain}: CellsView, {paint}: Theme): string {
  const cells = DISPLAYED.flatMap((name) => {
    const room = widths[name];
    if (room === undefined) return [];
    const {text}: Column = COLUMNS[name];
    const cell = padded(truncate(sanitizeLine(text(row, now)), room), room);
    return [isPlain ? cell : styleOf(name, row, paint)(cell)];
  });
  return cells.join(' '.repeat(GAP)).trimEnd();
}

const plain: Style = (text) => text;

function styleOf(name: ColumnName, {agent, state}: BoardRow, paint: Paint): Style {
  if (name === 'title') return state === 'idle' || state === 'ended' ? paint.dim : plain;
  if (name === 'agent') return (text) => paint.agent(agent, text);
  return name === 'line' && state === 'waiting' ? plain : paint.dim;
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
