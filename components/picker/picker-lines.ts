import {marksIn} from '../../src/app/find.ts';
import {hasFilter, isNumbered, openedByItself} from '../../src/app/picker.ts';
import type {Picker, PickerItem} from '../../src/app/state.ts';
import {sanitize, sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {paintMarked} from '../draw/marked.ts';
import {drawRule} from '../draw/rule.ts';
import {windowAround} from '../draw/window.ts';
import {drawPreview} from './preview-lines.ts';

export interface PickerView {
  readonly picker: Picker;
  /** Those that the filter leaves. */
  readonly items: readonly PickerItem[];
  /** Rows that it may take. */
  readonly rows: number;
  /** A key that does something in this list alone, in words. */
  readonly keys?: string | undefined;
}

/** Fewer rows have no room for what can be done here. */
const LEAST_ROWS_WITH_HINT = 5;
/** The name of a group stands above its items only where that leaves some of them. */
const LEAST_ROWS_WITH_GROUP = 3;
/** Narrower than this, only names are shown. */
const LEAST_COLUMNS_WITH_DETAILS = 40;

/** A list to choose from, its filter, the choices around the selected one, and what that one is. */
export function drawPicker(view: PickerView, draw: Draw): string[] {
  const {picker, items, rows} = view;
  const {paint, columns} = draw;
  const title = drawRule(sanitizeLine(picker.title), paint.accent, draw);
  const note = picker.note === undefined ? [] : noteLines(picker.note, rows, columns);
  const filter =
    picker.filter === '' ? [] : [truncate(`Filter: ${picker.filter}`, columns, {position: 'start'})];
  const hint = rows >= LEAST_ROWS_WITH_HINT ? [paint.dim(truncate(hintOf(view, draw), columns))] : [];
  const text = previewOf(view);
  const preview = hasPreview(picker)
    ? drawPreview({text, filter: picker.filter, rows, all: previewsOf(picker), part: partOf(picker)}, draw)
    : [];
  const room = Math.max(1, rows - 1 - note.length - filter.length - hint.length - preview.length);
  const none = picker.items.length === 0 ? 'Nothing here yet' : 'Nothing matches';
  const list = items.length === 0 ? [paint.dim(none)] : drawItems(view, room, draw);
  return [title, ...note, ...filter, ...list, ...preview, ...hint];
}

/** The note in a third of the rows; what is left out is marked. */
function noteLines(note: string, rows: number, columns: number): string[] {
  const lines = wrap(sanitize(note), columns);
  const most = Math.floor(rows / 3);
  if (lines.length <= most || most === 0) return lines.slice(0, most);
  return [...lines.slice(0, most - 1), truncate(lines.slice(most - 1).join(' '), columns)];
}

function previewOf({picker: {selected, preview}, items}: PickerView): string {
  const item = items[selected];
  return item?.preview ?? (item && preview?.id === item.id ? preview.text : '');
}

/** Of so few items every one can be looked at for each frame. */
const FEW = 20;

function previewsOf({items, preview}: Picker): readonly string[] | undefined {
  return preview || items.length > FEW ? undefined : items.map((item) => item.preview ?? '');
}

function partOf({preview}: Picker): 'beginning' | 'end' {
  return preview ? 'end' : 'beginning';
}

function hasPreview({items, preview}: Picker): boolean {
  return preview !== undefined || items[0]?.preview !== undefined;
}

function hintOf({picker, items, keys}: PickerView, {keyOf}: Draw): string {
  const count = picker.filter === '' ? [] : [`${items.length} of ${picker.items.length}`];
  const typing = hasFilter(picker) && picker.filter === '' ? ['Type to filter'] : [];
  const takes =
    picker.purpose.kind === 'mcp'
      ? `${keyOf('switch_server')} switches`
      : takingWords(picker, keyOf('confirm'));
  const closes = `${keyOf('cancel_or_back')} closes`;
  return [...count, ...typing, takes, keys, closes].filter(Boolean).join(', ');
}

function takingWords(picker: Picker, confirm: string): string {
  if (!isNumbered(picker)) return `${confirm} takes`;
  return openedByItself(picker) ? `a number marks, ${confirm} takes` : `${confirm} or a number takes`;
}

type ItemRow = {readonly item: PickerItem; readonly index: number};
type Row = {readonly group: string} | ItemRow;

function drawItems({picker, items}: PickerView, room: number, draw: Draw): string[] {
  const {paint, columns} = draw;
  const rows: readonly Row[] =
    room < LEAST_ROWS_WITH_GROUP ? items.map((item, index) => ({item, index})) : withGroups(items);
  const at = rows.findIndex((row) => 'index' in row && row.index === picker.selected);
  const {from, to} = windowAround(at, rows.length, room);
  const shown = rows.slice(from, to);
  const [first] = shown;
  const isCutOff = first !== undefined && 'item' in first && first.index !== picker.selected;
  if (room >= LEAST_ROWS_WITH_GROUP && isCutOff && first.item.group !== undefined)
    shown[0] = {group: first.item.group};
  const named = ({item, index}: ItemRow) =>
    isNumbered(picker) ? `${index + 1}. ${nameOf(item)}` : nameOf(item);
  const labels = shown.map((row) => ('item' in row ? width(named(row)) : 0));
  const look = {...draw, labels: Math.min(Math.floor(columns / 2), Math.max(...labels) + 2)};
  return shown.map((row) => {
    if ('group' in row) return paint.dim(truncate(sanitizeLine(row.group), columns));
    const isSelected = row.index === picker.selected;
    return drawItem(row.item, {name: named(row), filter: picker.filter, isSelected}, look);
  });
}

/** The items, with the name of each group above its first. */
function withGroups(items: readonly PickerItem[]): Row[] {
  const rows: Row[] = [];
  for (const [index, item] of items.entries()) {
    if (item.group !== undefined && item.group !== items[index - 1]?.group) rows.push({group: item.group});
    rows.push({item, index});
  }
  return rows;
}

interface ItemPlace {
  readonly name: string;
  readonly filter: string;
  readonly isSelected: boolean;
}

function drawItem(
  item: PickerItem,
  {name: whole, filter, isSelected}: ItemPlace,
  {paint, signs, columns, labels}: Draw & {readonly labels: number},
): string {
  const name = truncate(whole, columns);
  const label = sanitizeLine(item.label);
  const found = filter === '' ? (item.marks ?? []) : marksIn(label, filter);
  const marks = found.filter((offset) => offset < name.length);
  const details = columns < LEAST_COLUMNS_WITH_DETAILS ? '' : detailsOf(item);
  const padding = details === '' ? '' : ' '.repeat(Math.max(1, labels - width(name)));
  const marked = paintMarked(name, marks, paint.found);
  const line = truncate(`${isSelected ? signs.selected : ' '} ${marked}${padding}${details}`, columns);
  if (isSelected) return paint.selected(line);
  return item.disabled === undefined ? line : paint.dim(line);
}

function nameOf({label, current}: PickerItem): string {
  return sanitizeLine(label) + (current ? ' (now)' : '');
}

function detailsOf({description, disabled}: PickerItem): string {
  return sanitizeLine([disabled, description].filter(Boolean).join(' '));
}
