import type {Draw} from '../draw/draw.ts';
import {drawPiece} from './draw-piece.ts';
import type {PlacedPiece} from './pieces.ts';

/** The last `rows` lines of what may still change. Only what is seen is drawn. */
export function drawLiveTail(live: readonly PlacedPiece[], rows: number, draw: Draw): readonly string[] {
  const parts: (readonly string[])[] = [];
  let room = rows;
  for (let index = live.length - 1; index >= 0 && room > 0; index--) {
    const placed = live[index];
    if (placed === undefined) break;
    const lines = drawPiece(placed.piece, draw);
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
