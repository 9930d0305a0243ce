import type {Entry} from '../../src/session/entries.ts';
import type {SessionState} from '../../src/session/state.ts';
import type {Draw} from '../draw/draw.ts';
import {drawEntry} from '../transcript/entries/index.ts';
import {place, type Piece} from '../transcript/pieces.ts';

interface Drawn {
  readonly draw: Draw;
  readonly lines: readonly string[];
}

/** Everything that was said and done as lines, opened. Entries that have not changed are drawn once. */
export function createTranscriptLines(): (session: SessionState, draw: Draw) => readonly string[] {
  const known = new WeakMap<Entry, Drawn>();

  function linesOf(entry: Entry, draw: Draw): readonly string[] {
    const before = known.get(entry);
    if (before && isSame(before.draw, draw, entry)) return before.lines;
    const lines = drawEntry(entry, draw);
    known.set(entry, {draw, lines});
    return lines;
  }

  return ({entries}, draw) => {
    const all: string[] = [];
    let above: Piece | undefined;
    for (const entry of entries) {
      const {piece, gap} = place({kind: 'entry', id: entry.id, entry, endedAt: undefined}, above);
      if (gap && all.length > 0) all.push('');
      for (const line of linesOf(entry, draw)) all.push(line);
      above = piece;
    }
    return all;
  };
}

function isSame(before: Draw, now: Draw, entry: Entry): boolean {
  if (before === now) return true;
  if (before.columns !== now.columns || before.paint !== now.paint || before.signs !== now.signs)
    return false;
  return (
    entry.type !== 'tool_call' ||
    entry.content.every(
      (part) =>
        part.type !== 'terminal' || before.terminals[part.terminalId] === now.terminals[part.terminalId],
    )
  );
}
