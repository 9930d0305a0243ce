import type {SessionState} from '../../src/session/state.ts';
import {
  entryChunk,
  foldLookups,
  place,
  type Chunk,
  type PlacedChunk,
  createMessageStream,
  type MessageStream,
} from './chunks.ts';
import type {Entry, ToolStatus} from '../../src/session/entries.ts';
import {isLive, terminalIds} from '../../src/session/selectors.ts';
import {isWorking} from '../../src/session/subagents/tree.ts';
import {isLookup} from '../../src/session/transcript/tool-kinds.ts';

/** A transcript as drawn in inline mode. */
export interface Projection {
  /** Chunks to print now, permanently, below earlier ones. */
  readonly committed: readonly PlacedChunk[];
  /** Chunks that may still change, redrawn with each frame. */
  readonly live: readonly PlacedChunk[];
  /** True if finished chunks wait for the next flush; false if they wait for what they lack. */
  readonly waiting: boolean;
}

export interface Limits {
  /** Returns the height of a chunk, without the blank line above. */
  readonly heightOf: (chunk: Chunk) => number;
  /** Rows available for live chunks. */
  readonly liveRows: number;
  /** Rows available for the transcript while no panel is open. */
  readonly pageRows: number;
  /** True for the tool call that a request on the screen shows completely. */
  readonly isAsked: (chunk: Chunk) => boolean;
  /** False while something is still to come that the chunk needs for printing. */
  readonly canPrint: (chunk: Chunk) => boolean;
  /** False when the time for this flush is used up. */
  readonly hasTime: () => boolean;
}

/** More rows at once would stall the terminal. */
const MAX_ROWS = 600;

export const emptyProjection: Projection = {committed: [], live: [], waiting: false};

export type Projector = ReturnType<typeof createProjector>;

/** Creates a projector, which turns a session's entries into chunks to print and chunks to redraw. */
export function createProjector() {
  let reader = createTranscriptReader();
  let last: Chunk | undefined;
  return {
    /** Reads what is new in the session, and commits what is finished. Unchanged entries cost nothing. */
    update(session: SessionState, limits: Limits): Projection {
      readTranscript(reader, session);
      const {committed, isBlocked} = release(reader, limits, last);
      last = committed.at(-1)?.chunk ?? last;
      const live = isBlocked ? [...placeAll(reader.slots, {above: last})] : placeLive(reader.slots, last);
      return {committed, live, waiting: !isBlocked && reader.slots[0]?.open === false};
    },
    /** Skips new entries except for some at the end; returns the number of skipped ones. */
    skip({entries}: SessionState, keep: number) {
      const next = entries.length - keep;
      const skipped = Math.max(0, next - reader.next);
      if (skipped > 0) reader = {...createTranscriptReader(), next};
      return skipped;
    },
    /** Commits everything immediately, as it is. */
    finish(session: SessionState): Projection {
      readTranscript(reader, session);
      const rest = reader.slots.flatMap((slot) => (slot.open ? unchanged(slot) : [slot]));
      reader.slots = [];
      return {committed: [...placeAll(rest, {above: last})], live: [], waiting: false};
    },
  };
}

interface Released {
  readonly committed: readonly PlacedChunk[];
  /** True if the next one lacks something; it is drawn without it meanwhile. */
  readonly isBlocked: boolean;
}

/** Removes finished chunks from the front, as many as one flush may print. */
function release({slots}: TranscriptReader, limits: Limits, last: Chunk | undefined): Released {
  const batch: PlacedChunk[] = [];
  let above = last;
  let rows = 0;
  let isBlocked = false;
  // Removed together at the end: removing each from the front would move all others.
  let at = 0;
  while (rows < MAX_ROWS && (batch.length === 0 || limits.hasTime())) {
    const slot = slots[at];
    if (slot === undefined) break;
    if (slot.open) {
      if (!isCrowded(slots, at, limits)) break;
      // It is about to end, and later output must be read now.
      if (limits.isAsked(slot.chunk)) {
        slots.splice(at, 1);
        slots.push(slot);
        continue;
      }
      const current = unchanged(slot);
      if (current[0] !== slot) slots.splice(at, 1, ...current);
      continue;
    }
    isBlocked = !limits.canPrint(slot.chunk);
    if (isBlocked) break;
    const looks = foldLookups(finishedFrom(slots, at));
    const released = slots.slice(at, at + (looks?.entries.length ?? 1));
    for (const {owner} of released) {
      owner.slot = undefined;
      if (owner.entry.type === 'tool_call') owner.printed = owner.entry.status;
    }
    const placed = place(looks ?? slot.chunk, above);
    batch.push(placed);
    above = placed.chunk;
    rows += heightOf(placed, limits);
    at += released.length;
  }
  slots.splice(0, at);
  return {committed: batch, isBlocked};
}

