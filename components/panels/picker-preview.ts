import {matchedWords} from '../../src/app/completion/fuzzy-find.ts';
import {hasFilter} from '../../src/app/pickers/picker.ts';
import type {Picker, PickerItem} from '../../src/app/state.ts';
import {sanitize} from '../../src/text/sanitize.ts';
import {startOfText} from '../../src/text/truncate.ts';
import {widest, width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {ruleRow} from '../layout/rule.tsx';
import type {Theme} from '../theme/theme.tsx';
import {paintMarked} from '../theme/paint.ts';
import {
  detailsOf,
  GAP,
  MARK,
  MAX_LABELS,
  MEASURED,
  MIN_COLUMNS_WITH_DETAILS,
  namedItem,
  type PickerView,
  nameOf,
  withGroups,
} from './picker-items.ts';
import {maxOf} from '../../src/text/lists.ts';

/** Up to this many items, all long previews are measured for each frame. */
const FEW = 20;

/** Returns the preview of the selected item, or else what is cut off in its row; `free` rows are left for items and preview. */
export function rowsOfPreview(view: PickerView, free: number, theme: Theme): string[] {
  const {picker, items} = view;
  const {filter, selected, preview, purpose} = picker;
  const most = mostPreviewed(view, free);
  const item = items[selected];
  if (preview) {
    const text = preview.id === item?.id ? preview.text : '';
    return rowsAround(text, {filter, rows: most, isTail: true, hasRule: true}, theme);
  }
  const labels = alignedColumns(picker, theme.columns);
  const textOf = (one: PickerItem, index: number) =>
    one.preview || cutText(one, MARK + width(namedItem(picker, one, index)), labels, theme);
  const text = item ? textOf(item, selected) : '';
  const hasRule = picker.items[0]?.preview !== undefined;
  // Previews of settings are short, like what is cut off.
  const isMeasured = picker.items.length <= FEW || purpose.kind === 'settings' || !hasRule;
  const all = isMeasured ? [text, ...picker.items.slice(0, MEASURED).map(textOf)] : [];
  const tallest = isMeasured ? maxOf(all.map((one) => heightOf(one, theme.columns))) : most;
  return rowsAround(text, {filter, rows: Math.min(most, tallest), isTail: false, hasRule}, theme);
}

/** Returns the name and the details of an item if its row has no room for them; `cells` is the width of the row up to the end of the name. */
function cutText(item: PickerItem, cells: number, labels: number, {columns, isLinear}: Theme): string {
  if (isLinear || item.columns !== undefined) return '';
  const details = detailsOf(item);
  const isCut = details !== '' && Math.max(cells + 1, MARK + labels) + width(details) > columns;
  const isHidden = details !== '' && columns < MIN_COLUMNS_WITH_DETAILS;
  return [...(cells > columns ? [nameOf(item)] : []), ...(isCut || isHidden ? [details] : [])].join('\n');
}

/** Returns the columns that names are aligned in, with the gap behind them. */
function alignedColumns(picker: Picker, columns: number): number {
  const names = picker.items.slice(0, MEASURED).map((item, index) => namedItem(picker, item, index));
  return Math.min(Math.floor(columns * MAX_LABELS), widest(names) + GAP);
}

/** Minimum rows for a list with a preview. */
const MIN_ROWS = 9;
/** The preview gets one of this many rows. */
const SHARE = 2.5;

/** Minimum rows of a preview below items that come first. */
const MIN_PREVIEW = 3;

/** Returns the maximum rows of a preview. In a list without a filter, a decision, all items come first. */
function mostPreviewed({picker, rows}: PickerView, free: number): number {
  if (rows < MIN_ROWS || picker.items.length === 0) return 0;
  const share = Math.floor(rows / SHARE) - 1;
  if (hasFilter(picker)) return share;
  return Math.min(share, Math.max(MIN_PREVIEW, free - withGroups(picker.items).length - 1));
}

interface PreviewView {
  readonly filter: string;
  /** Without the rule. */
  readonly rows: number;
  /** True if the end is shown where the filter does not match. */
  readonly isTail: boolean;
  /** True for a rule above it. */
  readonly hasRule: boolean;
}

/** Returns the rows of a preview around its match, always as many, so that the list does not jump. */
function rowsAround(text: string, {filter, rows, isTail, hasRule}: PreviewView, theme: Theme): string[] {
  const {paint, columns} = theme;
  if (rows === 0) return [];
  const source = sanitize(text).split('\n');
  const found = source.findIndex((line) => matchedWords(line, filter).length > 0);
  const isEnd = isTail && found === -1;
  const start = isEnd ? Math.max(0, source.length - rows) : found < rows - 1 ? 0 : found - 1;
  const near = source.slice(start, start + rows);
  const lines = near.flatMap((line) => {
    const head = startOfText(line, rows * columns);
    return wrap(paintMarked(head, matchedWords(head, filter), paint.found), columns);
  });
  const isCut = start > 0 || lines.length > rows || source.length > near.length;
  const words = isCut && source.length > 1 ? `… ${source.length} lines` : '';
  const blank = Array.from({length: Math.max(0, rows - lines.length)}, () => ' ');
  const shown = isEnd ? lines.slice(-rows) : lines.slice(0, rows);
  return [...(hasRule ? [ruleRow(words, paint.dim, theme)] : []), ...shown, ...blank];
}

function heightOf(text: string, columns: number): number {
  return text === '' ? 0 : wrap(sanitize(text), columns).length;
}
