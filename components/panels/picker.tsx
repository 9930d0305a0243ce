import {fittingHints, type Hint, hintText, RULE_ENDS} from '../../src/app/keymap/hints.ts';
import {matchOffsets} from '../../src/app/completion/fuzzy-find.ts';
import {hasFilter, isNumbered, isTyped, openedByItself, takesKeys} from '../../src/app/pickers/picker.ts';
import {unscrolled, windowAround} from '../../src/app/pages/scroll.ts';
import type {Picker, PickerItem} from '../../src/app/state.ts';
import {sanitize, sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {selectedRow} from '../layout/lines.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {paintMarked} from '../theme/paint.ts';
import {Heading, HintRule, spokenHeading} from '../layout/rule.tsx';
import {Row, Rows} from '../layout/rows.tsx';
import {spokenOf} from '../layout/spoken.ts';
import type {Panel} from './panel.ts';
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
  withGroups,
} from './picker-items.ts';
import {rowsOfPreview} from './picker-preview.ts';
import {KEYS_IGNORED} from '../requests/question.tsx';
import {maxOf} from '../../src/text/lists.ts';

interface PickerView {
  readonly picker: Picker;
  /** The filtered items. */
  readonly items: readonly PickerItem[];
  /** Maximum rows. */
  readonly rows: number;
  /** Keys of this list only. */
  readonly keys?: readonly Hint[] | undefined;
  /** What the key does that closes it, if more than that. */
  readonly closes?: string | undefined;
}

/** Minimum rows for a hint. */
const MIN_ROWS_WITH_HINT = 5;
/** Group names are shown only if there are rows left for items. */
const MIN_ROWS_WITH_GROUP = 3;

/** Returns a list, its filter, the items around the selected one, and the preview. */
export function pickerPanel(view: PickerView, theme: Theme): Panel {
  const {picker, items, rows} = view;
  const {columns} = theme;
  const note = picker.note === undefined ? [] : noteLines(picker.note, rows, columns);
  const field = isTyped(picker) ? 'Value' : 'Filter';
  const filter =
    picker.filter === '' && !isTyped(picker)
      ? undefined
      : truncate(`${field}: ${sanitizeLine(picker.filter)}`, columns - 1, {position: 'start'});
  const hints = rows >= MIN_ROWS_WITH_HINT ? hintsOf(view, theme) : undefined;
  const above = 1 + note.length + Number(filter !== undefined);
  const free = rows - above - Number(hints !== undefined);
  const preview = rowsOfPreview(view, free, theme);
  const list = rowsAroundSelected(view, Math.max(1, free - preview.length));
  const below = preview.length + Number(hints !== undefined);
  const height = above + Math.max(1, list.length) + below;
  const shown = {picker, items, note, filter, list, preview, hints};
  // The cursor is placed where typing goes, for input methods.
  const caret =
    filter !== undefined
      ? {row: 1 + note.length, column: width(filter)}
      : hints !== undefined && {row: height - 1, column: 2};
  return {
    content: <PickerList {...shown} />,
    height,
    hints,
    spoken: () => spokenOf(JSON.stringify([picker.title, picker.answerFrom]), spoken(shown, theme)),
    choices: list.flatMap((row, at) =>
      'index' in row ? [{index: row.index, row: above + at, from: 0, to: columns}] : [],
    ),
    ...(hasFilter(picker) && caret && {caret}),
    ...(openedByItself(picker) && {
      scrolled: {subject: {kind: 'list', answerFrom: picker.answerFrom}, drawn: unscrolled},
    }),
  };
}

/** Returns the note in a third of the rows, and marks what is omitted. */
function noteLines(note: string, rows: number, columns: number): string[] {
  const lines = wrap(sanitize(note), columns);
  const most = Math.floor(rows / 3);
  if (lines.length <= most || most === 0) return lines.slice(0, most);
  return [...lines.slice(0, most - 1), truncate(lines.slice(most - 1).join(' '), columns)];
}

/** Returns the number of items, and of filtered ones; not of those that are listed whatever the filter. */
function countOf({picker, items}: Pick<PickerView, 'picker' | 'items'>): string {
  if (picker.purpose.kind === 'agents' && picker.purpose.isFirst && picker.filter === '') return '';
  const count = (counted: readonly PickerItem[]) => counted.filter((item) => !item.isLastResort).length;
  const all = count(picker.items);
  if (picker.filter === '' || isTyped(picker)) return hasFilter(picker) && all > 0 ? String(all) : '';
  return `${count(items)} of ${all}`;
}

function hintsOf(view: PickerView, theme: Theme): readonly Hint[] {
  if (!takesKeys(view.picker)) return [KEYS_IGNORED];
  return fittingHints(keysOf(view, theme), theme.columns - RULE_ENDS);
}

function keysOf({picker, keys = [], closes}: PickerView, {keyOf}: Theme): readonly Hint[] {
  const ends: Hint = [keyOf('cancel_or_back'), closes ?? picker.closing ?? 'close'];
  if (picker.purpose.kind === 'agents' && picker.purpose.isFirst)
    return [[keyOf('confirm'), 'start or install'], 'type to filter', ends];
  const typing = hasFilter(picker) && !isTyped(picker) && picker.filter === '' ? ['Type to filter'] : [];
  const takes: readonly Hint[] =
    picker.purpose.kind === 'mcp'
      ? [[keyOf('switch_server'), 'toggle']]
      : choosingHints(picker, keyOf('confirm'));
  const cancels: readonly Hint[] = picker.purpose.kind === 'tasks' ? [[keyOf('cancel_task'), 'cancel']] : [];
  return [...typing, ...takes, ...cancels, ends, ...keys];
}

