import {rowsOfPlaced} from '../chunks/chunk-rows.ts';
import type {PlacedChunk} from '../chunks/chunks.ts';
import {Rows} from '../layout/rows.tsx';
import {useTheme} from '../theme/theme.tsx';

interface LivePartProps {
  readonly live: readonly PlacedChunk[];
  /** Its height at most. */
  readonly rows: number;
}

/** The end of what may still change, above everything that is always there. */
export function LivePart({live, rows}: LivePartProps) {
  const theme = useTheme();
  const parts: (readonly string[])[] = [];
  let room = rows;
  for (const placed of live.toReversed()) {
    if (room <= 0) break;
    const all = rowsOfPlaced(placed, theme);
    if (placed.chunk.kind === 'start' && all.length > room) break;
    const shown = all.slice(-room);
    room -= shown.length;
    parts.unshift(shown);
  }
  return <Rows of={parts.flat()} />;
}
