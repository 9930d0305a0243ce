import type {Entry, EntryType, MessageEntry} from '../entries.ts';
import type {SessionState} from '../state.ts';
import {completeMessage} from './content.ts';
import type {EntryList, NameKind} from './entry-list.ts';

export type EntryOf<Type extends EntryType> = Extract<Entry, {type: Type}>;

/** The data of an entry without its position in the transcript. */
export type EntryData<Type extends EntryType> = Omit<
  EntryOf<Type>,
  'id' | 'turn' | 'at' | 'excluded' | 'onlyHere'
>;

export type NewEntry = {[Type in EntryType]: EntryData<Type>}[EntryType];

/** Entries that do not interrupt the agent's messages. */
const ASIDES: ReadonlySet<EntryType> = new Set([
  'notice',
  'unknown',
  'subagent',
  'session_message',
  'shell_command',
]);

export function isAside(entry: Entry): boolean {
  return ASIDES.has(entry.type);
}

/**
 * Appends an entry. Entries are never moved or removed, so the index of each is its id. Every
 * entry but an aside completes the open messages.
 */
export function appendEntry(state: SessionState, added: NewEntry, at: number): SessionState {
  const index = state.entries.length;
  const turn = state.turn.kind === 'idle' ? undefined : state.turn.turn;
  const entry = {...added, id: String(index), turn, at} as Entry;
  const interrupts = !isAside(entry);
  const before = interrupts ? complete(state.entries, state.streaming) : state.entries;
  const open = 'complete' in entry && !entry.complete;
  const streaming = open ? [index] : interrupts ? [] : state.streaming;
  return {...state, entries: before.append(entry), streaming};
}

export function replaceEntry(state: SessionState, index: number, entry: Entry): SessionState {
  return {...state, entries: state.entries.with(index, entry)};
}

export interface Upsert<Type extends EntryType> {
  readonly type: Type;
  /** The protocol's id. */
  readonly id: string;
  /** The initial entry, before any update. */
  readonly unseen: EntryData<Type>;
  readonly change: (entry: EntryData<Type>) => EntryData<Type>;
}

/** Changes the entry with this id in place, or appends a new one. */
export function upsertEntry<Type extends EntryType>(
  state: SessionState,
  {type, id, unseen, change}: Upsert<Type>,
  at: number,
): SessionState {
  const index = findEntry(state, type, id);
  if (index === -1) return appendEntry(state, change(unseen) as EntryData<EntryType> as NewEntry, at);
  const entry = state.entries.get(index) as EntryOf<Type>;
  return replaceEntry(state, index, {...entry, ...change(entry)});
}

/** A protocol patch: omitted stays, null clears, a value replaces. */
export function patch<Value>(
  current: Value | undefined,
  change: Value | null | undefined,
): Value | undefined {
  return change === undefined ? current : (change ?? undefined);
}

/** Completes every open message. */
export function completeMessages(state: SessionState): SessionState {
  if (state.streaming.length === 0) return state;
  return {...state, entries: complete(state.entries, state.streaming), streaming: []};
}

/** Changes the entries of a turn for which `change` returns another value. */
export function changeEntries(
  state: SessionState,
  from: number,
  change: (entry: Entry) => Entry,
): SessionState {
  let {entries} = state;
  for (let index = from; index < entries.length; index++) {
    const entry = entries.get(index);
    if (entry === undefined) continue;
    const changed = change(entry);
    if (changed !== entry) entries = entries.with(index, changed);
  }
  return entries === state.entries ? state : {...state, entries};
}

/** Returns the index of the newest entry with a protocol id, in the open session; -1 if there is none. */
export function findEntry({entries, sessionStart}: SessionState, kind: NameKind, id: string): number {
  const index = entries.lastNamed(kind, id);
  return index < sessionStart ? -1 : index;
}

/**
 * Returns the index of the message that a chunk belongs to ("Prompt Turn", Message IDs): the one with its id; without an id, the newest one if it is still
 * open and of the same kind; -1 if there is none.
 */
export function findMessage(
  state: SessionState,
  type: MessageEntry['type'],
  messageId: string | undefined,
): number {
  if (messageId !== undefined) return findEntry(state, type, messageId);
  const index = state.streaming.at(-1) ?? -1;
  return state.entries.get(index)?.type === type ? index : -1;
}

function complete(known: EntryList, places: readonly number[]): EntryList {
  return places.reduce((entries, place) => {
    const entry = entries.get(place);
    return entry !== undefined && 'complete' in entry ? entries.with(place, completeMessage(entry)) : entries;
  }, known);
}
