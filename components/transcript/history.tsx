import {Static, Text} from 'ink';
import {memo} from 'react';
import type {Draw} from '../draw/draw.ts';
import {drawPiece} from './draw-piece.ts';
import type {PlacedPiece} from './pieces.ts';

interface HistoryProps {
  readonly pieces: readonly PlacedPiece[];
  readonly draw: Draw;
}

/**
 * What was printed into the scrollback. Ink prints each piece once; drawing this component again costs a frame that no
 * throttle holds back, so it is drawn only when there are new pieces.
 */
export const History = memo(PrintedHistory, (before, after) => before.pieces === after.pieces);

function PrintedHistory({pieces, draw}: HistoryProps) {
  return (
    <Static items={pieces as PlacedPiece[]}>
      {({piece, gap}) => <Text key={piece.id}>{printed(drawPiece(piece, draw), gap)}</Text>}
    </Static>
  );
}

function printed(lines: readonly string[], gap: boolean): string {
  // Ink takes a text without characters for nothing at all.
  const shown = gap ? ['', ...lines] : lines;
  return shown.join('\n') || ' ';
}
