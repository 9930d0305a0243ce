import {windowAround} from '../../src/app/pages/scroll.ts';
import {matchOffsets, matchedWords} from '../../src/app/completion/fuzzy-find.ts';
import {hasFilter, isNumbered, isTyped, openedByItself, takesKeys} from '../../src/app/pickers/picker.ts';
import type {Picker, PickerItem} from '../../src/app/state.ts';
import {sanitize, sanitizeLine} from '../../src/text/sanitize.ts';
import {joinFitting, startOfText, truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {type ChoiceLines, type Draw, drawHeading, drawRule, drawSelected, movedCells} from '../draw/draw.ts';
import {paintMarked} from '../draw/paint.ts';
import type {CaretPlace} from '../prompt/use-caret.ts';
import {KEYS_IGNORED} from './question.ts';

interface PickerView {
  readonly picker: Picker;
  /** The filtered items. */
  readonly items: readonly PickerItem[];
  /** Maximum rows. */
  readonly rows: number;
  /** The hint for keys of this list only. */
  readonly keys?: string | undefined;
  /** What the key does that closes it, if more than that. */
  readonly closes?: string | undefined;
}

/** Minimum rows for a hint. */
const MIN_ROWS_WITH_HINT = 5;
/** Group names are drawn only if there are rows left for items. */
const MIN_ROWS_WITH_GROUP = 3;
/** Narrower than this, only names are shown. */
const MIN_COLUMNS_WITH_DETAILS = 40;

/** Draws a list, its filter, the items around the selected one, and the preview. */
export function drawPicker(view: PickerView, draw: Draw): ChoiceLines & {readonly caret?: CaretPlace} {
  const {picker, items, rows} = view;
  const {paint, columns} = draw;
  const heading = {words: sanitizeLine(picker.title), aside: countOf(view)};
  const title = drawHeading(heading, paint.accent, draw);
  const note = picker.note === undefined ? [] : noteLines(picker.note, rows, columns);
  const field = isTyped(picker) ? 'Value' : 'Filter';
  const filter =
    picker.filter === '' && !isTyped(picker)
      ? []
      : [truncate(`${field}: ${sanitizeLine(picker.filter)}`, columns - 1, {position: 'start'})];
  const hint = rows >= MIN_ROWS_WITH_HINT ? [drawRule(hintOf(view, draw), paint.dim, draw)] : [];
  const free = rows - 1 - note.length - filter.length - hint.length;
  const preview = drawPreview({...previewOf(view, draw), most: mostPreviewed(view, free)}, draw);
  const room = Math.max(1, free - preview.length);
  const none = picker.items.length === 0 ? 'No items yet' : 'No matches';
  const list = items.length === 0 ? {lines: [paint.dim(none)], choices: []} : drawItems(view, room, draw);
  const above = [title, ...note, ...filter];
  const choices = movedCells(list.choices, above.length);
  const lines = [...above, ...list.lines, ...preview, ...hint];
  if (!hasFilter(picker)) return {lines, choices};
  const [typed] = filter;
  if (typed !== undefined) return {lines, choices, caret: {row: 1 + note.length, column: width(typed)}};
  // The cursor is placed where typing goes, for input methods.
  return hint.length === 0 ? {lines, choices} : {lines, choices, caret: {row: lines.length - 1, column: 2}};
}

/** Draws the note in a third of the rows, and marks what is omitted. */
function noteLines(note: string, rows: number, columns: number): string[] {
  const lines = wrap(sanitize(note), columns);
  const most = Math.floor(rows / 3);
  if (lines.length <= most || most === 0) return lines.slice(0, most);
  return [...lines.slice(0, most - 1), truncate(lines.slice(most - 1).join(' '), columns)];
}

/** Up to this many items, all long previews are measured for each frame. */
const FEW = 20;

/** Returns the selected item's preview, or else what is cut off in its row. */
function previewOf(view: PickerView, draw: Draw): Omit<Previewed, 'most'> {
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
  const labels = alignedColumns(picker, picker.items, draw.columns);
  const textOf = (one: PickerItem, index: number) =>
    one.preview || cutText(one, {cells: MARK + width(namedItem(picker, one, index)), labels}, draw);
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
  {columns, isLinear}: Draw,
): string {
  if (isLinear || item.columns !== undefined) return '';
  const details = drawDetails(item, (text) => text);
  const isCut = details !== '' && Math.max(cells + 1, MARK + labels) + width(details) > columns;
  const isHidden = details !== '' && columns < MIN_COLUMNS_WITH_DETAILS;
  return [...(cells > columns ? [nameOf(item)] : []), ...(isCut || isHidden ? [details] : [])].join('\n');
}

/** Returns the columns that names are aligned in, with the gap behind them. */
function alignedColumns(picker: Picker, items: readonly PickerItem[], columns: number): number {
  const names = items.slice(0, MEASURED).map((item, index) => width(namedItem(picker, item, index)));
  return Math.min(Math.floor(columns * MAX_LABELS), Math.max(0, ...names) + GAP);
}

/** Columns of a rule before and after its text. */
const RULE_ENDS = 4;

/** Returns the number of items, and of filtered ones. */
function countOf({picker, items}: PickerView): string {
  const all = picker.items.length;
  if (picker.filter === '' || isTyped(picker)) return hasFilter(picker) && all > 0 ? String(all) : '';
  return `${items.length} of ${all}`;
}

function hintOf({picker, keys = '', closes}: PickerView, {keyOf, columns}: Draw): string {
  if (!takesKeys(picker)) return KEYS_IGNORED;
  const typing = hasFilter(picker) && !isTyped(picker) && picker.filter === '' ? ['Type to filter'] : [];
  const takes =
    picker.purpose.kind === 'mcp'
      ? `${keyOf('switch_server')} toggle`
      : choosingHint(picker, keyOf('confirm'));
  const closing = closes ?? picker.closing ?? 'close';
  const parts = [...typing, takes, `${keyOf('cancel_or_back')} ${closing}`, ...keys.split(' · ')];
  return joinFitting(parts, columns - RULE_ENDS);
}

function choosingHint(picker: Picker, confirm: string): string {
  if (!isNumbered(picker)) return `${confirm} select`;
  return openedByItself(picker) ? `number highlight · ${confirm} select` : `${confirm} or number select`;
}

type ItemRow = {readonly item: PickerItem; readonly index: number};
type Row = {readonly group: string} | ItemRow;

function drawItems({picker, items}: PickerView, room: number, draw: Draw): ChoiceLines {
  const {paint, columns} = draw;
  const rows: readonly Row[] =
    room < MIN_ROWS_WITH_GROUP ? items.map((item, index) => ({item, index})) : withGroups(items);
  const at = rows.findIndex((row) => 'index' in row && row.index === picker.selected);
  const {from, to} = windowAround(at, rows.length, room);
  const shown = rows.slice(from, to);
  const [first] = shown;
  const isCutOff = first !== undefined && 'item' in first && first.index !== picker.selected;
  if (room >= MIN_ROWS_WITH_GROUP && isCutOff && first.item.group !== undefined)
    shown[0] = {group: first.item.group};
  // A group's name says nothing without an item below it.
  if (shown.length > 1 && 'group' in (shown.at(-1) ?? {})) shown[shown.length - 1] = {group: ''};
  const named = ({item, index}: ItemRow) => namedItem(picker, item, index);
  const labels = Math.max(...shown.map((row) => ('item' in row ? width(named(row)) : 0))) + GAP;
  const hasFacts = !draw.isLinear && columns >= MIN_COLUMNS_WITH_DETAILS;
  const facts = hasFacts ? factWidths(items, columns) : [];
  const besideFacts = columns - MARK - facts.reduce((sum, cells) => sum + cells + GAP, 0) + GAP;
  const details = shown.map((row) => ('item' in row ? width(drawDetails(row.item, (text) => text)) : 0));
  const besideDetails = columns - MARK - Math.max(...details);
  const most = facts.length > 0 ? besideFacts : Math.max(Math.floor(columns * MAX_LABELS), besideDetails);
  const look = {...draw, labels: Math.min(most, labels), facts};
  const lines = shown.map((row) => {
    if ('group' in row) return paint.dim(truncate(sanitizeLine(row.group), columns));
    const isSelected = row.index === picker.selected;
    return drawItem(row.item, {name: named(row), filter: picker.filter, isSelected}, look);
  });
  const choices = shown.flatMap((row, at) =>
    'index' in row ? [{index: row.index, row: at, from: 0, to: columns}] : [],
  );
  return {lines, choices};
}

/** The share of the columns that labels are aligned in, or more if all descriptions have room; longer ones move their descriptions. */
const MAX_LABELS = 0.4;
/** Columns of the mark before a label, and between two columns. */
const MARK = 2;
const GAP = 2;
/** Number of items that determine the width of columns. */
const MEASURED = 200;

/** Returns how wide the columns of facts are, of those that fit in half of the row. */
function factWidths(items: readonly PickerItem[], columns: number): readonly number[] {
  const measured = items.slice(0, MEASURED).map((item) => item.columns ?? []);
  const count = Math.max(0, ...measured.map((cells) => cells.length));
  const widths: number[] = [];
  let room = Math.floor(columns / 2);
  for (let at = 0; at < count; at++) {
    const cells = Math.max(...measured.map((facts) => width(facts[at] ?? '')));
    if (cells + GAP > room) break;
    room -= cells === 0 ? 0 : cells + GAP;
    widths.push(cells);
  }
  return widths;
}

function drawFacts(facts: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((cells, at) => {
    const fact = truncate(sanitizeLine(facts[at] ?? ''), cells);
    return fact + ' '.repeat(cells - width(fact));
  });
  return cells.filter((cell) => cell !== '').join(' '.repeat(GAP));
}

/** Returns the items, with each group's name above its first. */
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
  draw: Draw & {readonly labels: number; readonly facts: readonly number[]},
): string {
  const {paint, symbols, labels, facts} = draw;
  // What is spoken is complete.
  const columns = draw.isLinear ? Infinity : draw.columns;
  const hasFacts = item.columns !== undefined && facts.length > 0;
  // Dimming within the selected item would end its bold.
  const dim = isSelected || item.disabled !== undefined ? (text: string) => text : paint.dim;
  const described = hasFacts ? dim(drawFacts(item.columns, facts)) : drawDetails(item, dim);
  const details = columns < MIN_COLUMNS_WITH_DETAILS ? '' : described;
  const room = hasFacts ? labels - GAP : columns;
  const name = item.isPath ? truncate(whole, labels - GAP, {position: 'middle'}) : truncate(whole, room);
  const label = sanitizeLine(item.label);
  const found = filter === '' ? (item.marks ?? []) : matchOffsets(label, filter);
  const marks = found.filter((offset) => offset < name.length);
  const padding = details === '' ? '' : ' '.repeat(draw.isLinear ? GAP : Math.max(1, labels - width(name)));
  const marked = paintMarked(name, marks, paint.found);
  const line = truncate(`${isSelected ? symbols.selected : ' '} ${marked}${padding}${details}`, columns);
  if (isSelected) return drawSelected(line, draw);
  return item.disabled === undefined ? line : paint.dim(line);
}

