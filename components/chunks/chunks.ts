import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Entry, EntryType, ShellCommandEntry, ToolCallEntry} from '../../src/session/entries.ts';
import {decisionLabel} from '../../src/session/labels/labels.ts';
import type {SessionState} from '../../src/session/state.ts';
import {isLookup} from '../../src/session/transcript/tool-kinds.ts';
import type {StartCard} from '../../src/app/status/start-card.ts';
import type {Block} from '../../src/text/markdown/style.ts';

/** A unit that is printed into the scrollback once: an entry, or a finished part of a message. Ids are unique in a transcript. */
export type Chunk =
  | EntryChunk
  | {
      readonly kind: 'block';
      readonly id: string;
      readonly block: Block;
      readonly progress: 'finished' | 'streaming';
      /** The message that it is a part of. */
      readonly stream?: object;
    }
  /** Content of a message that is not text. */
  | {
      readonly kind: 'attachment';
      readonly id: string;
      readonly content: Exclude<acp.ContentBlock, {type: 'text'}>;
    }
  | LookupsChunk
  /** What a new window begins with. */
  | {readonly kind: 'start'; readonly id: string; readonly card: StartCard}
  /** How a tool call or a command ended whose card was printed while it ran. */
  | {readonly kind: 'ending'; readonly id: string; readonly entry: ToolCallEntry | ShellCommandEntry};

interface EntryChunk {
  readonly kind: 'entry';
  readonly id: string;
  readonly entry: Entry;
  /** When the next entry followed, in milliseconds since the epoch; only for a finished thought. */
  readonly endedAt: number | undefined;
}

/** A finished run of reads and searches, in one row. */
export interface LookupsChunk {
  readonly kind: 'lookups';
  readonly id: string;
  readonly entries: readonly ToolCallEntry[];
}

/** A chunk with its layout. */
export interface PlacedChunk {
  readonly chunk: Chunk;
  /** True if a blank line precedes it. */
  readonly gap: boolean;
  /** Number of its last rows to print, if not all. */
  readonly lastRows?: number;
}

const entryChunks = new WeakMap<Entry, EntryChunk>();

/** Returns an entry as a chunk: the same one as long as both look the same. */
export function entryChunk({entries}: SessionState, index: number, entry: Entry): EntryChunk {
  const isOver = entry.type === 'agent_thought' && entry.complete;
  const endedAt = isOver ? entries.get(index + 1)?.at : undefined;
  const before = entryChunks.get(entry);
  if (before !== undefined && before.endedAt === endedAt) return before;
  const chunk: EntryChunk = {kind: 'entry', id: entry.id, entry, endedAt};
  entryChunks.set(entry, chunk);
  return chunk;
}

/** Lays out a chunk below another. */
export function layOutChunk(chunk: Chunk, above: Chunk | undefined): PlacedChunk {
  return {chunk, gap: hasGap(chunk, above)};
}

/** Lays out chunks below each other, and below another. */
export function* layOutChunks(chunks: Iterable<Chunk>, first: Chunk | undefined): Generator<PlacedChunk> {
  let above = first;
  for (const chunk of chunks) {
    yield layOutChunk(chunk, above);
    above = chunk;
  }
}

/**
 * Chunks of some families are not separated by blank rows: calls in a row, notices in a row, a turn's end below its last entry. `open` is a call whose body is
 * shown, which has a blank row below it.
 */
type Family = 'prompt' | 'prose' | 'call' | 'open' | 'notice' | 'end';

const FAMILIES: {readonly [Type in EntryType]: Family} = {
  user_message: 'prompt',
  agent_message: 'prose',
  agent_thought: 'prose',
  tool_call: 'call',
  plan: 'prose',
  notice: 'notice',
  compaction: 'prose',
  subagent: 'prose',
  session_message: 'prose',
  unknown: 'prose',
  turn_end: 'end',
  failure: 'prose',
  shell_command: 'prose',
  elicitation: 'prose',
};

/** The families that follow another without a blank row. */
const JOINED: {readonly [Each in Family]?: readonly Family[]} = {
  call: ['call'],
  open: ['call'],
  notice: ['notice'],
  end: ['prompt', 'prose', 'call', 'open', 'notice', 'end'],
};

function hasGap(chunk: Chunk, above: Chunk | undefined): boolean {
  if (chunk.kind === 'block' && !chunk.block.first && above?.kind === 'block') return false;
  return above === undefined || JOINED[familyOf(chunk)]?.includes(familyOf(above)) !== true;
}

function familyOf(chunk: Chunk): Family {
  if (chunk.kind === 'block' || chunk.kind === 'attachment') return 'prose';
  if (chunk.kind === 'start') return 'notice';
  if (chunk.kind === 'ending' || chunk.kind === 'lookups') return 'call';
  const {entry} = chunk;
  // A failure is a paragraph of its own.
  if (entry.type === 'turn_end' && entry.summary.outcome.kind === 'failed') return 'prose';
  return entry.type === 'tool_call' && hasBody(entry) ? 'open' : FAMILIES[entry.type];
}

/** Minimum number of calls in one row. */
const MIN_LOOKUPS = 3;

/** Returns the call of a successful read whose row has nothing special, so that it can be folded with its neighbors. */
export function groupableLookup(chunk: Chunk | undefined): ToolCallEntry | undefined {
  if (chunk?.kind !== 'entry' || chunk.entry.type !== 'tool_call') return undefined;
  const {kind, status, permission, onlyHere, excluded} = chunk.entry;
  const isPlain = decisionLabel(permission) === undefined && !onlyHere && !excluded;
  return isLookup(kind) && status === 'completed' && isPlain ? chunk.entry : undefined;
}

/** Returns the reads and searches at the beginning of the chunks as one chunk; undefined if there are too few. */
export function groupLookups(chunks: Iterable<Chunk>): LookupsChunk | undefined {
  const entries: ToolCallEntry[] = [];
  for (const chunk of chunks) {
    const entry = groupableLookup(chunk);
    if (entry === undefined) break;
    entries.push(entry);
  }
  const [first] = entries;
  if (first === undefined || entries.length < MIN_LOOKUPS) return undefined;
  return {kind: 'lookups', id: `${first.id}-lookups`, entries};
}

/** True for a call that shows more than its headline, as far as known without drawing it. */
function hasBody({kind, status, content}: ToolCallEntry): boolean {
  return content.length > 0 && (!isLookup(kind) || status === 'failed');
}
