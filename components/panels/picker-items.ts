import {isNumbered} from '../../src/app/pickers/picker.ts';
import type {Picker, PickerItem} from '../../src/app/state.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {widest} from '../../src/text/width.ts';
import type {Style} from '../../src/text/markdown/style.ts';

/** A list, and the rows that it may take. */
export interface PickerView {
  readonly picker: Picker;
  /** The filtered items. */
  readonly items: readonly PickerItem[];
  /** Maximum rows. */
  readonly rows: number;
  /** What the key does that closes it, if more than that. */
  readonly closes?: string | undefined;
}

/** The share of the columns that labels are aligned in, or more if all descriptions have room; longer ones move their descriptions. */
export const MAX_LABELS = 0.4;
/** Columns of the mark before a label, and between two columns. */
export const MARK = 2;
export const GAP = 2;
/** Number of items that determine the width of columns. */
export const MEASURED = 200;

/** Narrower than this, only names are shown. */
export const MIN_COLUMNS_WITH_DETAILS = 40;

/** A row of a list: an item, or the name of a group above its first. */
export type ItemRow = {readonly item: PickerItem; readonly index: number};
export type ListRow = {readonly group: string} | ItemRow;

/** Returns the items, with each group's name above its first. */
export function withGroups(items: readonly PickerItem[]): ListRow[] {
  const rows: ListRow[] = [];
  for (const [index, item] of items.entries()) {
    if (item.group !== undefined && item.group !== items[index - 1]?.group) rows.push({group: item.group});
    rows.push({item, index});
  }
  return rows;
}

/** Returns an item's name, with its number if it has one. */
export function namedItem(picker: Picker, item: PickerItem, index: number): string {
  return isNumbered(picker) ? `${index + 1}. ${nameOf(item)}` : nameOf(item);
}

/** Returns an item's name. */
export function nameOf({label, current}: PickerItem): string {
  return sanitizeLine(label) + (current ? ' (now)' : '');
}

/** Leaves a text as it is. */
export const plain: Style = (text) => text;

/** Returns an item's value and description. */
export function detailsOf({value, description, disabled}: PickerItem, dim = plain): string {
  const about = sanitizeLine([disabled, description].filter(Boolean).join(' '));
  if (value === undefined) return about === '' ? '' : dim(about);
  return `${sanitizeLine(value)}${dim(about === '' ? '' : ` · ${about}`)}`;
}

/** Returns how wide the columns of facts are, of those that fit in half of the row. */
export function factWidths(items: readonly PickerItem[], columns: number): readonly number[] {
  const measured = items.slice(0, MEASURED).map((item) => item.columns ?? []);
  const widths: number[] = [];
  let room = Math.floor(columns / 2);
  for (let at = 0; measured.some((facts) => at < facts.length); at++) {
    const cells = widest(measured.map((facts) => facts[at] ?? ''));
    if (cells + GAP > room) break;
    room -= cells === 0 ? 0 : cells + GAP;
    widths.push(cells);
  }
  return widths;
}
