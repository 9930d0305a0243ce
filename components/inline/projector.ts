import type {SessionState} from '../../src/session/state.ts';
import {
  entryChunk,
  groupLookups,
  layOutChunk,
  layOutChunks,
  type Chunk,
  type PlacedChunk,
} from '../chunks/chunks.ts';
import {createMessageStream, type MessageStream} from '../chunks/message-stream.ts';
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

export interface ProjectionLimits {
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
/** So many chunks are drawn ahead, so that a thread has enough to do until the next flush. */
const MAX_AHEAD = 64;
/** Maximum number of printed entries still checked for late changes, so that a flush costs the same in a long transcript. */
const TRACKED = 64;

export const emptyProjection: Projection = {committed: [], live: [], waiting: false};

export type Projector = ReturnType<typeof createProjector>;

/** Creates a projector, which turns a session's entries into chunks to print and chunks to redraw. */
export function createProjector() {
  const reader: Reader = {items: [], next: 0, last: undefined};
  return {
    /** Reads what is new in the session, and commits what is finished. Unchanged entries cost nothing. */
    update(session: SessionState, limits: ProjectionLimits): Projection {
      read(reader, session);
      const {committed, rest, isBlocked} = release(reader, limits);
      // While finished chunks are waiting, only those after them are live.
      const held = rest.findIndex((pending) => isHeld(...pending));
      const firstHeld = held === -1 ? rest.length : held;
      const from = isBlocked ? 0 : firstHeld;
      const live = [...layOutChunks(chunksFrom(rest, from), rest[from - 1]?.[1] ?? reader.last)];
      return {committed, live, waiting: !isBlocked && rest.length > 0 && firstHeld !== 0};
    },
    /** Skips new entries except for some at the end; returns the number of skipped ones. */
    skip({entries}: SessionState, keep: number) {
      const skipped = Math.max(0, entries.length - keep - reader.next);
      if (skipped > 0) Object.assign(reader, {items: [], next: reader.next + skipped});
      return skipped;
    },
    /** Commits everything immediately, as it is. */
    finish(session: SessionState): Projection {
      read(reader, session);
      reader.items.forEach(cut);
      const committed = [...layOutChunks(chunksFrom(pendingIn(reader.items), 0), reader.last)];
      reader.items = [];
      return {committed, live: [], waiting: false};
    },
  };
}

/** What was read of a session. */
interface Reader {
  /** The entries that may still change or are not printed yet, in the order of their next chunks. */
  items: Item[];
  /** The index of the first entry that was not read yet. */
  next: number;
  /** The last printed chunk. */
  last: Chunk | undefined;
}

/** Reads new and changed entries. What a printed one has to add comes after everything else. */
function read(reader: Reader, session: SessionState): void {
  const late = new Set<Item>();
  for (const item of reader.items) {
    const isPrinted = item.chunks.length === 0;
    refresh(item, session);
    if (isPrinted && item.chunks.length > 0) late.add(item);
  }
  if (late.size > 0) reader.items = [...reader.items.filter((item) => !late.has(item)), ...late];
  for (; reader.next < session.entries.length; reader.next++) {
    const entry = session.entries.get(reader.next);
    if (entry !== undefined) reader.items.push(createItem(session, entry, reader.next));
  }
  const firstKept = reader.items.length - TRACKED;
  if (firstKept > 0)
    reader.items = reader.items.filter(
      ({isOpen, chunks}, index) => index >= firstKept || isOpen || chunks.length > 0,
    );
}

/** Takes finished chunks from the front, as many as one flush may print. */
function release(reader: Reader, limits: ProjectionLimits) {
  let pending = pendingIn(reader.items);
  const committed: PlacedChunk[] = [];
  let isBlocked = false;
  let rows = 0;
  let at = 0;
  while (rows < MAX_ROWS && (committed.length === 0 || limits.hasTime())) {
    const [item, chunk] = pending[at] ?? [];
    if (item === undefined || chunk === undefined) break;
    if (isHeld(item, chunk)) {
      if (!isCrowded(pending, at, limits)) break;
      // It is about to end, and later output must be read now.
      if (limits.isAsked(chunk)) {
        pending = [...pending.slice(0, at), ...pending.slice(at + 1), [item, chunk]];
        reader.items = [...reader.items.filter((other) => other !== item), item];
        continue;
      }
      if (item.stream !== undefined) {
        const ended = cut(item).map((each): Pending => [item, each]);
        pending = [...pending.slice(0, at), ...ended, ...pending.slice(at + 1)];
        continue;
      }
    }
    isBlocked = !limits.canPrint(chunk);
    if (isBlocked) {
      // What the next ones lack is on its way, too, once they are drawn.
      for (const next of finishedFrom(pending.slice(0, at + MAX_AHEAD), at)) limits.canPrint(next);
      break;
    }
    const looks = groupLookups(finishedFrom(pending, at));
    const placed = layOutChunk(looks ?? chunk, reader.last);
    committed.push(placed);
    reader.last = placed.chunk;
    rows += heightOf(placed, limits);
    at += looks?.entries.length ?? 1;
  }
  for (const [item] of pending.slice(0, at)) {
    item.lastPrinted = item.chunks.shift();
    if (item.entry.type === 'tool_call') item.printed = item.entry.status;
  }
  return {committed, rest: pending.slice(at), isBlocked: isBlocked && at === 0};
}

/** An entry that was read, and may still change. */
interface Item {
  readonly index: number;
  entry: Entry;
  /** True while it should not be printed yet. */
  isOpen: boolean;
  /** What is not printed yet: of a message many, otherwise one at most. */
  chunks: Chunk[];
  readonly stream: MessageStream | undefined;
  lastPrinted: Chunk | undefined;
  /** The status of the tool call when it was printed. */
  printed: ToolStatus | undefined;
  followUps: number;
}

function createItem(session: SessionState, entry: Entry, index: number): Item {
  const stream = entry.type === 'agent_message' ? createMessageStream(entry.id) : undefined;
  const isOpen = mayChange(session, entry, index);
  const unprinted = {chunks: [], lastPrinted: undefined, printed: undefined, followUps: 0};
  const item: Item = {index, entry, isOpen, stream, ...unprinted};
  item.chunks = chunksOf(item, session);
  return item;
}

/** Takes over the newest state of an entry. A significant change of a printed one is reported in another chunk. */
function refresh(item: Item, session: SessionState): void {
  const before = item.entry;
  const entry = session.entries.get(item.index) ?? before;
  const isOpen = mayChange(session, entry, item.index);
  if (entry === before && isOpen === item.isOpen) return;
  Object.assign(item, {entry, isOpen});
  const isPrinted = item.stream === undefined && item.chunks.length === 0;
  if (isPrinted && !isReported(item, before)) return;
  if (isPrinted) item.followUps++;
  item.chunks = chunksOf(item, session);
}

/** Returns what is not printed yet of an entry. */
function chunksOf({entry, index, lastPrinted, stream, followUps}: Item, session: SessionState): Chunk[] {
  if (stream !== undefined && entry.type === 'agent_message') {
    const {finished, tail} = stream.take(entry);
    const printed = lastPrinted === undefined ? 0 : finished.lastIndexOf(lastPrinted) + 1;
    return [...finished.slice(printed), ...(tail ? [tail] : [])];
  }
  if (followUps === 0) return [entryChunk(session, index, entry)];
  const id = `${entry.id}+${followUps}`;
  return entry.type === 'tool_call' || entry.type === 'shell_command'
    ? [{kind: 'ending', id, entry}]
    : [{kind: 'entry', id, entry, endedAt: undefined}];
}

/** Finishes the open part of a message, and returns it. */
function cut(item: Item): readonly Chunk[] {
  const ended = item.stream?.cut() ?? [];
  item.chunks = [...item.chunks.filter((chunk) => !isGrowing(chunk)), ...ended];
  return ended;
}

/** True if a change of a printed entry is worth a row. */
function isReported({entry, isOpen, printed}: Item, before: Entry): boolean {
  if (isOpen || entry.excluded !== before.excluded || entry.onlyHere !== before.onlyHere) return false;
  switch (entry.type) {
    case 'tool_call':
      return entry.status !== printed;
    case 'shell_command':
      return entry.endedAt !== undefined;
    // Its activity may change often: only its end is reported.
    case 'subagent':
      return !isWorking(entry) && before.type === 'subagent' && isWorking(before);
    case 'agent_thought':
      return false;
    // The agent gives it an ID when it repeats it.
    case 'user_message':
      return before.type === 'user_message' && entry.content !== before.content;
    default:
      return entry !== before;
  }
}

/** A chunk that is not printed yet. */
type Pending = readonly [item: Item, chunk: Chunk];

function pendingIn(items: readonly Item[]): Pending[] {
  return items.flatMap((item) => item.chunks.map((chunk): Pending => [item, chunk]));
}

/** True for a chunk that may still change; those after it have to wait. */
function isHeld({stream, isOpen}: Item, chunk: Chunk): boolean {
  return stream === undefined ? isOpen : isGrowing(chunk);
}

function isGrowing(chunk: Chunk): boolean {
  return chunk.kind === 'block' && chunk.progress === 'streaming';
}

/** The chunk at that index, and those after it that are finished. */
function* finishedFrom(pending: readonly Pending[], from: number): Generator<Chunk> {
  for (let at = from; at < pending.length; at++) {
    const [item, chunk] = pending[at] ?? [];
    if (item === undefined || chunk === undefined || (at > from && isHeld(item, chunk))) return;
    yield chunk;
  }
}

/** True if the live part from there on would exceed the screen. A single chunk never does: its end is shown. Nor does one before the call of a request. */
function isCrowded(pending: readonly Pending[], from: number, limits: ProjectionLimits): boolean {
  let rows = 0;
  let isFollowed = false;
  for (const placed of layOutChunks(chunksFrom(pending, from), undefined)) {
    isFollowed ||= rows > 0 && !limits.isAsked(placed.chunk);
    rows += heightOf(placed, limits);
    if (isFollowed && rows > limits.liveRows) return true;
  }
  return false;
}

function chunksFrom(pending: readonly Pending[], from: number): readonly Chunk[] {
  return pending.slice(from).map(([, chunk]) => chunk);
}

function heightOf({chunk, gap}: PlacedChunk, limits: ProjectionLimits): number {
  return limits.heightOf(chunk) + (gap ? 1 : 0);
}

/** True while an entry should not be printed yet. */
function mayChange(session: SessionState, entry: Entry, index: number): boolean {
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

/** So many entries of a longer run of reads are printed together although more may follow, so that a flush costs the same in a long run. */
const HELD = 20;

/** True if only reads followed an entry, and more may still join it in one row. */
function isInLastRun({entries}: SessionState, index: number): boolean {
  if (entries.length >= index - (index % HELD) + HELD) return false;
  for (let at = index + 1; at < entries.length; at++) {
    const entry = entries.get(at);
    if (entry?.type !== 'tool_call' || !isLookup(entry.kind)) return false;
  }
  return true;
}

/** True while a command's output on a card is still being interpreted. */
function isDrawing({terminals}: SessionState, entry: Entry): boolean {
  return terminalIds(entry).some((id) => terminals.get(id)?.isBehind === true);
}
