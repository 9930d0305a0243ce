import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isPasted} from '../../src/session/content/pasted-text.ts';
import type {AgentMessageEntry, Entry, EntryType, UserMessageEntry} from '../../src/session/entries.ts';
import {memoize} from '../../src/session/memoize.ts';
import {terminalIds} from '../../src/session/selectors.ts';
import type {SessionState} from '../../src/session/state.ts';
import {arrivalCount, drawLate, type Late} from '../../src/text/late.ts';
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
import {drawEntryAgain, drawLive} from '../transcript/live.ts';

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

interface Drawn {
  readonly draw: Draw;
  readonly chunk: EntryChunk;
  /** The terminals that it shows. */
  readonly terminals: readonly acp.TerminalId[];
  readonly lines: Late<readonly string[]>;
}

export function createEntryRows(): EntryRows {
  const known = new WeakMap<Entry, Drawn>();
  const messages = createMessageRows();

  function entryLines(source: TranscriptSource, entry: Entry, chunk: EntryChunk): readonly string[] {
    if (entry.type === 'agent_message') return messages.rowsOf(entry, source.draw);
    const asked = drawLiveAsked(source, chunk);
    if (asked !== undefined) return asked;
    const before = known.get(entry);
    const draw = drawFor(source.draw, entry, source.isFolded(entry.id) ? 'folded' : 'whole');
    const isUnchanged = before?.chunk.endedAt === chunk.endedAt && before && isSame(before, entry, draw);
    const lines = drawLate(isUnchanged ? before.lines : undefined, () => drawEntryAgain(chunk, draw));
    if (lines !== before?.lines) known.set(entry, {draw, chunk, terminals: terminalIds(entry), lines});
    return lines.drawing;
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
  readonly chunks: Chunk[];
  /** Lines of all finished chunks. */
  readonly lines: string[];
  entry: AgentMessageEntry | undefined;
  draw: Draw;
  /** Whether something was missing in it, see `Late`. */
  late: Pick<Late<unknown>, 'isComplete' | 'arrivals'>;
  /** Lines including the unfinished end. */
  shown: readonly string[];
}

/** Maximum number of cached messages. */
const MAX_MESSAGES = 1000;

function createMessageRows() {
  /** By entry id: a growing message is a sequence of entries with the same id. */
  const messages = new Map<string, DrawnMessage>();

  function rowsOf(entry: AgentMessageEntry, draw: Draw): readonly string[] {
    const message = messages.get(entry.id) ?? newMessage(entry, draw);
    const {isComplete, arrivals} = message.late;
    const isSame = looksSame(message.draw, draw) && (isComplete || arrivals === arrivalCount());
    if (message.entry === entry && isSame) return message.shown;
    const {finished, tail} = message.stream.take(entry);
    const from = isSame ? message.chunks.length : 0;
    if (!isSame) message.lines.length = 0;
    message.chunks.push(...finished);
    const drawn = drawLate(undefined, () => {
      for (const chunk of message.chunks.slice(from)) push(message.lines, chunk, draw);
      const shown = [...message.lines];
      if (tail !== undefined) push(shown, tail, draw);
      return shown;
    });
    message.shown = drawn.drawing;
    message.late = isSame && !isComplete ? message.late : drawn;
    message.entry = entry;
    message.draw = draw;
    return message.shown;
  }

  function newMessage({id}: AgentMessageEntry, draw: Draw): DrawnMessage {
    if (messages.size > MAX_MESSAGES) messages.clear();
    const stream = createMessageStream(id);
    const late = {isComplete: true, arrivals: 0};
    const message: DrawnMessage = {stream, chunks: [], lines: [], entry: undefined, draw, late, shown: []};
    messages.set(id, message);
    return message;
  }

  function push(lines: string[], chunk: Chunk, draw: Draw): void {
    if (lines.length > 0 && (chunk.kind !== 'block' || chunk.block.first)) lines.push('');
    for (const line of drawLive(chunk, undefined, draw)) lines.push(line);
  }

  return {rowsOf};
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

function drawLiveAsked({asked, draw}: TranscriptSource, chunk: EntryChunk): readonly string[] | undefined {
  const {entry} = chunk;
  const isAsked = entry.type === 'tool_call' && asked.has(entry.toolCallId);
  return isAsked ? drawLive(chunk, entry.toolCallId, draw) : undefined;
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

function looksSame(before: Draw, now: Draw): boolean {
  return (['columns', 'paint', 'symbols', 'extent'] as const).every((part) => before[part] === now[part]);
}

/** Without reading the content, which may be on disk. */
function isSame({draw: before, terminals}: Drawn, entry: Entry, now: Draw): boolean {
  if (before === now) return true;
  if (entry.type === 'subagent' && before.subagents !== now.subagents) return false;
  if (!looksSame(before, now)) return false;
  return terminals.every((id) => before.terminals[id] === now.terminals[id]);
}
