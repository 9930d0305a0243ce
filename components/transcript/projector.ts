import type {SessionState} from '../../src/session/state.ts';
import {
  createTranscriptReader,
  readTranscript,
  type TranscriptReader,
  type PendingChunk,
} from './transcript-reader.ts';
import {foldLooks, place, type Chunk, type PlacedChunk} from './chunks.ts';

/** A transcript as drawn in inline mode. */
export interface Projection {
  /** Chunks to print now, permanently, below earlier ones. */
  readonly committed: readonly PlacedChunk[];
  /** Chunks that may still change, redrawn with each frame. */
  readonly live: readonly PlacedChunk[];
  /** True if finished chunks wait for the next flush. */
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
  /** False while something is loading that the chunk needs for printing. */
  readonly canPrint: (chunk: Chunk) => boolean;
  /** False when the time for this flush is used up. */
  readonly hasTime: () => boolean;
}

export interface Projector {
  /** Reads what is new in the session, and commits what is finished. Unchanged entries cost nothing. */
  update(session: SessionState, limits: Limits): Projection;
  /** Skips new entries except for some at the end; returns the number of skipped ones. */
  skip(session: SessionState, keep: number): number;
  /** Commits everything immediately, as it is. */
  finish(session: SessionState): Projection;
}

/** More rows at once would stall the terminal. */
const MAX_ROWS = 600;

export const emptyProjection: Projection = {committed: [], live: [], waiting: false};

/** Creates a projector, which turns a session's entries into chunks to print and chunks to redraw. */
export function createProjector(): Projector {
  let reader = createTranscriptReader();
  let last: Chunk | undefined;
  return {
    update(session, limits) {
      readTranscript(reader, session);
      const committed = release(reader, limits, last);
      last = committed.at(-1)?.chunk ?? last;
      const waiting = reader.slots[0]?.open === false;
      return {committed, live: placeLive(reader.slots, last), waiting};
    },
    skip({entries, rearranged}, keep) {
      const next = entries.length - keep;
      const skipped = Math.max(0, next - reader.next);
      if (skipped > 0) reader = {...createTranscriptReader(), next, rearranged};
      return skipped;
    },
    finish(session) {
      readTranscript(reader, session);
      const rest = reader.slots.flatMap((slot) => (slot.open ? asItStands(slot) : [slot]));
      reader.slots = [];
      return {committed: [...placeAll(rest, {above: last})], live: [], waiting: false};
    },
  };
}

/** Removes finished chunks from the front, as many as one flush may print. */
function release({slots}: TranscriptReader, limits: Limits, last: Chunk | undefined): PlacedChunk[] {
  const batch: PlacedChunk[] = [];
  let above = last;
  let rows = 0;
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
      const current = asItStands(slot);
      if (current[0] !== slot) slots.splice(at, 1, ...current);
      continue;
    }
    if (!limits.canPrint(slot.chunk)) break;
    const looks = foldLooks(finishedFrom(slots, at));
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
  return batch;
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
function asItStands(slot: PendingChunk): PendingChunk[] {
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
