import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Entry, EntryType, ToolCallEntry} from '../entries.ts';

/** A chunk is copied when one of its entries changes, so a change costs the same in every list. */
const CHUNK = 128;

type Chunk = readonly Entry[];

/** The index of some full chunks: their last entry with each name. */
interface Index {
  readonly start: number;
  readonly length: number;
  readonly places: ReadonlyMap<string, number>;
}

/**
 * What an entry is found by: the protocol's id of its type; the agent's ID of a tool call, which several calls may have; the ID by which acp-tui asked about a
 * call. Those without an id, which is '', are the user's messages, and the calls that only acp-tui has reported.
 */
export type NameKind = EntryType | 'wire_id' | 'asked_as' | 'prompt' | 'own_call';

/**
 * An immutable list of entries: what `append` and `with` return shares all but one chunk with the original, and an entry is found by its name without a
 * search through all. An array would be copied as a whole for every event, which makes a long transcript quadratic. Reads like an array, but with `get`
 * instead of `[]`.
 */
export class EntryList implements Iterable<Entry> {
  static readonly empty = new EntryList([], [], []);

  readonly length: number;
  readonly #full: readonly Chunk[];
  readonly #last: Chunk;
  /** Of all full chunks, each at least twice as long as the next one, as the digits of a binary number. */
  readonly #indexes: readonly Index[];

  private constructor(full: readonly Chunk[], last: Chunk, indexes: readonly Index[]) {
    this.#full = full;
    this.#last = last;
    this.#indexes = indexes;
    this.length = full.length * CHUNK + last.length;
  }

  static from(entries: Iterable<Entry>): EntryList {
    let list = EntryList.empty;
    for (const entry of entries) list = list.append(entry);
    return list;
  }

