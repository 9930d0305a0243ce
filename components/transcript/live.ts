import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry, ShellCommandEntry} from '../../src/session/entries.ts';
import {terminalIds} from '../../src/session/selectors.ts';
import type {Theme} from '../theme/theme.tsx';
import {drawLate, type Late} from '../layout/cached-rows.ts';
import {rowsInMargin, indent, narrow} from '../layout/lines.ts';
import {rowsOfResult} from '../tool-call/card.ts';
import {rowsOfHeadline, lookupsRow} from '../tool-call/headline.ts';
import {rowsOfAttachment} from '../tool-call/contents.ts';
import type {Chunk, PlacedChunk, EntryChunk} from './chunks.ts';
import {rowsInPlace, shellHeadline} from './entries.ts';
import {rowsOfMarkdownBlock, rowsOfThoughtSummary} from './message-entries.ts';
import {rowsOfStartCard} from './start-card.ts';

/** Returns the rows of the last rows of what may still change; only visible rows. */
export function rowsOfLiveTail(live: readonly PlacedChunk[], rows: number, theme: Theme): readonly string[] {
  const parts: (readonly string[])[] = [];
  let room = rows;
  for (const placed of live.toReversed()) {
    if (room <= 0) break;
    const lines = rowsOfPlaced(placed, theme);
    if (placed.chunk.kind === 'start' && lines.length > room) break;
    const shown = lines.slice(-room);
    room -= shown.length;
    parts.unshift(shown);
  }
  return parts.flat();
}

/** Returns the tool call of a chunk that is drawn completely elsewhere. */
export function callShownElsewhere(chunk: Chunk, {asked}: Pick<Theme, 'asked'>): ToolCallEntry | undefined {
  if (chunk.kind !== 'entry' || chunk.entry.type !== 'tool_call') return undefined;
  return asked?.has(chunk.entry.toolCallId) ? chunk.entry : undefined;
}

/** Returns the rows of a chunk as lines of at most `theme.columns` columns, without the blank line above. Cached per width. */
export function rowsOfChunk(chunk: Chunk, theme: Theme): readonly string[] {
  return drawnChunk(chunk, theme).drawing;
}

/** True if nothing in the chunk is still to come, like a picture that is being read. */
export function isDrawable(chunk: Chunk, theme: Theme): boolean {
  return drawnChunk(chunk, theme).isComplete;
}

function drawnChunk(chunk: Chunk, theme: Theme): Late<readonly string[]> {
  const known = drawn.get(chunk);
  const before = known !== undefined && isSame(known, theme, chunk) ? known.lines : undefined;
  const lines = drawLate(before, theme, (theme) => rowsInTranscript(chunk, theme));
  if (lines !== before) drawn.set(chunk, {theme, terminals: terminalsIn(chunk), lines});
  return lines;
}

function terminalsIn(chunk: Chunk): readonly acp.TerminalId[] {
  return chunk.kind === 'entry' || chunk.kind === 'ending' ? terminalIds(chunk.entry) : [];
}

/** Returns the rows of a chunk with its layout. */
export function rowsOfPlaced(
  {chunk, gap, lastRows = Infinity}: PlacedChunk,
  theme: Theme,
): readonly string[] {
  const lines = rowsOfChunk(chunk, theme).slice(-lastRows);
  return gap && lines.length > 0 ? ['', ...lines] : lines;
}

interface DrawnChunk {
  readonly theme: Theme;
  /** The terminals that it shows. */
  readonly terminals: readonly acp.TerminalId[];
  readonly lines: Late<readonly string[]>;
}

const drawn = new WeakMap<Chunk, DrawnChunk>();

/** True if a chunk is drawn as before. */
function isSame({theme: before, terminals}: DrawnChunk, now: Theme, chunk: Chunk): boolean {
  if (before === now) return true;
  if (!looksAlike(before, now)) return false;
  const isSubagent = chunk.kind === 'entry' && chunk.entry.type === 'subagent';
  if (isSubagent && before.subagents !== now.subagents) return false;
  if (callShownElsewhere(chunk, before) !== callShownElsewhere(chunk, now)) return false;
  return terminals.every((id) => before.terminals[id] === now.terminals[id]);
}

/** The parts that change the looks of everything; the others are compared where they are drawn. */
const IS_LOOK: {readonly [Part in keyof Theme]-?: boolean} = {
  columns: true,
  paint: true,
  symbols: true,
  isLinear: true,
  isBoxed: true,
  agentName: true,
  cwd: true,
  extent: true,
  terminals: false,
  subagents: false,
  asked: false,
  keyOf: false,
  leaderKeyOf: false,
  lacks: false,
};
const LOOKS = (Object.keys(IS_LOOK) as (keyof Theme)[]).filter((part) => IS_LOOK[part]);

/** True if everything else than terminals, subagents and requests is drawn alike. */
export function looksAlike(before: Theme, now: Theme): boolean {
  return LOOKS.every((part) => before[part] === now[part]);
}

function rowsInTranscript(chunk: Chunk, theme: Theme): readonly string[] {
  const lines = rowsByKind(chunk, theme);
  return theme.isLinear && isBeginning(chunk) ? [`${theme.agentName}:`, ...lines] : lines;
}

/** True for the first part of a message of the agent. */
function isBeginning({kind, id}: Chunk): boolean {
  return (kind === 'block' || kind === 'attachment') && id.endsWith('/0');
}

function rowsByKind(chunk: Chunk, theme: Theme): readonly string[] {
  switch (chunk.kind) {
    case 'block':
      return rowsInMargin(theme, (inner) => rowsOfMarkdownBlock(chunk.block, inner, chunk));
    case 'attachment':
      return rowsInMargin(theme, (inner) => rowsOfAttachment(chunk.content, inner));
    case 'lookups':
      return rowsInMargin(theme, (inner) => [lookupsRow(chunk.entries, inner)]);
    case 'start':
      return rowsOfStartCard(chunk.card, theme);
    case 'ending':
      return rowsInMargin(theme, (inner) => rowsOfEnding(chunk.entry, inner));
    case 'entry':
      return rowsOfEntryChunk(chunk, theme);
  }
}

/** Returns the rows of an entry with its layout, a finished thought with its duration. */
function rowsOfEntryChunk(chunk: EntryChunk, theme: Theme): readonly string[] {
  const {entry, endedAt} = chunk;
  const asked = callShownElsewhere(chunk, theme);
  if (asked) return rowsInMargin(theme, (inner) => rowsOfHeadline(asked, inner));
  if (entry.type === 'agent_thought' && entry.complete && theme.extent === 'folded')
    return rowsInMargin(theme, (inner) => rowsOfThoughtSummary(entry, endedAt, inner));
  return rowsInPlace(entry, theme);
}

/** Returns the rows of the end of a tool call or command whose card was printed earlier. */
export function rowsOfEnding(entry: ToolCallEntry | ShellCommandEntry, theme: Theme): string[] {
  if (entry.type === 'shell_command') return [shellHeadline(entry, theme)];
  return [...rowsOfHeadline(entry, theme), ...indent(rowsOfResult(entry, narrow(theme)))];
}
