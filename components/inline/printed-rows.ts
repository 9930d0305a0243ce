import type {Theme} from '../theme/theme.tsx';
import type {PlacedChunk} from '../chunks/chunks.ts';
import {rowsOfPlaced} from '../chunks/chunk-rows.ts';

/** The start of a prompt, which no resize draws again, and of what follows it. */
const PROMPT = '\x1b]133;A;redraw=0\x1b\\';
const OUTPUT = '\x1b]133;C\x1b\\';

/**
 * Returns a function that returns the rows of a chunk to print. The user's messages are marked in them, so that the terminal can jump from one to the next
 * (OSC 133). https://gitlab.freedesktop.org/Per_Bothner/specifications/blob/master/proposals/semantic-prompts.md
 */
export function createPrintedRows() {
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
