import {isPasted} from '../../src/session/content/pasted-text.ts';
import type {AgentMessageEntry, Entry, EntryType, UserMessageEntry} from '../../src/session/entries.ts';
import {memoize} from '../../src/session/memoize.ts';
import type {SessionState} from '../../src/session/state.ts';
import type {Theme} from '../theme/theme.tsx';
import {cacheRows} from '../layout/cached-rows.ts';
import {
  entryChunk,
  groupableLookup,
  groupLookups,
  layOutChunks,
  type Chunk,
  type LookupsChunk,
} from '../chunks/chunks.ts';
import {createMessageStream, type MessageStream} from '../chunks/message-stream.ts';
import {rowsOfPlaced} from '../chunks/chunk-rows.ts';

/** The transcript to draw, and how. */
export interface TranscriptSource {
  readonly session: SessionState;
  readonly theme: Theme;
  readonly isFolded: (id: string) => boolean;
  /** Rows below the last entry. */
  readonly end: readonly string[];
}

/** Returns the rows of the entry at that index, with the blank one above it. */
export type RowsOf = (source: TranscriptSource, index: number) => readonly string[];

/** Returns the entries of a transcript one by one, cached while they look the same. */
export function createRowsOf(): RowsOf {
  const chunksOfMessage = createMessageReader();
  const lookupsAround = createRunFinder();
  return (source, index) => {
    const {session, isFolded, end} = source;
    const entry = session.entries.get(index);
    if (entry === undefined) return end;
    const run = lookupsAround(source, index);
    if (run !== undefined && run.first !== index) return [];
    // What has no mark to unfold it is whole.
    const isShort = run !== undefined || (canFold(entry) && isFolded(entry.id));
    const theme = themeFor(source.theme, entry, isShort ? 'folded' : 'whole');
    const above = entryAbove(session, index);
    if (entry.type === 'agent_message') return rowsOfMessage(chunksOfMessage(entry), theme, above);
    return rowsBelow([run?.chunk ?? entryChunk(session, index, entry)], theme, above);
  };
}

function entryAbove(session: SessionState, index: number): Chunk | undefined {
  const above = session.entries.get(index - 1);
  return above && entryChunk(session, index - 1, above);
}

/** Returns the rows of the chunks of an entry, below the entry before it. */
function rowsBelow(chunks: readonly Chunk[], theme: Theme, above: Chunk | undefined): readonly string[] {
  return [...layOutChunks(chunks, above)].flatMap(({chunk, gap}, index) =>
    rowsOfPlaced({chunk, gap: gap && (above !== undefined || index > 0)}, theme),
  );
}

/** The rows of the chunks of a message: a long one has thousands, and they are not asked one by one with each key. */
const rowsOfMessage = cacheRows(rowsBelow);

/** Longer runs are drawn as several, so that each row costs the same. */
const MAX_RUN = 1000;

/** Reads and searches that are drawn in one row, of entries from `first` to before `end`. */
interface Run {
  readonly first: number;
  readonly end: number;
  readonly chunk: LookupsChunk;
}

/** Returns a function that finds the run around an entry; undefined if it is in none. Its entries are asked one after the other, and find it at once. */
function createRunFinder(): (source: TranscriptSource, index: number) => Run | undefined {
  let last: (Pick<TranscriptSource, 'session' | 'isFolded'> & Run) | undefined;
  return ({session, isFolded}, index) => {
    const known = last?.session === session && last.isFolded === isFolded ? last : undefined;
    if (known && index >= known.first && index < known.end) return known;
    const run = lookupsAround({session, isFolded}, index);
    if (run) last = {session, isFolded, ...run};
    return run;
  };
}

function lookupsAround(
  {session, isFolded}: Pick<TranscriptSource, 'session' | 'isFolded'>,
  index: number,
): Run | undefined {
  const partAt = (at: number): Chunk | undefined => {
    const entry = session.entries.get(at);
    if (entry?.type !== 'tool_call' || !isFolded(entry.id)) return undefined;
    const chunk = entryChunk(session, at, entry);
    return groupableLookup(chunk) && chunk;
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
  const chunk = groupLookups(parts);
  return chunk && {first, end: first + parts.length, chunk};
}

/** Maximum number of cached messages. */
const MAX_MESSAGES = 1000;

function createMessageReader() {
  /** By entry id: a growing message is a sequence of entries with the same id. */
  const streams = new Map<string, MessageStream>();
  return memoize((entry: AgentMessageEntry): readonly Chunk[] => {
    if (streams.size > MAX_MESSAGES) streams.clear();
    const stream = streams.get(entry.id) ?? createMessageStream(entry.id);
    streams.set(entry.id, stream);
    const {finished, tail} = stream.take(entry);
    return [...finished, ...(tail === undefined ? [] : [tail])];
  });
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

/** Columns at the right edge for the fold mark, with a blank. */
const FOLD_COLUMNS = 2;

function themeFor(theme: Theme, entry: Entry, extent: Theme['extent']): Theme {
  return {...theme, extent, columns: Math.max(1, theme.columns - (canFold(entry) ? FOLD_COLUMNS : 0))};
}
