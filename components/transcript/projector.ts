import type {SessionState} from '../../src/session/state.ts';
import {
  createTranscriptReader,
  readTranscript,
  type TranscriptReader,
  type PendingChunk,
} from './transcript-reader.ts';
import {foldLooks, place, type Chunk, type PlacedChunk} from './chunks.ts';

/** A transcript as inline mode draws it. */
export interface Projection {
  /** What is to be printed now, for good, below what was printed before. */
  readonly committed: readonly PlacedChunk[];
  /** The part that may still change, redrawn with each frame. */
  readonly live: readonly PlacedChunk[];
  /** True if finished chunks wait for the next flush. */
  readonly waiting: boolean;
}

export interface Limits {
  /** Lines that a chunk takes, without the blank one above. */
  readonly heightOf: (chunk: Chunk) => number;
  /** Lines that there are for what is live. */
  readonly liveRows: number;
  /** Lines of the screen that there are for the transcript while no panel is open. */
  readonly pageRows: number;
  /** True for the tool call that a request on the screen shows in full. */
  readonly isAsked: (chunk: Chunk) => boolean;
  /** False while something is loaded that the chunk should be printed with. */
  readonly canPrint: (chunk: Chunk) => boolean;
  /** False when the keyboard has waited long enough for what was taken off the front so far. */
  readonly hasTime: () => boolean;
}

export interface Projector {
  /** Takes in what is new in the session, and commits what can be. Costs nothing for entries that did not change. */
  update(session: SessionState, limits: Limits): Projection;
  /** Leaves out what is new, but for so many entries at the end; returns how many it leaves out. */
  skip(session: SessionState, keep: number): number;
  /** Commits everything immediately, as it is. */
  finish(session: SessionState): Projection;
}

/** More at once would stall the terminal. */
const MAX_ROWS = 600;

export const emptyProjection: Projection = {committed: [], live: [], waiting: false};

/** Turns the entries of a session, as they come and change, into chunks to print and chunks to redraw. */
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

/** Takes finished chunks off the front, as many as one flush may print. */
function release({slots}: TranscriptReader, limits: Limits, last: Chunk | undefined): PlacedChunk[] {
  const batch: PlacedChunk[] = [];
  let above = last;
  let rows = 0;
  // Those that were taken stay until the end: taking each off the front would move all that are behind it.
  let at = 0;
  while (rows < MAX_ROWS && (batch.length === 0 || limits.hasTime())) {
    const slot = slots[at];
    if (slot === undefined) break;
    if (slot.open) {
      if (!isCrowded(slots, at, limits)) break;
      // Its end is near, and what came meanwhile is to be read now.
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
    const taken = slots.slice(at, at + (looks?.entries.length ?? 1));
    for (const {owner} of taken) {
      owner.slot = undefined;
      if (owner.entry.type === 'tool_call') owner.printed = owner.entry.status;
    }
    const placed = place(looks ?? slot.chunk, above);
    batch.push(placed);
    above = placed.chunk;
    rows += heightOf(placed, limits);
    at += taken.length;
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

/**
 * True if what is live, from there on, would outgrow the screen. Something alone never does: its end is shown. Nor does something
 * before the call that is asked about.
 */
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

/** Open parts are printed as they are; their end is printed later. */
function asItStands(slot: PendingChunk): PendingChunk[] {
  const {owner} = slot;
  if (owner.stream === undefined) {
    slot.open = false;
    return [slot];
  }
  return owner.stream.cut().map((chunk) => ({owner, chunk, open: false}));
}

/** While finished chunks wait, only what is behind them is live. */
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
