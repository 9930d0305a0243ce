import type {TranscriptMatches} from './listings.ts';
import {emitEvent, nothing, type Reaction} from '../effects.ts';
import {containing, fuzzyFind, prepareToFind} from '../completion/fuzzy-find.ts';
import type {Context} from '../keymap/keymap.ts';
import {GUARD_MS} from '../requests/request-phase.ts';
import type {AppState, Tab, Picker, PickerItem, PickerPurpose} from '../state.ts';

/** An item, and what selecting it does. */
export interface ListItem extends PickerItem {
  readonly choose?: ((selection: PickerSelection) => Reaction) | undefined;
}

/** The window when an item is selected, and the list that it is in. */
export interface PickerSelection {
  readonly state: AppState;
  readonly tab: Tab;
  readonly picker: Picker;
  readonly at: number;
}

type Filtered = Pick<Picker, 'purpose' | 'items' | 'filter' | 'said'>;

/** How a list behaves. */
interface PickerTraits {
  /** True if typing filters the items. */
  readonly filter: boolean;
  /** Its own keys, if any. */
  readonly keys?: Context;
  /** Items are in chronological order, which filtering keeps. */
  readonly inOrder?: true;
  /** Typing writes a value instead of filtering. */
  readonly typed?: true;
  /** A digit selects an item. */
  readonly numbered?: true;
}

const FILTERED: PickerTraits = {filter: true};
const WITHOUT_FILTER: PickerTraits = {filter: false};

const TRAITS: Readonly<Record<PickerPurpose['kind'], PickerTraits>> = {
  agents: FILTERED,
  authenticate: {...WITHOUT_FILTER, numbered: true},
  config: FILTERED,
  config_value: FILTERED,
  history: {...FILTERED, keys: 'history', inOrder: true},
  installing: WITHOUT_FILTER,
  list: FILTERED,
  mcp: {...FILTERED, keys: 'mcp'},
  mode: FILTERED,
  model: FILTERED,
  ordered_list: {...FILTERED, inOrder: true},
  palette: FILTERED,
  question: WITHOUT_FILTER,
  // It may open while the user types, so typing goes to the prompt.
  recovery: WITHOUT_FILTER,
  session_actions: FILTERED,
  session_title: {...FILTERED, typed: true},
  sessions: {...FILTERED, keys: 'sessions'},
  setting_text: {...FILTERED, typed: true},
  setting_value: FILTERED,
  settings: FILTERED,
  tasks: {...FILTERED, keys: 'tasks', inOrder: true},
  wire: {...FILTERED, inOrder: true},
};

/** Returns the key context of a list. */
export function pickerContext({purpose}: Picker): Context {
  return TRAITS[purpose.kind].keys ?? 'picker';
}

/** Returns the filtered items, best first; for earlier prompts newest first. Then those in which the filter was said. */
export function visibleItems({purpose, items, filter, said}: Filtered): readonly PickerItem[] {
  if (TRAITS[purpose.kind].typed) return items;
  if (TRAITS[purpose.kind].inOrder) return containing(items, filter);
  const found = fuzzyFind(items, filter);
  return withLastResort(said?.filter === filter ? withSaid(found, items, said) : found, items);
}

const withSaidOf = new WeakMap<
  TranscriptMatches,
  {readonly of: readonly unknown[]; readonly all: readonly PickerItem[]}
>();

/** The last result is kept, since keys and drawing ask for it several times. */
function withSaid(
  found: readonly PickerItem[],
  items: readonly PickerItem[],
  said: TranscriptMatches,
): readonly PickerItem[] {
  const known = withSaidOf.get(said);
  if (known?.of[0] === found && known.of[1] === items) return known.all;
  const listed = new Set(found);
  const byId = new Map(items.map((item) => [item.id, item]));
  const more = [...said.places].flatMap(([id, {text: description}]): PickerItem[] => {
    const item = byId.get(id);
    if (!item || listed.has(item)) return [];
    const {columns: _, ...others} = item;
    return [{...others, description}];
  });
  const all = more.length === 0 ? found : [...found, ...more];
  withSaidOf.set(said, {of: [found, items], all});
  return all;
}

/** Appends items that are listed whatever the filter. */
function withLastResort(found: readonly PickerItem[], items: readonly PickerItem[]): readonly PickerItem[] {
  const more = items.filter((item) => item.isLastResort && !found.includes(item));
  return more.length === 0 ? found : [...found, ...more];
}

