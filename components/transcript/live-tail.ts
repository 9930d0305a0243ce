import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {Draw} from '../draw/draw.ts';
import {drawHeadline} from '../tool-call/headline.ts';
import {drawPiece} from './draw-piece.ts';
import type {Piece, PlacedPiece} from './pieces.ts';

export interface TailOptions {
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
