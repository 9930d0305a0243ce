import {matchedWords} from '../../src/app/completion/fuzzy-find.ts';
import {hasFilter} from '../../src/app/pickers/picker.ts';
import type {Picker, PickerItem} from '../../src/app/state.ts';
import {sanitize} from '../../src/text/sanitize.ts';
import {startOfText} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
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
  nameOf,
  withGroups,
} from './picker-items.ts';
import {maxOf} from '../../src/text/lists.ts';

/** A list, and the rows that it may take. */
interface PreviewedList {
  readonly picker: Picker;
  /** The filtered items. */
  readonly items: readonly PickerItem[];
  /** Maximum rows of the list. */
  readonly rows: number;
}

/** Returns the preview of the selected item, or else what is cut off in its row; `free` rows are left for items and preview. */
export function rowsOfPreview(view: PreviewedList, free: number, theme: Theme): string[] {
  return rowsAround({...previewOf(view, theme), most: mostPreviewed(view, free)}, theme);
}

/** Up to this many items, all long previews are measured for each frame. */
const FEW = 20;

/** Returns the selected item's preview, or else what is cut off in its row. */
function previewOf(view: PreviewedList, theme: Theme): Omit<Previewed, 'most'> {
  const {picker, items} = view;
  const item = items[picker.selected];
  if (picker.preview)
    return {
      text: item && picker.preview.id === item.id ? picker.preview.text : '',
      all: undefined,
      part: 'end',
      filter: picker.filter,
      hasRule: true,
    };
  const labels = alignedColumns(picker, picker.items, theme.columns);
  const textOf = (one: PickerItem, index: number) =>
    one.preview || cutText(one, {cells: MARK + width(namedItem(picker, one, index)), labels}, theme);
  const text = item ? textOf(item, picker.selected) : '';
  const hasRule = picker.items[0]?.preview !== undefined;
  // Previews of settings are short, like what is cut off.
  const isMeasured = picker.items.length <= FEW || picker.purpose.kind === 'settings' || !hasRule;
  const all = isMeasured ? [text, ...picker.items.slice(0, MEASURED).map(textOf)] : undefined;
  return {text, all, part: 'beginning', filter: picker.filter, hasRule};
}

/** Returns the name and the details of an item if its row has no room for them; `cells` is the width of the row up to the end of the name. */
function cutText(
  item: PickerItem,
  {cells, labels}: {readonly cells: number; readonly labels: number},
  {columns, isLinear}: Theme,
): string {
  if (isLinear || item.columns !== undefined) return '';
  const details = detailsOf(item, (text) => text);
  const isCut = details !== '' && Math.max(cells + 1, MARK + labels) + width(details) > columns;
  const isHidden = details !== '' && columns < MIN_COLUMNS_WITH_DETAILS;
  return [...(cells > columns ? [nameOf(item)] : []), ...(isCut || isHidden ? [details] : [])].join('\n');
}

/** Returns the columns that names are aligned in, with the gap behind them. */
function alignedColumns(picker: Picker, items: readonly PickerItem[], columns: number): number {
  const names = items.slice(0, MEASURED).map((item, index) => width(namedItem(picker, item, index)));
  return Math.min(Math.floor(columns * MAX_LABELS), maxOf(names, 0) + GAP);
}

/** Minimum rows for a list with a preview. */
const MIN_ROWS = 9;
/** The preview gets one of this many rows. */
const SHARE = 2.5;

/** Minimum rows of a preview below items that come first. */
const MIN_PREVIEW = 3;

/** Returns the maximum rows of a preview. In a list without a filter, a decision, all items come first. */
function mostPreviewed({picker, rows}: PreviewedList, free: number): number {
  if (rows < MIN_ROWS || picker.items.length === 0) return 0;
  const share = Math.floor(rows / SHARE) - 1;
  if (hasFilter(picker)) return share;
  return Math.min(share, Math.max(MIN_PREVIEW, free - withGroups(picker.items).length - 1));
}

interface Previewed {
  /** The selected item's preview; may be empty. */
  readonly text: string;
  readonly filter: string;
  /** Maximum rows, without the rule. */
  readonly most: number;
  /** All previews, to limit the height to the tallest one; undefined if there are too many. */
  readonly all: readonly string[] | undefined;
  /** The part to show if the filter does not match. */
  readonly part: 'beginning' | 'end';
  /** True for a rule above it. */
  readonly hasRule: boolean;
}

/** Returns the rows of the preview around its match, with a constant height, so that the list does not jump. */
function rowsAround({text, filter, most, all, part, hasRule}: Previewed, theme: Theme): string[] {
  const {paint, columns} = theme;
  const height = all ? Math.min(most, maxOf(all.map((one) => heightOf(one, columns)))) : most;
  if (height === 0) return [];
  const source = sanitize(text).split('\n');
  const found = source.findIndex((line) => matchedWords(line, filter).length > 0);
  const start =
    found === -1 && part === 'end' ? Math.max(0, source.length - height) : found < height - 1 ? 0 : found - 1;
  const near = source.slice(start, start + height);
  const lines = near.flatMap((line) => {
    const head = startOfText(line, height * columns);
    return wrap(paintMarked(head, matchedWords(head, filter), paint.found), columns);
  });
  const isCut = start > 0 || lines.length > height || source.length > near.length;
  const words = isCut && source.length > 1 ? `… ${source.length} lines` : '';
  const blank = Array.from({length: Math.max(0, height - lines.length)}, () => ' ');
  const shown = part === 'end' && found === -1 ? lines.slice(-height) : lines.slice(0, height);
  return [...(hasRule ? [ruleRow(words, paint.dim, theme)] : []), ...shown, ...blank];
}

function heightOf(text: string, columns: number): number {
  return text === '' ? 0 : wrap(sanitize(text), columns).length;
}
