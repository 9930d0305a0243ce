import type {Entry, ToolStatus, AgentMessageEntry} from '../../src/session/entries.ts';
import {isLive, terminalIds} from '../../src/session/selectors.ts';
import type {SessionState} from '../../src/session/state.ts';
import {isWorking} from '../../src/session/subagents/tree.ts';
import {isLook} from '../../src/session/transcript/tool-kinds.ts';
import {isHidden} from '../../src/session/transcript/content.ts';
import {createBlockSplitter} from '../../src/text/markdown/splitter.ts';
import type {Block} from '../../src/text/markdown/style.ts';
import type {Chunk, BlockChunk} from './chunks.ts';

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
export interface PendingChunk {
  readonly owner: TrackedEntry;
  chunk: Chunk;
  open: boolean;
}

/** Incremental reader of a session's entries, with the chunks that are not committed yet, in order. */
export interface TranscriptReader {
  /** Number of entries read, i.e. the index of the first new one. */
  next: number;
  /** The session's counter of the same name. */
  rearranged: number;
  watched: TrackedEntry[];
  slots: PendingChunk[];
}

export function createTranscriptReader(): TranscriptReader {
  return {next: 0, rearranged: 0, watched: [], slots: []};
}

/** Reads new and changed entries. */
export function readTranscript(reader: TranscriptReader, session: SessionState): void {
  const {entries} = session;
  if (reader.rearranged !== session.rearranged) rearrange(reader, session);
  for (const item of reader.watched) {
    const entry = entries.get(item.index);
    if (entry !== undefined) change(reader, item, {entry, session});
  }
  for (; reader.next < entries.length; reader.next++) admit(reader, session, reader.next);
  const firstKept = reader.watched.length - TRACKED;
  if (firstKept > 0) reader.watched = reader.watched.filter((item, index) => index >= firstKept || item.open);
}

/** A replay has inserted entries. Entries already read stay; inserted ones are read in order. */
function rearrange(reader: TranscriptReader, session: SessionState): void {
  const places = new Map(session.entries.map((entry, index) => [entry.id, index]));
  for (const item of reader.watched) {
    item.index = places.get(item.entry.id) ?? item.index;
    // A replayed copy of it is not a change.
    if (!item.open) item.entry = session.entries.get(item.index) ?? item.entry;
  }
  for (let index = 0; index < session.entries.length; index++)
    if (Number(session.entries.get(index)?.id) >= reader.next) admit(reader, session, index);
  reader.next = session.entries.length;
  reader.rearranged = session.rearranged;
}

function admit(reader: TranscriptReader, session: SessionState, index: number): void {
  const entry = session.entries.get(index);
  if (entry === undefined) return;
  const stream = entry.type === 'agent_message' ? createMessageStream(entry.id) : undefined;
  const open = isOpen(session, entry, index);
  const item: TrackedEntry = {index, entry, open, printed: undefined, stream, followUps: 0, slot: undefined};
  reader.watched.push(item);
  if (stream !== undefined) readMessage(reader, item);
  else enqueue(reader, item, {chunk: entryPiece(item, session), open});
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
  return {...entryPiece(item, session), id: chunk.id};
}

function entryPiece({entry, index, open}: TrackedEntry, session: SessionState): Chunk {
  const endedAt = open ? undefined : session.entries.get(index + 1)?.at;
  return {kind: 'entry', id: entry.id, entry, endedAt};
}

/** True while an entry should not be printed yet. */
function isOpen(session: SessionState, entry: Entry, index: number): boolean {
  if (isLive(session, entry) || isDrawing(session, entry)) return true;
  if (session.turn.kind === 'idle' || session.turn.turn !== entry.turn) return false;
  switch (entry.type) {
    // Until the turn ends, a cancelled call may still complete.
    case 'tool_call':
      if (entry.status === 'cancelled') return session.turn.kind === 'cancelling';
      return entry.status === 'completed' && isLook(entry.kind) && isInLastRun(session, index);
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
    const entry = entries.get(at);
    if (entry?.type !== 'tool_call' || !isLook(entry.kind)) return false;
  }
  return true;
}

/** True while a command's output on a card is still being interpreted. */
function isDrawing({terminals}: SessionState, entry: Entry): boolean {
  return terminalIds(entry).some((id) => terminals[id]?.isBehind === true);
}

/** Splits a growing message into chunks; each part of it is read once. */
export interface MessageStream {
  /** Reads what is new: the chunks that are finished now, and the open one after them. */
  take(entry: AgentMessageEntry): {readonly finished: Chunk[]; readonly tail: BlockChunk | undefined};
  /** Finishes the open chunk; later text starts a new one. */
  cut(): Chunk[];
}

export function createMessageStream(entryId: string): MessageStream {
  let splitter = createBlockSplitter();
  /** Index of the current content block, and the length of its text that was read. */
  let at = 0;
  let read = 0;
  let count = 0;
  const id = () => `${entryId}/${count++}`;
  const finish = (blocks: readonly Block[]) =>
    blocks.map((block): Chunk => ({kind: 'block', id: id(), block, progress: 'finished'}));

  function cut(): Chunk[] {
    const rest = finish(splitter.end());
    splitter = createBlockSplitter();
    return rest;
  }

  function take({content, complete}: AgentMessageEntry): ReturnType<MessageStream['take']> {
    const finished: Chunk[] = [];
    for (; at < content.length; at++, read = 0) {
      const block = content[at];
      if (block === undefined || isHidden(block)) continue;
      if (block.type === 'text') {
        finished.push(...finish(splitter.push(block.text.slice(read))));
        read = block.text.length;
        // The last text may grow even after the message was complete.
        if (at === content.length - 1) break;
        finished.push(...cut());
      } else finished.push({kind: 'attachment', id: id(), content: block});
    }
    if (complete) finished.push(...cut());
    const {tailBlock} = splitter;
    const tail =
      tailBlock && ({kind: 'block', id: `${entryId}/tail`, block: tailBlock, progress: 'streaming'} as const);
    return {finished, tail};
  }

  return {take, cut};
}
