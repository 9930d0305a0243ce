import type {Entry, EntryType} from './entries.ts';
import type {List} from './list.ts';

/** Where entries stand, by type and by the id that the protocol gives them. */
type Index = Map<EntryType, Map<string, number>>;

/*
 * A cache beside the state, so that finding an entry does not walk a long transcript. Entries keep their places for ever:
 * so the versions of a transcript share one index, and a place that it tells need only be checked.
 */
const indexes = new WeakMap<List<Entry>, Index>();

/** The place where an entry with this id probably stands; undefined when there certainly is none. */
export function indexedPlace(entries: List<Entry>, type: EntryType, id: string): number | undefined {
  return indexOf(entries).get(type)?.get(id);
}

/** Lets a later version of a transcript, in which everything has kept its place, share the index of an earlier one. */
export function shareIndex(earlier: List<Entry>, later: List<Entry>): void {
  const index = indexOf(earlier);
  for (let place = earlier.length; place < later.length; place++) note(index, later.get(place), place);
  indexes.set(later, index);
}

/** The id that the protocol gives an entry; undefined for what has none. */
export function protocolId(entry: Entry): string | undefined {
  switch (entry.type) {
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
    case 'session_message':
      return entry.messageId;
    case 'tool_call':
      return entry.toolCallId;
    case 'compaction':
      return entry.compactionId;
    case 'subagent':
      return entry.sessionId;
    case 'plan':
    case 'notice':
    case 'unknown':
    case 'turn_end':
    case 'failure':
    case 'shell_command':
    case 'elicitation':
      return undefined;
  }
}

function indexOf(entries: List<Entry>): Index {
  const known = indexes.get(entries);
  if (known !== undefined) return known;
  const index: Index = new Map();
  let place = 0;
  for (const entry of entries) note(index, entry, place++);
  indexes.set(entries, index);
  return index;
}

function note(index: Index, entry: Entry | undefined, place: number): void {
  const id = entry && protocolId(entry);
  if (entry === undefined || id === undefined) return;
  const ofType = index.get(entry.type) ?? new Map<string, number>();
  index.set(entry.type, ofType.set(id, place));
}
