import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry, ShellCommandEntry} from '../../src/session/entries.ts';
import {terminalIds} from '../../src/session/selectors.ts';
import {drawLate, type Late} from '../../src/text/late.ts';
import type {Draw} from '../draw/draw.ts';
import {besideMargin, indent, inside} from '../draw/lines.ts';
import {drawResult} from '../tool-call/card.ts';
import {drawHeadline, drawLookups} from '../tool-call/headline.ts';
import {drawAttachment} from '../tool-call/contents.ts';
import type {Chunk, PlacedChunk, EntryChunk} from './chunks.ts';
import {drawInPlace, drawShellHeadline} from './entries.ts';
import {drawBlock, drawThoughtSummary} from './message-entries.ts';
import {drawStartCard} from './start-card.ts';

/** The tool call that a request on the screen shows completely. */
export type Asked = acp.ToolCallId | undefined;

/** Draws the last rows of what may still change; only visible rows. */
export function drawLiveTail(
  live: readonly PlacedChunk[],
  {rows, asked}: {readonly rows: number; readonly asked: Asked},
  draw: Draw,
): readonly string[] {
  const parts: (readonly string[])[] = [];
  let room = rows;
  for (let index = live.length - 1; index >= 0 && room > 0; index--) {
    const placed = live[index];
    if (placed === undefined) break;
    const lines = drawLive(placed.chunk, asked, draw);
    if (placed.chunk.kind === 'start' && lines.length + 1 > room) break;
    const shown = lines.slice(-room);
    room -= shown.length;
    parts.unshift(shown);
    if (placed.gap && room > 0) {
      parts.unshift(['']);
      room--;
    }
  }
  return parts.flat();
}

/** Draws a chunk that may still change: of a call that a request shows, only the headline. */
export function drawLive(chunk: Chunk, asked: Asked, draw: Draw): readonly string[] {
  const entry = askedEntry(chunk, asked);
  return entry === undefined
    ? drawChunk(chunk, draw)
    : besideMargin(draw, (inner) => drawHeadline(entry, inner));
}

export function askedEntry(chunk: Chunk, asked: Asked): ToolCallEntry | undefined {
  if (asked === undefined || chunk.kind !== 'entry' || chunk.entry.type !== 'tool_call') return undefined;
  return chunk.entry.toolCallId === asked ? chunk.entry : undefined;
}

/** Draws a chunk as lines of at most `draw.columns` columns, without the blank line above. Cached per width. */
function drawChunk(chunk: Chunk, draw: Draw): readonly string[] {
  return drawnChunk(chunk, draw).drawing;
}

/** True if nothing in the chunk is still to come, like a picture that is being read. */
export function isDrawable(chunk: Chunk, draw: Draw): boolean {
  return drawnChunk(chunk, draw).isComplete;
}

function drawnChunk(chunk: Chunk, draw: Draw): Late<readonly string[]> {
  const known = drawn.get(chunk);
  const before = known !== undefined && isSame(known, draw, chunk) ? known.lines : undefined;
  const lines = drawLate(before, () => drawUncached(chunk, draw));
  if (lines !== before) drawn.set(chunk, {draw, terminals: terminalsIn(chunk), lines});
  return lines;
}

function terminalsIn(chunk: Chunk): readonly acp.TerminalId[] {
  return chunk.kind === 'entry' || chunk.kind === 'ending' ? terminalIds(chunk.entry) : [];
}

/** Draws a chunk for printing, with its layout. */
export function drawPrinted({chunk, gap, lastRows = Infinity}: PlacedChunk, draw: Draw): readonly string[] {
  const lines = drawChunk(chunk, draw).slice(-lastRows);
  return gap && lines.length > 0 ? ['', ...lines] : lines;
}

interface DrawnChunk {
  readonly draw: Draw;
  /** The terminals that it shows. */
  readonly terminals: readonly acp.TerminalId[];
  readonly lines: Late<readonly string[]>;
}

const drawn = new WeakMap<Chunk, DrawnChunk>();

/** Without reading the content of an entry, which may be on disk. */
function isSame({draw: before, terminals}: DrawnChunk, now: Draw, chunk: Chunk): boolean {
  if (before === now) return true;
  if (!looksSame(before, now)) return false;
  const isSubagent = chunk.kind === 'entry' && chunk.entry.type === 'subagent';
  if (isSubagent && before.subagents !== now.subagents) return false;
  return terminals.every((id) => before.terminals[id] === now.terminals[id]);
}

/** True if everything else than terminals and subagents is drawn alike. */
export function looksSame(before: Draw, now: Draw): boolean {
  return (['columns', 'paint', 'symbols', 'extent'] as const).every((part) => before[part] === now[part]);
}

function drawUncached(chunk: Chunk, draw: Draw): readonly string[] {
  const lines = drawByKind(chunk, draw);
  return draw.isLinear && isBeginning(chunk) ? [`${draw.agentName}:`, ...lines] : lines;
}

/** True for the first part of a message of the agent. */
function isBeginning({kind, id}: Chunk): boolean {
  return (kind === 'block' || kind === 'attachment') && id.endsWith('/0');
}

function drawByKind(chunk: Chunk, draw: Draw): readonly string[] {
  switch (chunk.kind) {
    case 'block':
      return besideMargin(draw, (inner) => drawBlock(chunk.block, inner, chunk.progress));
    case 'attachment':
      return besideMargin(draw, (inner) => drawAttachment(chunk.content, inner));
    case 'lookups':
      return besideMargin(draw, (inner) => [drawLookups(chunk.entries, inner)]);
    case 'start':
      return drawStartCard(chunk.card, draw);
    case 'ending':
      return besideMargin(draw, (inner) => drawEnding(chunk.entry, inner));
    case 'entry':
      return drawEntryAgain(chunk, draw);
  }
}

/** Draws an entry with its layout, a finished thought with its duration. */
function drawEntryAgain({entry, endedAt}: EntryChunk, draw: Draw): readonly string[] {
  if (entry.type === 'agent_thought' && entry.complete && draw.extent === 'folded')
    return besideMargin(draw, (inner) => drawThoughtSummary(entry, endedAt, inner));
  return drawInPlace(entry, draw);
}

/** Draws the end of a tool call or command whose card was printed earlier. */
export function drawEnding(entry: ToolCallEntry | ShellCommandEntry, draw: Draw): string[] {
  if (entry.type === 'shell_command') return [drawShellHeadline(entry, draw)];
  return [...drawHeadline(entry, draw), ...indent(drawResult(entry, inside(draw)))];
}
