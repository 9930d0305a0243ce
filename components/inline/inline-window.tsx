import {Box} from 'ink';
import {useState} from 'react';
import {BelowTranscript} from '../below-transcript.tsx';
import {rowsOfPlaced} from '../chunks/chunk-rows.ts';
import type {PlacedChunk} from '../chunks/chunks.ts';
import {Rows} from '../layout/rows.tsx';
import {type Theme, ThemeContext, useTheme} from '../theme/theme.tsx';
import {useWindow, type WindowProps} from '../use-window.ts';

/** The inline window: finished chunks go into the scrollback, a small live part is redrawn. */
export function InlineWindow(props: WindowProps) {
  const [rowsOf] = useState(createPrintedRows);
  const {screen, parts, theme, live, coverBox} = useWindow(props, rowsOf);
  return (
    <ThemeContext value={theme}>
      <Box flexDirection="column">
        <LivePart live={live} rows={parts.shares.live} />
        <BelowTranscript
          parts={parts}
          screen={screen}
          capabilities={props.capabilities}
          coverBox={coverBox}
        />
      </Box>
    </ThemeContext>
  );
}

/** The end of what may still change, above everything that is always there; in so many rows at most. */
function LivePart({live, rows}: {readonly live: readonly PlacedChunk[]; readonly rows: number}) {
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

/** The start of a prompt, which no resize draws again, and of what follows it. */
const PROMPT = '\x1b]133;A;redraw=0\x1b\\';
const OUTPUT = '\x1b]133;C\x1b\\';

/**
 * Returns a function that returns the rows of a chunk to print. The user's messages are marked in them, so that the terminal can jump from one to the next
 * (OSC 133). https://gitlab.freedesktop.org/Per_Bothner/specifications/blob/master/proposals/semantic-prompts.md
 */
function createPrintedRows() {
  let isAfterPrompt = false;
  return (placed: PlacedChunk, theme: Theme): readonly string[] => {
    const rows = rowsOfPlaced(placed, theme);
    if (rows.length === 0) return rows;
    const {chunk, gap} = placed;
    const before = isAfterPrompt ? OUTPUT : '';
    isAfterPrompt = chunk.kind === 'entry' && chunk.entry.type === 'user_message';
    const first = isAfterPrompt ? (gap ? 1 : 0) : undefined;
    return rows.map((row, index) => (index === 0 ? before : '') + (index === first ? PROMPT : '') + row);
  };
}