/** Returns the item that Enter selects; undefined if none matches the filter. */
export function selectedItem(picker: Picker): PickerItem | undefined {
  return visibleItems(picker)[picker.selected];
}

/** Performs a selected item. All items come from `pickerOf` and `withItems`. */
export function chooseItem(item: ListItem, selection: PickerSelection): Reaction {
  return item.choose?.(selection) ?? nothing;
}

/** True if typing filters the items; otherwise it goes to the prompt. */
export function hasFilter({purpose}: Picker): boolean {
  return TRAITS[purpose.kind].filter;
}

/** True if typing writes a value instead of filtering. */
export function isTyped({purpose}: Pick<Picker, 'purpose'>): boolean {
  return TRAITS[purpose.kind].typed ?? false;
}

/** True if digits select items, or only highlight them if the list opened by itself. */
export function isNumbered({purpose}: Picker): boolean {
  return TRAITS[purpose.kind].numbered ?? false;
}

/** True for a list that opened by itself: typing may be meant for the prompt. */
export function openedByItself({answerFrom}: Picker): boolean {
  return answerFrom !== -Infinity;
}

/** True if keys select in a list: one that opened by itself must have been on the screen for a moment. */
export function takesKeys(picker: Picker): boolean {
  return !openedByItself(picker) || picker.takesKeys === true;
}

/** Keys count in the open list if it was on the screen for a moment. */
export function listTicked(state: AppState, at: number): AppState {
  const {overlay} = state;
  if (overlay.kind !== 'picker' || takesKeys(overlay.picker)) return state;
  const {answerFrom, seenAt = Infinity} = overlay.picker;
  if (at <= Math.max(answerFrom, seenAt + GUARD_MS)) return state;
  return {...state, overlay: {kind: 'picker', picker: {...overlay.picker, takesKeys: true}}};
}

/** Returns a list with the current item selected. */
export function pickerOf(
  start: Pick<Picker, 'title' | 'hint' | 'note'> & {
    readonly items: readonly ListItem[];
    readonly purpose?: PickerPurpose;
  },
  answerFrom = -Infinity,
): Picker {
  prepareToFind(start.items);
  const current = start.items.findIndex((item) => item.current);
  return {purpose: {kind: 'list'}, ...start, filter: '', selected: Math.max(0, current), answerFrom};
}

/** Opens a list over the prompt. */
export function openPicker(picker: Picker): Reaction {
  return emitEvent({type: 'overlay_opened', overlay: {kind: 'picker', picker}});
}

/** The open list of a kind. */
type ListOf<Kind> = Picker & {readonly purpose: Extract<PickerPurpose, {kind: Kind}>};

/** Returns the open list, if it is of that kind. */
export function openList<Kind extends PickerPurpose['kind']>(
  {overlay}: Pick<AppState, 'overlay'>,
  kind: Kind,
): ListOf<Kind> | undefined {
  const isOpen = overlay.kind === 'picker' && overlay.picker.purpose.kind === kind;
  return isOpen ? (overlay.picker as ListOf<Kind>) : undefined;
}

/** Returns the list of sessions, which may be below what is done with one of them. */
export function openSessionList({overlay}: Pick<AppState, 'overlay'>): Picker | undefined {
  if (overlay.kind !== 'picker') return undefined;
  const {purpose} = overlay.picker;
  if ('over' in purpose) return purpose.over;
  return purpose.kind === 'sessions' ? overlay.picker : undefined;
}

/** Changes the open list of a kind; the same state if another one is open. */
export function changeList<Kind extends PickerPurpose['kind']>(
  state: AppState,
  kind: Kind,
  change: (list: ListOf<Kind>) => Picker,
): AppState {
  const list = openList(state, kind);
  return list ? {...state, overlay: {kind: 'picker', picker: change(list)}} : state;
}

/** Returns the list with new items; keeps the filter, and the selection if it still exists. */
export function withItems(picker: Picker, items: readonly ListItem[]): Picker {
  prepareToFind(items);
  const id = selectedItem(picker)?.id;
  const changed = {...picker, items};
  const left = visibleItems(changed);
  const same = left.findIndex((item) => item.id === id);
  const last = Math.max(0, left.length - 1);
  return {...changed, selected: same === -1 ? Math.min(picker.selected, last) : same};
}
