import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry, ShellCommandEntry} from '../../src/session/entries.ts';
import {terminalIds} from '../../src/session/selectors.ts';
import type {Draw} from '../draw/draw.ts';
import {drawLate, type Late} from '../draw/late.ts';
import {besideMargin, indent, inside} from '../draw/lines.ts';
import {drawResult} from '../tool-call/card.ts';
import {drawHeadline, drawLookups} from '../tool-call/headline.ts';
import {drawAttachment} from '../tool-call/contents.ts';
import type {Chunk, PlacedChunk, EntryChunk} from './chunks.ts';
import {drawInPlace, drawShellHeadline} from './entries.ts';
import {drawBlock, drawThoughtSummary} from './message-entries.ts';
import {drawStartCard} from './start-card.ts';

/** Draws the last rows of what may still change; only visible rows. */
export function drawLiveTail(live: readonly PlacedChunk[], rows: number, draw: Draw): readonly string[] {
  const parts: (readonly string[])[] = [];
  let room = rows;
  for (const placed of live.toReversed()) {
    if (room <= 0) break;
    const lines = drawPlaced(placed, draw);
    if (placed.chunk.kind === 'start' && lines.length > room) break;
    const shown = lines.slice(-room);
    room -= shown.length;
    parts.unshift(shown);
  }
  return parts.flat();
}

/** Returns the tool call of a chunk that is drawn completely elsewhere. */
export function askedCall(chunk: Chunk, {asked}: Pick<Draw, 'asked'>): ToolCallEntry | undefined {
  if (chunk.kind !== 'entry' || chunk.entry.type !== 'tool_call') return undefined;
  return asked?.has(chunk.entry.toolCallId) ? chunk.entry : undefined;
}

/** Draws a chunk as lines of at most `draw.columns` columns, without the blank line above. Cached per width. */
export function drawChunk(chunk: Chunk, draw: Draw): readonly string[] {
  return drawnChunk(chunk, draw).drawing;
}

/** True if nothing in the chunk is still to come, like a picture that is being read. */
export function isDrawable(chunk: Chunk, draw: Draw): boolean {
  return drawnChunk(chunk, draw).isComplete;
}

function drawnChunk(chunk: Chunk, draw: Draw): Late<readonly string[]> {
  const known = drawn.get(chunk);
  const before = known !== undefined && isSame(known, draw, chunk) ? known.lines : undefined;
  const lines = drawLate(before, draw, (draw) => drawUncached(chunk, draw));
  if (lines !== before) drawn.set(chunk, {draw, terminals: terminalsIn(chunk), lines});
  return lines;
}

function terminalsIn(chunk: Chunk): readonly acp.TerminalId[] {
  return chunk.kind === 'entry' || chunk.kind === 'ending' ? terminalIds(chunk.entry) : [];
}

/** Draws a chunk with its layout. */
export function drawPlaced({chunk, gap, lastRows = Infinity}: PlacedChunk, draw: Draw): readonly string[] {
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

/** True if a chunk is drawn as before. */
function isSame({draw: before, terminals}: DrawnChunk, now: Draw, chunk: Chunk): boolean {
  if (before === now) return true;
  if (!looksSame(before, now)) return false;
  const isSubagent = chunk.kind === 'entry' && chunk.entry.type === 'subagent';
  if (isSubagent && before.subagents !== now.subagents) return false;
  if (askedCall(chunk, before) !== askedCall(chunk, now)) return false;
  return terminals.every((id) => before.terminals[id] === now.terminals[id]);
}

/** The parts that change the looks of everything; the others are compared where they are drawn. */
const IS_LOOK: {readonly [Part in keyof Draw]-?: boolean} = {
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
const LOOKS = (Object.keys(IS_LOOK) as (keyof Draw)[]).filter((part) => IS_LOOK[part]);

/** True if everything else than terminals, subagents and requests is drawn alike. */
export function looksSame(before: Draw, now: Draw): boolean {
  return LOOKS.every((part) => before[part] === now[part]);
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
      return besideMargin(draw, (inner) => drawBlock(chunk.block, inner, chunk));
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
function drawEntryAgain(chunk: EntryChunk, draw: Draw): readonly string[] {
  const {entry, endedAt} = chunk;
  const asked = askedCall(chunk, draw);
  if (asked) return besideMargin(draw, (inner) => drawHeadline(asked, inner));
  if (entry.type === 'agent_thought' && entry.complete && draw.extent === 'folded')
    return besideMargin(draw, (inner) => drawThoughtSummary(entry, endedAt, inner));
  return drawInPlace(entry, draw);
}

/** Draws the end of a tool call or command whose card was printed earlier. */
export function drawEnding(entry: ToolCallEntry | ShellCommandEntry, draw: Draw): string[] {
  if (entry.type === 'shell_command') return [drawShellHeadline(entry, draw)];
  return [...drawHeadline(entry, draw), ...indent(drawResult(entry, inside(draw)))];
}