function choosingHints(picker: Picker, confirm: string): readonly Hint[] {
  if (!isNumbered(picker)) return [[confirm, 'select']];
  if (openedByItself(picker)) return ['number highlight', [confirm, 'select']];
  return [[confirm, 'or number select']];
}

/** Returns the items around the selected one, and the names of their groups. */
function rowsAroundSelected({picker, items}: PickerView, room: number): readonly ListRow[] {
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

interface PickerListProps {
  readonly picker: Picker;
  readonly items: readonly PickerItem[];
  readonly note: readonly string[];
  readonly filter: string | undefined;
  readonly list: readonly ListRow[];
  readonly preview: readonly string[];
  readonly hints: readonly Hint[] | undefined;
}

/** A list to choose from, with its filter and a preview of the selected item. */
function PickerList({picker, items, note, filter, list, preview, hints}: PickerListProps) {
  const {paint, columns} = useTheme();
  const cells = columnsOf({picker, items, list}, columns);
  return (
    <>
      <Heading words={sanitizeLine(picker.title)} aside={countOf({picker, items})} />
      <Rows of={note} />
      {filter !== undefined && <Row text={filter} />}
      {list.length === 0 && <Row text={paint.dim(nothingIn(picker))} />}
      {list.map((row, at) =>
        'group' in row ? (
          // oxlint-disable-next-line react/no-array-index-key -- Rows are identified by their position.
          <Row key={at} text={paint.dim(truncate(sanitizeLine(row.group), columns))} />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- Rows are identified by their position.
          <Item key={at} picker={picker} row={row} cells={cells} />
        ),
      )}
      <Rows of={preview} />
      {hints && <HintRule hints={hints} />}
    </>
  );
}

function nothingIn({items}: Picker): string {
  return items.length === 0 ? 'No items yet' : 'No matches';
}

/** The columns of a list: of its labels with the gap behind them, and of each fact. */
interface Cells {
  readonly labels: number;
  readonly facts: readonly number[];
}

function columnsOf(
  {picker, items, list}: Pick<PickerListProps, 'picker' | 'items' | 'list'>,
  columns: number,
): Cells {
  const shown = list.filter((row) => 'item' in row);
  const labels =
    maxOf(
      shown.map(({item, index}) => width(namedItem(picker, item, index))),
      0,
    ) + GAP;
  const facts = columns >= MIN_COLUMNS_WITH_DETAILS ? factWidths(items, columns) : [];
  const besideFacts = columns - MARK - facts.reduce((sum, cells) => sum + cells + GAP, 0) + GAP;
  const details = shown.map(({item}) => width(detailsOf(item, (text) => text)));
  const besideDetails = columns - MARK - maxOf(details, 0);
  const most = facts.length > 0 ? besideFacts : Math.max(Math.floor(columns * MAX_LABELS), besideDetails);
  return {labels: Math.min(most, labels), facts};
}

interface ItemProps {
  readonly picker: Picker;
  readonly row: ItemRow;
  readonly cells: Cells;
}

function Item({picker, row: {item, index}, cells: {labels, facts}}: ItemProps) {
  const theme = useTheme();
  const {paint, symbols, columns} = theme;
  const isSelected = index === picker.selected;
  const hasFacts = item.columns !== undefined && facts.length > 0;
  // Dimming within the selected item would end its bold.
  const dim = isSelected || item.disabled !== undefined ? (text: string) => text : paint.dim;
  const dimFacts = item.isBright ? (text: string) => text : dim;
  const described = hasFacts ? dimFacts(factCells(item.columns, facts)) : detailsOf(item, dim);
  const details = columns < MIN_COLUMNS_WITH_DETAILS ? '' : described;
  const whole = namedItem(picker, item, index);
  const room = hasFacts ? labels - GAP : columns;
  const name = item.isPath ? truncate(whole, labels - GAP, {position: 'middle'}) : truncate(whole, room);
  const padding = details === '' ? '' : ' '.repeat(Math.max(1, labels - width(name)));
  const marked = paintMarked(name, marksIn(item, name, picker.filter), paint.found);
  const line = truncate(`${isSelected ? symbols.selected : ' '} ${marked}${padding}${details}`, columns);
  if (isSelected) return <Row text={selectedRow(line, theme)} />;
  return <Row text={item.disabled === undefined ? line : paint.dim(line)} />;
}

/** Returns the offsets of an item's name that the filter has found. */
function marksIn({label, marks = []}: PickerItem, name: string, filter: string): readonly number[] {
  const found = filter === '' ? marks : matchOffsets(sanitizeLine(label), filter);
  return found.filter((offset) => offset < name.length);
}

function factCells(facts: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((cells, at) => {
    const fact = truncate(sanitizeLine(facts[at] ?? ''), cells);
    return fact + ' '.repeat(cells - width(fact));
  });
  return cells.filter((cell) => cell !== '').join(' '.repeat(GAP));
}

/** Returns the list as it is spoken: its items are complete. */
function spoken(
  {picker, items: all, note, filter, list, preview, hints}: PickerListProps,
  {symbols}: Theme,
): string[] {
  const items = list.map((row) => {
    if ('group' in row) return sanitizeLine(row.group);
    const details = detailsOf(row.item, (text) => text);
    const mark = row.index === picker.selected ? symbols.selected : ' ';
    return `${mark} ${namedItem(picker, row.item, row.index)}  ${details}`.trimEnd();
  });
  const title = spokenHeading({words: sanitizeLine(picker.title), aside: countOf({picker, items: all})});
  const listed = items.length === 0 ? [nothingIn(picker)] : items;
  const lines = [title, ...note, filter, ...listed, ...preview, hints && hintText(hints)];
  return lines.filter((line) => line !== undefined);
}