  append(entry: Entry): EntryList {
    const last = [...this.#last, entry];
    if (last.length < CHUNK) return new EntryList(this.#full, last, this.#indexes);
    const index = {start: this.length + 1 - CHUNK, length: CHUNK, places: new Map<string, number>()};
    addPlaces(index.places, last, index.start);
    return new EntryList([...this.#full, last], [], withIndex(this.#indexes, index));
  }

  /** Returns the list with the entry at that index, which must exist, replaced. */
  with(index: number, entry: Entry): EntryList {
    const chunk = Math.floor(index / CHUNK);
    const full = this.#full[chunk];
    if (!full) return new EntryList(this.#full, this.#last.with(index % CHUNK, entry), this.#indexes);
    const chunks = this.#full.with(chunk, full.with(index % CHUNK, entry));
    const before = full[index % CHUNK];
    const isRenamed = before && String(namesOf(before)) !== String(namesOf(entry));
    return new EntryList(chunks, this.#last, isRenamed ? reindexed(this.#indexes, chunks) : this.#indexes);
  }

  /** Returns the index of the last entry with a name; -1 if there is none. */
  lastNamed(kind: NameKind, id: string): number {
    const name = nameOf(kind, id);
    const near = this.#last.findLastIndex((entry) => isNamed(entry, kind, id));
    if (near !== -1) return this.#full.length * CHUNK + near;
    return this.#indexes.findLast(({places}) => places.has(name))?.places.get(name) ?? -1;
  }

  /** Undefined if there is no entry at that index. */
  get(index: number): Entry | undefined {
    const chunk = Math.floor(index / CHUNK);
    return (chunk === this.#full.length ? this.#last : this.#full[chunk])?.[index % CHUNK];
  }

  /** Negative indices count from the end. */
  at(index: number): Entry | undefined {
    return this.get(index < 0 ? this.length + index : index);
  }

  *[Symbol.iterator](): Generator<Entry> {
    for (const chunk of this.#full) yield* chunk;
    yield* this.#last;
  }

  findLastIndex(test: (entry: Entry) => boolean): number {
    let place = this.length - 1;
    while (place >= 0 && !test(this.get(place) as Entry)) place--;
    return place;
  }

  findLast<Kind extends Entry>(test: (entry: Entry) => entry is Kind): Kind | undefined;
  findLast(test: (entry: Entry) => boolean): Entry | undefined;
  findLast(test: (entry: Entry) => boolean): Entry | undefined {
    const place = this.findLastIndex(test);
    return this.get(place);
  }

  find<Kind extends Entry>(test: (entry: Entry) => entry is Kind): Kind | undefined;
  find(test: (entry: Entry) => boolean): Entry | undefined;
  find(test: (entry: Entry) => boolean): Entry | undefined {
    for (const entry of this) if (test(entry)) return entry;
    return undefined;
  }

  some(test: (entry: Entry) => boolean): boolean {
    return this.find(test) !== undefined;
  }

  filter<Kind extends Entry>(test: (entry: Entry) => entry is Kind): Kind[];
  filter(test: (entry: Entry) => boolean): Entry[];
  filter(test: (entry: Entry) => boolean): Entry[] {
    return this.slice().filter(test);
  }

  /** As JSON, a plain list. */
  toJSON(): readonly Entry[] {
    return [...this];
  }

  map<Value>(change: (entry: Entry, index: number) => Value): Value[] {
    return this.slice().map(change);
  }

  flatMap<Value>(change: (entry: Entry, index: number) => Value | readonly Value[]): Value[] {
    return this.slice().flatMap(change);
  }

  /** Like that of an array; costs what it returns. */
  slice(start = 0, end = this.length): Entry[] {
    const place = (index: number) => (index < 0 ? Math.max(0, this.length + index) : index);
    const first = Math.floor(place(start) / CHUNK);
    const chunks = [...this.#full, this.#last].slice(first, Math.ceil(place(end) / CHUNK));
    return chunks.flat().slice(place(start) - first * CHUNK, place(end) - first * CHUNK);
  }
}

/** Adds an index, and joins those of the same length. */
function withIndex(indexes: readonly Index[], added: Index): readonly Index[] {
  const before = indexes.at(-1);
  if (before?.length !== added.length) return [...indexes, added];
  const places = new Map([...before.places, ...added.places]);
  return withIndex(indexes.slice(0, -1), {start: before.start, length: 2 * added.length, places});
}

/** Returns the indexes made again: entries get other names only where acp-tui asked about a call before the agent reported it. */
function reindexed(indexes: readonly Index[], chunks: readonly Chunk[]): readonly Index[] {
  return indexes.map(({start, length}) => {
    const places = new Map<string, number>();
    for (let from = start; from < start + length; from += CHUNK)
      addPlaces(places, chunks[from / CHUNK] ?? [], from);
    return {start, length, places};
  });
}

function addPlaces(places: Map<string, number>, chunk: Chunk, start: number): void {
  for (const [offset, entry] of chunk.entries())
    for (const name of namesOf(entry)) places.set(name, start + offset);
}

function nameOf(kind: NameKind, id: string): string {
  return `${kind} ${id}`;
}

function namesOf(entry: Entry): readonly string[] {
  const id = protocolId(entry);
  if (entry.type === 'user_message')
    return [nameOf('prompt', ''), ...(id === undefined ? [] : [nameOf(entry.type, id)])];
  if (id === undefined) return [];
  const own = nameOf(entry.type, id);
  if (entry.type !== 'tool_call') return [own];
  const names = [own, nameOf('wire_id', wireIdOf(id))];
  if (entry.askedAs !== undefined) names.push(nameOf('asked_as', entry.askedAs));
  return isOwnCall(entry) ? [...names, nameOf('own_call', '')] : names;
}

/** True if one of the names of an entry is this one. */
function isNamed(entry: Entry, kind: NameKind, id: string): boolean {
  if (kind === 'prompt') return entry.type === 'user_message';
  if (entry.type !== 'tool_call') return entry.type === kind && protocolId(entry) === id;
  const {toolCallId, askedAs} = entry;
  if (kind === 'asked_as') return askedAs === id;
  if (kind === 'own_call') return isOwnCall(entry);
  if (kind === 'wire_id') return toolCallId.startsWith(id) && wireIdOf(toolCallId) === id;
  return kind === 'tool_call' && toolCallId === id;
}

function isOwnCall({toolCallId, askedAs}: ToolCallEntry): boolean {
  return askedAs === toolCallId;
}

const NUMBER = / #([1-9]\d{0,8})$/;

/** Returns the own ID of the call with that number, of those with one ID of the agent. */
export function numberedId(wireId: acp.ToolCallId, number: number): acp.ToolCallId {
  return number === 1 && !NUMBER.test(wireId) ? wireId : `${wireId} #${number}`;
}

/** Returns the agent's ID of a call from its own ID. */
export function wireIdOf(own: acp.ToolCallId): acp.ToolCallId {
  return own.replace(NUMBER, '');
}

/** Returns the number that tells the calls with one ID of the agent apart. */
export function callNumber(own: acp.ToolCallId): number {
  return Number(NUMBER.exec(own)?.[1] ?? 1);
}

/** Returns the protocol's id of an entry; undefined if it has none. */
function protocolId(entry: Entry): string | undefined {
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
