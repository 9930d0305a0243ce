import type {Entry, EntryType} from './entries.ts';
import type {SessionState} from './state.ts';
import {completed} from './streamed-content.ts';

export type EntryOf<Type extends EntryType> = Extract<Entry, {type: Type}>;

/** What is said of an entry, apart from its place in the transcript. */
export type Told<Type extends EntryType> = Omit<EntryOf<Type>, 'id' | 'turn' | 'at' | 'excluded'>;

export type NewEntry = {[Type in EntryType]: Told<Type>}[EntryType];

/** Entries that come beside what the agent says, and do not interrupt it. */
const ASIDES: ReadonlySet<EntryType> = new Set(['notice', 'unknown', 'subagent', 'session_message']);

export function isAside(entry: Entry): boolean {
  return ASIDES.has(entry.type);
}

/**
 * Puts an entry at the end. Its id is its place: entries are never removed. All but an aside completes the messages that
 * are still open.
 */
export function appendEntry(state: SessionState, added: NewEntry, at: number): SessionState {
  const index = state.entries.length;
  const turn = state.turn.kind === 'idle' ? undefined : state.turn.turn;
  const entry = {...added, id: String(index), turn, at} as Entry;
  const before = isAside(entry) ? state : completeMessages(state);
  const open = 'complete' in entry && !entry.complete;
  return {
    ...before,
    entries: [...before.entries, entry],
    streaming: open ? [index] : before.streaming,
  };
}

export function replaceEntry(state: SessionState, index: number, entry: Entry): SessionState {
  return {...state, entries: state.entries.with(index, entry)};
}

export interface Upsert<Type extends EntryType> {
  readonly type: Type;
  /** The entry as it is before anything was told of it. */
  readonly unseen: Told<Type>;
  readonly matches: (entry: EntryOf<Type>) => boolean;
  readonly change: (told: Told<Type>) => Told<Type>;
}

/** Changes the entry that matches, in its place; where there is none yet, it begins at the end. */
export function upsertEntry<Type extends EntryType>(
  state: SessionState,
  {type, unseen, matches, change}: Upsert<Type>,
  at: number,
): SessionState {
  const index = findEntry(state, type, matches);
  if (index === -1) return appendEntry(state, change(unseen) as Told<EntryType> as NewEntry, at);
  const entry = state.entries[index] as EntryOf<Type>;
  return replaceEntry(state, index, {...entry, ...change(entry)});
}

/** Closes every open message. */
export function completeMessages(state: SessionState): SessionState {
  if (state.streaming.length === 0) return state;
  const entries = state.entries.slice();
  for (const index of state.streaming) {
    const entry = entries[index];
    if (entry !== undefined && 'complete' in entry) entries[index] = completed(entry);
  }
  return {...state, entries, streaming: []};
}

/** Changes the entries of a turn that `change` gives another value for. */
export function changeEntries(
  state: SessionState,
  from: number,
  change: (entry: Entry) => Entry,
): SessionState {
  let entries: Entry[] | undefined;
  for (let index = from; index < state.entries.length; index++) {
    const entry = state.entries[index];
    if (entry === undefined) continue;
    const changed = change(entry);
    if (changed !== entry) (entries ??= state.entries.slice())[index] = changed;
  }
  return entries === undefined ? state : {...state, entries};
}

/**
 * The place of the newest entry of a type that matches, in the open session; -1 when there is none. It looks from the
 * end, where almost everything that is asked for stands.
 */
export function findEntry<Type extends EntryType>(
  state: SessionState,
  type: Type,
  matches: (entry: EntryOf<Type>) => boolean,
): number {
  for (let index = state.entries.length - 1; index >= state.sessionStart; index--) {
    const entry = state.entries[index];
    if (entry?.type === type && matches(entry as EntryOf<Type>)) return index;
  }
  return -1;
}
