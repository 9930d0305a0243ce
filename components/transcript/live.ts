import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry, ShellCommandEntry} from '../../src/session/entries.ts';
import type {Draw} from '../draw/draw.ts';
import {indent, inside} from '../draw/lines.ts';
import {drawHeadline, drawResult} from '../tool-call/card.ts';
import {drawAttachment} from '../tool-call/contents.ts';
import type {Piece, PlacedPiece, EntryPiece} from './chunks.ts';
import {drawEntry, drawShellHeadline} from './entries.ts';
import {drawBlock, drawThoughtSummary} from './message-entries.ts';

interface TailOptions {
  readonly rows: number;
  readonly asked: Asked;
}

/** The tool call that a request on the screen shows in full. */
export type Asked = acp.ToolCallId | undefined;

/** The last rows of what may still change. Only what is seen is drawn. */
export function drawLiveTail(
  live: readonly PlacedPiece[],
  {rows, asked}: TailOptions,
  draw: Draw,
): readonly string[] {
  const parts: (readonly string[])[] = [];
  let room = rows;
  for (let index = live.length - 1; index >= 0 && room > 0; index--) {
    const placed = live[index];
    if (placed === undefined) break;
    const lines = drawLive(placed.piece, asked, draw);
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

/** A piece that may still change: of what is asked about, the headline is enough. */
export function drawLive(piece: Piece, asked: Asked, draw: Draw): readonly string[] {
  const entry = askedEntry(piece, asked);
  return entry === undefined ? drawPiece(piece, draw) : [drawHeadline(entry, draw)];
}

export function askedEntry(piece: Piece, asked: Asked): ToolCallEntry | undefined {
  if (asked === undefined || piece.kind !== 'entry' || piece.entry.type !== 'tool_call') return undefined;
  return piece.entry.toolCallId === asked ? piece.entry : undefined;
}

/** A piece as lines of at most `draw.columns` columns, without the blank line above. Drawn once for each width. */
function drawPiece(piece: Piece, draw: Draw): readonly string[] {
  const known = drawn.get(piece);
  if (known !== undefined && isSame(known.draw, draw, piece)) return known.lines;
  const lines = drawAnew(piece, draw);
  drawn.set(piece, {draw, lines});
  return lines;
}

/** A piece as it is printed, in its place. */
export function drawPrinted({piece, gap, lastRows = Infinity}: PlacedPiece, draw: Draw): readonly string[] {
  const lines = drawPiece(piece, draw).slice(-lastRows);
  return gap && lines.length > 0 ? ['', ...lines] : lines;
}

const drawn = new WeakMap<Piece, {readonly draw: Draw; readonly lines: readonly string[]}>();

function isSame(one: Draw, other: Draw, piece: Piece): boolean {
  if (one === other) return true;
  const type = piece.kind === 'entry' || piece.kind === 'ending' ? piece.entry.type : undefined;
  const hasTerminals = type === 'tool_call' || type === 'shell_command';
  if (hasTerminals && one.terminals !== other.terminals) return false;
  if (type === 'subagent' && one.subagents !== other.subagents) return false;
  return one.columns === other.columns && one.paint === other.paint && one.signs === other.signs;
}

function drawAnew(piece: Piece, draw: Draw): readonly string[] {
  switch (piece.kind) {
    case 'block':
      return drawBlock(piece.block, draw, piece.progress);
    case 'attachment':
      return drawAttachment(piece.content, draw);
    case 'ending':
      return drawEnding(piece.entry, draw);
    case 'entry':
      return drawEntryPiece(piece, draw);
  }
}

function drawEntryPiece({entry, endedAt}: EntryPiece, draw: Draw): readonly string[] {
  if (entry.type === 'agent_thought' && entry.complete) return drawThoughtSummary(entry, endedAt, draw);
  return drawEntry(entry, draw);
}

/** How a tool call or a command ended whose card stands further up. */
export function drawEnding(entry: ToolCallEntry | ShellCommandEntry, draw: Draw): string[] {
  if (entry.type === 'shell_command') return [drawShellHeadline(entry, draw)];
  return [drawHeadline(entry, draw), ...indent(drawResult(entry, inside(draw)))];
}