function* finishedFrom(slots: readonly PendingChunk[], from: number): Generator<Chunk> {
  for (let at = from; at < slots.length; at++) {
    const slot = slots[at];
    if (slot === undefined || slot.open) return;
    yield slot.chunk;
  }
}

/** True if the live part from there on would exceed the screen. A single chunk never does: its end is shown. Nor does a chunk before the call of a request. */
function isCrowded(slots: readonly PendingChunk[], from: number, limits: Limits): boolean {
  const isFollowed = slots.slice(from + 1, from + 3).some(({chunk}) => !limits.isAsked(chunk));
  if (!isFollowed) return false;
  let rows = 0;
  for (const placed of placeAll(slots, {from})) {
    rows += heightOf(placed, limits);
    if (rows > limits.liveRows) return true;
  }
  return false;
}

/** Prints open parts as they are; their rest is printed later. */
function unchanged(slot: PendingChunk): PendingChunk[] {
  const {owner} = slot;
  if (owner.stream === undefined) {
    slot.open = false;
    return [slot];
  }
  return owner.stream.cut().map((chunk) => ({owner, chunk, open: false}));
}

/** While finished chunks are waiting, only those after them are live. */
function placeLive(slots: readonly PendingChunk[], above: Chunk | undefined): PlacedChunk[] {
  const first = slots.findIndex(({open}) => open);
  return first === -1 ? [] : [...placeAll(slots, {from: first, above: slots[first - 1]?.chunk ?? above})];
}

function* placeAll(
  slots: readonly PendingChunk[],
  {from = 0, above}: {readonly from?: number; readonly above?: Chunk | undefined} = {},
): Generator<PlacedChunk> {
  let previous = above;
  for (let at = from; at < slots.length; at++) {
    const chunk = slots[at]?.chunk;
    if (chunk === undefined) continue;
    yield place(chunk, previous);
    previous = chunk;
  }
}

function heightOf({chunk, gap}: PlacedChunk, limits: Limits): number {
  return limits.heightOf(chunk) + (gap ? 1 : 0);
}

/** Maximum number of finished entries still checked for late changes, so that a flush costs the same in a long transcript. */
const TRACKED = 64;

/** An entry that was read and may still change. */
interface TrackedEntry {
  index: number;
  entry: Entry;
  open: boolean;
  /** The status of the tool call when it was printed. */
  printed: ToolStatus | undefined;
  readonly stream: MessageStream | undefined;
  followUps: number;
  /** Its uncommitted chunk; for a message, its stream has it. */
  slot: PendingChunk | undefined;
}

/** An uncommitted chunk. An open one may change, and those after it have to wait. */
interface PendingChunk {
  readonly owner: TrackedEntry;
  chunk: Chunk;
  open: boolean;
}

/** Incremental reader of a session's entries, with the chunks that are not committed yet, in order. */
interface TranscriptReader {
  /** Number of entries read, i.e. the index of the first new one. */
  next: number;
  watched: TrackedEntry[];
  slots: PendingChunk[];
}

function createTranscriptReader(): TranscriptReader {
  return {next: 0, watched: [], slots: []};
}

/** Reads new and changed entries. */
function readTranscript(reader: TranscriptReader, session: SessionState): void {
  const {entries} = session;
  for (const item of reader.watched) {
    const entry = entries[item.index];
    if (entry !== undefined) change(reader, item, {entry, session});
  }
  for (; reader.next < entries.length; reader.next++) admit(reader, session, reader.next);
  const firstKept = reader.watched.length - TRACKED;
  if (firstKept > 0) reader.watched = reader.watched.filter((item, index) => index >= firstKept || item.open);
}

function admit(reader: TranscriptReader, session: SessionState, index: number): void {
  const entry = session.entries[index];
  if (entry === undefined) return;
  const stream = entry.type === 'agent_message' ? createMessageStream(entry.id) : undefined;
  const open = isOpen(session, entry, index);
  const item: TrackedEntry = {index, entry, open, printed: undefined, stream, followUps: 0, slot: undefined};
  reader.watched.push(item);
  if (stream !== undefined) readMessage(reader, item);
  else enqueue(reader, item, {chunk: entryChunk(session, index, entry), open});
}

