import type {Picker, PickerItem, PickerPurpose} from './state.ts';

const found = new WeakMap<
  readonly PickerItem[],
  {readonly filter: string; readonly items: readonly PickerItem[]}
>();

/** The items that the filter leaves: each of its words stands somewhere in the label, id, group or description. */
export function visibleItems({items, filter}: Pick<Picker, 'items' | 'filter'>): readonly PickerItem[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  const known = found.get(items);
  if (known?.filter === filter) return known.items;
  const left = items.filter((item) => {
    const {id, label, description = '', group = ''} = item;
    const text = `${label}\n${id}\n${group}\n${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  found.set(items, {filter, items: left});
  return left;
}

/** The item that Enter takes; undefined when the filter leaves none. */
export function selectedItem(picker: Picker): PickerItem | undefined {
  return visibleItems(picker)[picker.selected];
}

const WITHOUT_FILTER: ReadonlySet<PickerPurpose['kind']> = new Set(['recovery', 'authenticate', 'undo']);

/** Whether typing filters the items; the few ways to go on, which may open while somebody types, leave typing to the prompt. */
export function hasFilter({purpose}: Picker): boolean {
  return !WITHOUT_FILTER.has(purpose.kind);
}

/** A list to choose from, on its current item. */
export function pickerOf(start: Pick<Picker, 'purpose' | 'title' | 'items'>, answerFrom = -Infinity): Picker {
  const current = start.items.findIndex((item) => item.current);
  return {...start, filter: '', selected: Math.max(0, current), answerFrom};
}
