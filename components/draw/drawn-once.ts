import type {Draw} from './draw.ts';

/** How something is drawn that belongs to a source, and perhaps to a part beside it. */
export type DrawWith<Source, Part> = (source: Source, part: Part, draw: Draw) => readonly string[];

/** Draws what can be large once for each width: a request is drawn again with each key and each scroll. */
export function drawnOnce<Source extends object, Part>(
  drawLines: DrawWith<Source, Part>,
): DrawWith<Source, Part> {
  const known = new WeakMap<
    Source,
    {part: Part; columns: number; paint: Draw['paint']; lines: readonly string[]}
  >();
  return (source, part, draw) => {
    const before = known.get(source);
    if (before?.part === part && before?.columns === draw.columns && before.paint === draw.paint)
      return before.lines;
    const lines = drawLines(source, part, draw);
    known.set(source, {part, columns: draw.columns, paint: draw.paint, lines});
    return lines;
  };
}
