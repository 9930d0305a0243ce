import {fittingHints, RULE_ENDS} from '../../src/app/keymap/hints.ts';
import {matchOffsets} from '../../src/app/completion/fuzzy-find.ts';
import {hasFilter, isTyped, openedByItself} from '../../src/app/pickers/picker.ts';
import {pickerHints} from '../../src/app/pickers/picker-hints.ts';
import {unscrolled, windowAround} from '../../src/app/pages/scroll.ts';
import type {Picker, PickerItem} from '../../src/app/state.ts';
import {sanitize, sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {padded, widest, width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {choiceRow} from '../layout/lines.ts';
import type {Theme} from '../theme/theme.tsx';
import {paintMarked} from '../theme/paint.ts';
import {spokenOf} from '../layout/spoken.ts';
import type {Panel} from './panel.ts';
import {listPanel, type PanelRow} from './panel-rows.tsx';
import {
  detailsOf,
  factWidths,
  GAP,
  type ItemRow,
  type ListRow,
  MARK,
  MAX_LABELS,
  MIN_COLUMNS_WITH_DETAILS,
  namedItem,
  type PickerView,
  plain,
  withGroups,
} from './picker-items.ts';
import {rowsOfPreview} from './picker-preview.ts';

/** Minimum rows for a hint. */
const MIN_ROWS_WITH_HINT = 5;
/** Group names are shown only if there are rows left for items. */
const MIN_ROWS_WITH_GROUP = 3;

/** Returns a list, its filter, the items around the selected one, and the preview. */
export function pickerPanel(view: PickerView, theme: Theme): Panel {
  const {picker, rows} = view;
  const note = picker.note === undefined ? [] : noteLines(picker.note, rows, theme.columns);
  const filter = filterRow(picker, theme);
  const keys = pickerHints(picker, theme, view.closes ?? picker.closing);
  const hints = rows >= MIN_ROWS_WITH_HINT ? fittingHints(keys, theme.columns - RULE_ENDS) : undefined;
  const above = [...note, ...(filter === undefined ? [] : [filter])];
  const free = rows - 1 - above.length - Number(hints !== undefined);
  const preview = rowsOfPreview(view, free, theme);
  const list = rowsOfList(view, Math.max(1, free - preview.length), theme);
  const title = sanitizeLine(picker.title);
  const panel = listPanel({title, aside: countOf(view), rows: [...above, ...list, ...preview], hints});
  // The cursor is placed where typing goes, for input methods.
  const caret =
    filter !== undefined
      ? {row: above.length, column: width(filter)}
      : hints && {row: panel.height - 1, column: 2};
  return {
    ...panel,
    spoken: () => spokenOf(JSON.stringify([picker.title, picker.answerFrom]), panel.spoken()),
    caret: hasFilter(picker) ? caret : undefined,
    scrolled: openedByItself(picker)
      ? {subject: {kind: 'list', answerFrom: picker.answerFrom}, drawn: unscrolled}
      : undefined,
  };
}

/** Returns what is typed; undefined if nothing is. */
function filterRow(picker: Picker, {columns}: Theme): string | undefined {
  if (picker.filter === '' && !isTyped(picker)) return undefined;
  const field = isTyped(picker) ? 'Value' : 'Filter';
  return truncate(`${field}: ${sanitizeLine(picker.filter)}`, columns - 1, {position: 'start'});
}

/** Returns the note in a third of the rows, and marks what is omitted. */
function noteLines(note: string, rows: number, columns: number): string[] {
  const lines = wrap(sanitize(note), columns);
  const most = Math.floor(rows / 3);
  if (lines.length <= most || most === 0) return lines.slice(0, most);
  return [...lines.slice(0, most - 1), truncate(lines.slice(most - 1).join(' '), columns)];
}

/** Returns the number of items, and of filtered ones; not of those that are listed whatever the filter. */
function countOf({picker, items}: PickerView): string {
  if (picker.purpose.kind === 'agents' && picker.purpose.isFirst && picker.filter === '') return '';
  const count = (counted: readonly PickerItem[]) => counted.filter((item) => !item.isLastResort).length;
  const all = count(picker.items);
  if (picker.filter === '' || isTyped(picker)) return hasFilter(picker) && all > 0 ? String(all) : '';
  return `${count(items)} of ${all}`;
}

/** Returns the items around the selected one, and the names of their groups. */
function rowsOfList(view: PickerView, room: number, theme: Theme): readonly PanelRow[] {
  const {paint, columns} = theme;
  const {picker} = view;
  const shown = aroundSelected(view, room);
  if (shown.length === 0) return [paint.dim(picker.items.length === 0 ? 'No items yet' : 'No matches')];
  const cells = cellsOf(view, shown, columns);
  return shown.map((row) => {
    if ('index' in row) return rowOfItem(row, picker, cells, theme);
    const group = sanitizeLine(row.group);
    return {text: paint.dim(truncate(group, columns)), spoken: group};
  });
}

function aroundSelected({picker, items}: PickerView, room: number): readonly ListRow[] {
  const rows: readonly ListRow[] =
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
  return shown;
}

/** The columns of a list: of its labels with the gap behind them, and of each fact. */
interface Cells {
  readonly labels: number;
  readonly facts: readonly number[];
}

function cellsOf({picker, items}: PickerView, list: readonly ListRow[], columns: number): Cells {
  const shown = list.filter((row) => 'item' in row);
  const labels = widest(shown.map(({item, index}) => namedItem(picker, item, index))) + GAP;
  const facts = columns >= MIN_COLUMNS_WITH_DETAILS ? factWidths(items, columns) : [];
  const besideFacts = columns - MARK - facts.reduce((sum, cells) => sum + cells + GAP, 0) + GAP;
  const besideDetails = columns - MARK - widest(shown.map(({item}) => detailsOf(item)));
  const most = facts.length > 0 ? besideFacts : Math.max(Math.floor(columns * MAX_LABELS), besideDetails);
  return {labels: Math.min(most, labels), facts};
}

function rowOfItem({item, index}: ItemRow, picker: Picker, cells: Cells, theme: Theme): PanelRow {
  const {paint, symbols, columns} = theme;
  const {labels, facts} = cells;
  const isSelected = index === picker.selected;
  const isDim = item.disabled !== undefined && !isSelected;
  const hasFacts = item.columns !== undefined && facts.length > 0;
  // Dimming within the selected item would end its bold.
  const dim = isSelected || isDim ? plain : paint.dim;
  const described = hasFacts
    ? (item.isBright ? plain : dim)(factCells(item.columns, facts))
    : detailsOf(item, dim);
  const details = columns < MIN_COLUMNS_WITH_DETAILS ? '' : described;
  const whole = namedItem(picker, item, index);
  const room = hasFacts || item.isPath ? labels - GAP : columns;
  const name = truncate(whole, room, {position: item.isPath ? 'middle' : 'end'});
  const gap = details === '' ? '' : ' '.repeat(Math.max(1, labels - width(name)));
  const marked = paintMarked(name, marksIn(item, name, picker.filter), paint.found);
  const row = choiceRow(marked + gap + details, isSelected, theme);
  const spoken = `${isSelected ? symbols.selected : ' '} ${whole}  ${detailsOf(item)}`.trimEnd();
  return {text: isDim ? paint.dim(row) : row, spoken, choice: index};
}

/** Returns the offsets of an item's name that the filter has found. */
function marksIn({label, marks = []}: PickerItem, name: string, filter: string): readonly number[] {
  const found = filter === '' ? marks : matchOffsets(sanitizeLine(label), filter);
  return found.filter((offset) => offset < name.length);
}

function factCells(facts: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((cells, at) => padded(truncate(sanitizeLine(facts[at] ?? ''), cells), cells));
  return cells.filter((cell) => cell !== '').join(' '.repeat(GAP));
}
