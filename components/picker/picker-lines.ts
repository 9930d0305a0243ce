import {hasFilter} from '../../src/app/picker.ts';
import type {Picker, PickerItem} from '../../src/app/state.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Draw} from '../draw/draw.ts';
import {drawRule} from '../draw/rule.ts';
import {windowAround} from '../draw/window.ts';

export interface PickerView {
  readonly picker: Picker;
  /** Those that the filter leaves. */
  readonly items: readonly PickerItem[];
  /** Rows that it may take. */
  readonly rows: number;
}

/** A list to choose from, its filter, and the choices around the selected one. */
export function drawPicker({picker, items, rows}: PickerView, draw: Draw): string[] {
  const {paint, signs, columns} = draw;
  const title = drawRule(sanitizeLine(picker.title), paint.accent, draw);
  const filter = picker.filter === '' ? [] : [truncate(`Filter: ${picker.filter}`, columns)];
  const hint =
    rows >= 5
      ? [
          paint.dim(
            truncate(`${hasFilter(picker) ? 'Type to filter, ' : ''}Enter takes, Esc closes`, columns),
          ),
        ]
      : [];
  const room = Math.max(1, rows - 1 - filter.length - hint.length);
  if (items.length === 0) return [title, ...filter, paint.dim('Nothing matches'), ...hint];
  const list = withGroups(items);
  const at = list.findIndex((row) => typeof row !== 'string' && row.index === picker.selected);
  const {from, to} = windowAround(at, list.length, room);
  const labels = Math.min(Math.floor(columns / 2), Math.max(...items.map(({label}) => width(label))) + 2);
  const shown = list.slice(from, to).map((row) => {
    if (typeof row === 'string') return paint.dim(truncate(sanitizeLine(row), columns));
    const isSelected = row.index === picker.selected;
    const mark = isSelected ? signs.selected : ' ';
    const text = truncate(`${mark} ${itemText(row.item, labels)}`, columns);
    return isSelected ? paint.selected(text) : text;
  });
  return [title, ...filter, ...shown, ...hint];
}

type Row = string | {readonly item: PickerItem; readonly index: number};

/** The items, with the name of each group above its first. */
function withGroups(items: readonly PickerItem[]): Row[] {
  return items.flatMap((item, index): Row[] => {
    const row = {item, index};
    return item.group !== undefined && item.group !== items[index - 1]?.group ? [item.group, row] : [row];
  });
}

function itemText({label, description, current, disabled}: PickerItem, labels: number): string {
  const name = sanitizeLine(label) + (current ? ' (now)' : '');
  const details = [disabled, description].filter(Boolean).join(' ');
  if (details === '') return name;
  return `${name}${' '.repeat(Math.max(1, labels - width(name)))} ${sanitizeLine(details)}`;
}
