import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry, ShellCommandEntry} from '../../src/session/entries.ts';
import {terminalIds} from '../../src/session/selectors.ts';
import type {DrawContext} from '../draw/draw.ts';
import {drawLate, type Late} from '../draw/late.ts';
import {drawBesideMargin, indent, narrow} from '../draw/lines.ts';
import {drawResult} from '../tool-call/card.ts';
import {drawHeadline, drawLookups} from '../tool-call/headline.ts';
import {drawAttachment} from '../tool-call/contents.ts';
import type {Chunk, PlacedChunk, EntryChunk} from './chunks.ts';
import {drawInPlace, drawShellHeadline} from './entries.ts';
import {drawBlock, drawThoughtSummary} from './message-entries.ts';
import {drawStartCard} from './start-card.ts';

/** Draws the last rows of what may still change; only visible rows. */
export function drawLiveTail(
  live: readonly PlacedChunk[],
  rows: number,
  draw: DrawContext,
): readonly string[] {
  const parts: (readonly string[])[] = [];
  let room = rows;
  for (const placed of live.toReversed()) {
    if (room <= 0) break;
    const lines = drawPlacedChunk(placed, draw);
    if (placed.chunk.kind === 'start' && lines.length > room) break;
    const shown = lines.slice(-room);
    room -= shown.length;
    parts.unshift(shown);
  }
  return parts.flat();
}

/** Returns the tool call of a chunk that is drawn completely elsewhere. */
export function callDrawnElsewhere(
  chunk: Chunk,
  {asked}: Pick<DrawContext, 'asked'>,
): ToolCallEntry | undefined {
  if (chunk.kind !== 'entry' || chunk.entry.type !== 'tool_call') return undefined;
  return asked?.has(chunk.entry.toolCallId) ? chunk.entry : undefined;
}

/** Draws a chunk as lines of at most `draw.columns` columns, without the blank line above. Cached per width. */
export function drawChunk(chunk: Chunk, draw: DrawContext): readonly string[] {
  return drawnChunk(chunk, draw).drawing;
}

/** True if nothing in the chunk is still to come, like a picture that is being read. */
export function isDrawable(chunk: Chunk, draw: DrawContext): boolean {
  return drawnChunk(chunk, draw).isComplete;
}

function drawnChunk(chunk: Chunk, draw: DrawContext): Late<readonly string[]> {
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
export function drawPlacedChunk(
  {chunk, gap, lastRows = Infinity}: PlacedChunk,
  draw: DrawContext,
): readonly string[] {
  const lines = drawChunk(chunk, draw).slice(-lastRows);
  return gap && lines.length > 0 ? ['', ...lines] : lines;
}

interface DrawnChunk {
  readonly draw: DrawContext;
  /** The terminals that it shows. */
  readonly terminals: readonly acp.TerminalId[];
  readonly lines: Late<readonly string[]>;
}

const drawn = new WeakMap<Chunk, DrawnChunk>();

/** True if a chunk is drawn as before. */
function isSame({draw: before, terminals}: DrawnChunk, now: DrawContext, chunk: Chunk): boolean {
  if (before === now) return true;
  if (!isDrawnAlike(before, now)) return false;
  const isSubagent = chunk.kind === 'entry' && chunk.entry.type === 'subagent';
  if (isSubagent && before.subagents !== now.subagents) return false;
  if (callDrawnElsewhere(chunk, before) !== callDrawnElsewhere(chunk, now)) return false;
  return terminals.every((id) => before.terminals[id] === now.terminals[id]);
}

/** The parts that change the looks of everything; the others are compared where they are drawn. */
const IS_LOOK: {readonly [Part in keyof DrawContext]-?: boolean} = {
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
const LOOKS = (Object.keys(IS_LOOK) as (keyof DrawContext)[]).filter((part) => IS_LOOK[part]);

/** True if everything else than terminals, subagents and requests is drawn alike. */
export function isDrawnAlike(before: DrawContext, now: DrawContext): boolean {
  return LOOKS.every((part) => before[part] === now[part]);
}

function drawUncached(chunk: Chunk, draw: DrawContext): readonly string[] {
  const lines = drawByKind(chunk, draw);
  return draw.isLinear && isBeginning(chunk) ? [`${draw.agentName}:`, ...lines] : lines;
}

/** True for the first part of a message of the agent. */
function isBeginning({kind, id}: Chunk): boolean {
  return (kind === 'block' || kind === 'attachment') && id.endsWith('/0');
}

function drawByKind(chunk: Chunk, draw: DrawContext): readonly string[] {
  switch (chunk.kind) {
    case 'block':
      return drawBesideMargin(draw, (inner) => drawBlock(chunk.block, inner, chunk));
    case 'attachment':
      return drawBesideMargin(draw, (inner) => drawAttachment(chunk.content, inner));
    case 'lookups':
      return drawBesideMargin(draw, (inner) => [drawLookups(chunk.entries, inner)]);
    case 'start':
      return drawStartCard(chunk.card, draw);
    case 'ending':
      return drawBesideMargin(draw, (inner) => drawEnding(chunk.entry, inner));
    case 'entry':
      return drawEntryAgain(chunk, draw);
  }
}

/** Draws an entry with its layout, a finished thought with its duration. */
function drawEntryAgain(chunk: EntryChunk, draw: DrawContext): readonly string[] {
  const {entry, endedAt} = chunk;
  const asked = callDrawnElsewhere(chunk, draw);
  if (asked) return drawBesideMargin(draw, (inner) => drawHeadline(asked, inner));
  if (entry.type === 'agent_thought' && entry.complete && draw.extent === 'folded')
    return drawBesideMargin(draw, (inner) => drawThoughtSummary(entry, endedAt, inner));
  return drawInPlace(entry, draw);
}

/** Draws the end of a tool call or command whose card was printed earlier. */
export function drawEnding(entry: ToolCallEntry | ShellCommandEntry, draw: DrawContext): string[] {
  if (entry.type === 'shell_command') return [drawShellHeadline(entry, draw)];
  return [...drawHeadline(entry, draw), ...indent(drawResult(entry, narrow(draw)))];
}
