import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isPasted} from '../../src/session/content/pasted-text.ts';
import type {AgentMessageEntry, Entry, EntryType, UserMessageEntry} from '../../src/session/entries.ts';
import {memoize} from '../../src/session/memoize.ts';
import type {SessionState} from '../../src/session/state.ts';
import {drawLate, type Late} from '../../src/text/late.ts';
import type {Draw, CardExtent} from '../draw/draw.ts';
import {
  createMessageStream,
  foldableLookup,
  foldLookups,
  place,
  type Chunk,
  type EntryChunk,
  type LookupsChunk,
  type MessageStream,
} from '../transcript/chunks.ts';
import {drawLive, looksSame} from '../transcript/live.ts';

/** The transcript to draw, and how. */
export interface TranscriptSource {
  readonly session: SessionState;
  readonly draw: Draw;
  readonly isFolded: (id: string) => boolean;
  /** Tool calls that are drawn completely elsewhere: of those only the headline is drawn. */
  readonly asked: ReadonlySet<acp.ToolCallId>;
  /** Rows below the last entry. */
  readonly end: readonly string[];
}

/** Draws the entries of a transcript one by one, cached while they look the same. */
export interface EntryRows {
  /** Returns the rows of the entry at that index, with the blank one above it. */
  readonly rowsOf: (source: TranscriptSource, index: number) => readonly string[];
}

export function createEntryRows(): EntryRows {
  const messages = createMessageRows();

  function entryLines(source: TranscriptSource, entry: Entry, chunk: EntryChunk): readonly string[] {
    const {draw, isFolded, asked} = source;
    if (entry.type === 'agent_message') return messages.rowsOf(entry, draw);
    if (entry.type === 'tool_call' && asked.has(entry.toolCallId))
      return drawLive(chunk, entry.toolCallId, draw);
    return drawLive(chunk, undefined, drawFor(draw, entry, isFolded(entry.id) ? 'folded' : 'whole'));
  }

  function rowsOf(source: TranscriptSource, index: number): readonly string[] {
    const {entries} = source.session;
    const entry = entries[index];
    if (entry === undefined) return source.end;
    const run = lookupsAround(source, index);
    if (run !== undefined && run.first !== index) return [];
    const chunk = run?.chunk ?? chunkOf(source.session, index, entry);
    const above = entries[index - 1];
    const {gap} = place(chunk, above && chunkOf(source.session, index - 1, above));
    const lines =
      chunk.kind === 'entry'
        ? entryLines(source, entry, chunk)
        : drawLive(chunk, undefined, drawFor(source.draw, entry, 'folded'));
    return gap && index > 0 && lines.length > 0 ? ['', ...lines] : lines;
  }

  return {rowsOf};
}

/** Longer runs are drawn as several, so that each row costs the same. */
const MAX_RUN = 1000;

/** Returns the run of folded reads and searches around an entry, which is drawn in one row, and its first index; undefined if it is in none. */
function lookupsAround(
  {session, isFolded}: TranscriptSource,
  index: number,
): {readonly first: number; readonly chunk: LookupsChunk} | undefined {
  const partAt = (at: number): Chunk | undefined => {
    const entry = session.entries[at];
    if (entry?.type !== 'tool_call' || !isFolded(entry.id)) return undefined;
    const chunk = chunkOf(session, at, entry);
    return foldableLookup(chunk) && chunk;
  };
  let first = index;
  if (partAt(index) === undefined) return undefined;
  while (first % MAX_RUN > 0 && partAt(first - 1) !== undefined) first--;
  const parts: Chunk[] = [];
  for (let at = first; parts.length < MAX_RUN; at++) {
    const part = partAt(at);
    if (part === undefined || (at > first && at % MAX_RUN === 0)) break;
    parts.push(part);
  }
  const chunk = foldLookups(parts);
  return chunk && {first, chunk};
}

/** A growing message of which each part is read and drawn once. */
interface DrawnMessage {
  readonly stream: MessageStream;
  readonly finished: Chunk[];
  chunks: readonly Chunk[];
  entry: AgentMessageEntry | undefined;
  draw: Draw | undefined;
  lines: Late<readonly string[]> | undefined;
}

/** Maximum number of cached messages. */
const MAX_MESSAGES = 1000;

function createMessageRows() {
  /** By entry id: a growing message is a sequence of entries with the same id. */
  const messages = new Map<string, DrawnMessage>();

  function rowsOf(entry: AgentMessageEntry, draw: Draw): readonly string[] {
    const message = messages.get(entry.id) ?? newMessage(entry);
    const isSame = message.entry === entry && message.draw !== undefined && looksSame(message.draw, draw);
    if (message.entry !== entry) {
      const {finished, tail} = message.stream.take(entry);
      message.finished.push(...finished);
      message.chunks = tail === undefined ? message.finished : [...message.finished, tail];
    }
    const lines = drawLate(isSame ? message.lines : undefined, () => drawChunks(message.chunks, draw));
    Object.assign(message, {entry, draw, lines});
    return lines.drawing;
  }

  function newMessage({id}: AgentMessageEntry): DrawnMessage {
    if (messages.size > MAX_MESSAGES) messages.clear();
    const message: DrawnMessage = {
      stream: createMessageStream(id),
      finished: [],
      chunks: [],
      entry: undefined,
      draw: undefined,
      lines: undefined,
    };
    messages.set(id, message);
    return message;
  }

  return {rowsOf};
}

function drawChunks(chunks: readonly Chunk[], draw: Draw): readonly string[] {
  const lines: string[] = [];
  for (const chunk of chunks) {
    if (lines.length > 0 && (chunk.kind !== 'block' || chunk.block.first)) lines.push('');
    for (const line of drawLive(chunk, undefined, draw)) lines.push(line);
  }
  return lines;
}

/** True for entries whose long parts can be folded. */
export function canFold(entry: Entry): boolean {
  return entry.type === 'user_message' ? hasPasted(entry) : FOLDS.has(entry.type);
}

const FOLDS: ReadonlySet<EntryType> = new Set([
  'tool_call',
  'agent_thought',
  'subagent',
  'session_message',
  'shell_command',
]);

const hasPasted = memoize(({content}: UserMessageEntry) => content.some(isPasted));

const chunks = new WeakMap<Entry, EntryChunk>();

function chunkOf({entries}: SessionState, index: number, entry: Entry): EntryChunk {
  const isOver = entry.type === 'agent_thought' && entry.complete;
  const endedAt = isOver ? entries[index + 1]?.at : undefined;
  const before = chunks.get(entry);
  if (before?.endedAt === endedAt && before !== undefined) return before;
  const chunk: EntryChunk = {kind: 'entry', id: entry.id, entry, endedAt};
  chunks.set(entry, chunk);
  return chunk;
}

/** Columns at the right edge for the fold mark, with a blank. */
const FOLD_COLUMNS = 2;

const variants = new WeakMap<Draw, Map<string, Draw>>();

/** Returns an entry's drawing context: the same object each time, so that it is not redrawn. */
function drawFor(draw: Draw, entry: Entry, extent: CardExtent): Draw {
  const columns = Math.max(1, draw.columns - (canFold(entry) ? FOLD_COLUMNS : 0));
  const known = variants.get(draw) ?? new Map<string, Draw>();
  variants.set(draw, known);
  const name = `${extent} ${columns}`;
  const variant = known.get(name) ?? {...draw, extent, columns};
  known.set(name, variant);
  return variant;
}