function enqueue({slots}: TranscriptReader, owner: TrackedEntry, rest: Omit<PendingChunk, 'owner'>): void {
  owner.slot = {owner, ...rest};
  slots.push(owner.slot);
}

interface Change {
  readonly entry: Entry;
  readonly session: SessionState;
}

function change(reader: TranscriptReader, item: TrackedEntry, {entry, session}: Change): void {
  const before = item.entry;
  const open = isOpen(session, entry, item.index);
  if (entry === before && open === item.open) return;
  item.entry = entry;
  item.open = open;
  if (item.stream !== undefined) return readMessage(reader, item);
  const {slot} = item;
  if (slot === undefined) return followUp(reader, item, before);
  slot.chunk = changed(slot.chunk, item, session);
  slot.open = open;
}

/** Replaces the open end of a message; after a commit, it continues below everything else. */
function readMessage(reader: TranscriptReader, item: TrackedEntry): void {
  if (item.stream === undefined || item.entry.type !== 'agent_message') return;
  const {finished, tail} = item.stream.take(item.entry);
  const read: PendingChunk[] = finished.map((chunk) => ({owner: item, chunk, open: false}));
  if (tail !== undefined) read.push({owner: item, chunk: tail, open: true});
  const {slots} = reader;
  const end = slots.findIndex((slot) => slot.open && slot.owner === item);
  slots.splice(end === -1 ? slots.length : end, end === -1 ? 0 : 1, ...read);
}

/** A significant change of a printed entry is reported in another chunk. */
function followUp(reader: TranscriptReader, item: TrackedEntry, before: Entry): void {
  const {entry} = item;
  if (item.open || entry.excluded !== before.excluded || entry.onlyHere !== before.onlyHere) return;
  const id = `${entry.id}+${++item.followUps}`;
  if (entry.type === 'tool_call') {
    if (entry.status === item.printed) return;
    item.printed = entry.status;
    enqueue(reader, item, {chunk: {kind: 'ending', id, entry}, open: false});
  } else if (entry.type === 'shell_command') {
    if (entry.endedAt !== undefined) enqueue(reader, item, {chunk: {kind: 'ending', id, entry}, open: false});
  } else if (entry.type === 'subagent') {
    // Its activity may change often: only its end is reported.
    if (isWorking(entry) || !wasWorking(before)) return;
    enqueue(reader, item, {chunk: {kind: 'entry', id, entry, endedAt: undefined}, open: false});
  } else if (entry.type !== 'agent_thought' && entry !== before)
    enqueue(reader, item, {chunk: {kind: 'entry', id, entry, endedAt: undefined}, open: false});
}

function wasWorking(entry: Entry): boolean {
  return entry.type === 'subagent' && isWorking(entry);
}

/** An uncommitted chunk keeps its kind and shows the newest state. */
function changed(chunk: Chunk, item: TrackedEntry, session: SessionState): Chunk {
  const {entry} = item;
  if (chunk.kind === 'ending' && (entry.type === 'tool_call' || entry.type === 'shell_command'))
    return {...chunk, entry};
  return {...entryChunk(session, item.index, entry), id: chunk.id};
}

/** True while an entry should not be printed yet. */
function isOpen(session: SessionState, entry: Entry, index: number): boolean {
  if (isLive(session, entry) || isDrawing(session, entry)) return true;
  if (session.turn.kind === 'idle' || session.turn.turn !== entry.turn) return false;
  switch (entry.type) {
    // Until the turn ends, a cancelled call may still complete.
    case 'tool_call':
      if (entry.status === 'cancelled') return session.turn.kind === 'cancelling';
      return entry.status === 'completed' && isLookup(entry.kind) && isInLastRun(session, index);
    // These grow, and their end is not reported.
    case 'session_message':
    case 'unknown':
      return index === session.entries.length - 1;
    default:
      return false;
  }
}

/** A longer run of reads is printed although more may follow, so that a flush costs the same in a long run. */
const HELD = 20;

/** True if only reads followed an entry: they are folded into one row when something else follows. */
function isInLastRun({entries}: SessionState, index: number): boolean {
  if (entries.length - index > HELD) return false;
  for (let at = index + 1; at < entries.length; at++) {
    const entry = entries[at];
    if (entry?.type !== 'tool_call' || !isLookup(entry.kind)) return false;
  }
  return true;
}

/** True while a command's output on a card is still being interpreted. */
function isDrawing({terminals}: SessionState, entry: Entry): boolean {
  return terminalIds(entry).some((id) => terminals[id]?.isBehind === true);
}