function namedItem(picker: Picker, item: PickerItem, index: number): string {
  return isNumbered(picker) ? `${index + 1}. ${nameOf(item)}` : nameOf(item);
}

function nameOf({label, current}: PickerItem): string {
  return sanitizeLine(label) + (current ? ' (now)' : '');
}

function drawDetails({value, description, disabled}: PickerItem, dim: (text: string) => string): string {
  const about = sanitizeLine([disabled, description].filter(Boolean).join(' '));
  if (value === undefined) return about === '' ? '' : dim(about);
  return `${sanitizeLine(value)}${dim(about === '' ? '' : ` · ${about}`)}`;
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

/** Draws the preview of the selected item around its match, with a constant height, so that the list does not jump. */
function drawPreview({text, filter, most, all, part, hasRule}: Previewed, draw: Draw): string[] {
  const {paint, columns, symbols} = draw;
  const height = all ? Math.min(most, Math.max(...all.map((one) => heightOf(one, columns)))) : most;
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
  const words = isCut && source.length > 1 ? `${symbols.ellipsis} ${source.length} lines` : '';
  const blank = Array.from({length: Math.max(0, height - lines.length)}, () => ' ');
  const shown = part === 'end' && found === -1 ? lines.slice(-height) : lines.slice(0, height);
  return [...(hasRule ? [drawRule(words, paint.dim, draw)] : []), ...shown, ...blank];
}

function heightOf(text: string, columns: number): number {
  return text === '' ? 0 : wrap(sanitize(text), columns).length;
}
