import type {Draw} from '../draw/draw.ts';
import {drawEnding} from '../tool-call/ending.ts';
import {drawAttachment} from './attachment.ts';
import {drawBlock} from './entries/agent-message.ts';
import {drawThoughtSummary} from './entries/agent-thought.ts';
import {drawEntry} from './entries/index.ts';
import type {EntryPiece, Piece, PlacedPiece} from './pieces.ts';

/** A piece as lines of at most `draw.columns` columns, without the blank line above. Drawn once for each width. */
export function drawPiece(piece: Piece, draw: Draw): readonly string[] {
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
