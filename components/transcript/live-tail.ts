import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Draw} from '../draw/draw.ts';
import {drawHeadline} from '../tool-call/headline.ts';
import {drawPiece} from './draw-piece.ts';
import type {Piece, PlacedPiece} from './pieces.ts';

export interface TailOptions {
  readonly rows: number;
  /** The tool call that a request on the screen shows in full: here its headline is enough. */
  readonly asked: acp.ToolCallId | undefined;
}

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

function drawLive(piece: Piece, asked: acp.ToolCallId | undefined, draw: Draw): readonly string[] {
  const entry = piece.kind === 'entry' ? piece.entry : undefined;
  const isAsked = asked !== undefined && entry?.type === 'tool_call' && entry.toolCallId === asked;
  return isAsked ? [drawHeadline(entry, draw)] : drawPiece(piece, draw);
}
