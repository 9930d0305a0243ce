import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {PendingPermission} from '../../src/session/state.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {drawnOnce} from '../draw/drawn-once.ts';
import {barred, drawExact} from '../draw/exact.ts';
import {inside} from '../draw/lines.ts';
import {shownLocation} from '../../src/text/format.ts';
import {drawHiddenNote} from './hidden-note.ts';
import {drawToolContent} from '../tool-call/contents/index.ts';
import {drawInput} from '../tool-call/input.ts';

/** What will happen when the user says yes, in full: nothing is folded, cut or smoothed. */
export const drawRequest = drawnOnce(
  (request: PendingPermission, entry: ToolCallEntry | undefined, draw: Draw): readonly string[] => {
    const inner = inside(draw);
    const told = [...(entry === undefined ? [] : drawCall(entry, inner)), ...drawRaw(request, inner)];
    if (told.length === 0) return wrap('The agent does not tell what it wants to do.', draw.columns);
    return [...drawHiddenNote(request, draw), ...barred(told, draw)];
  },
);

function drawCall(entry: ToolCallEntry, draw: Draw): string[] {
  const {paint} = draw;
  const title = drawExact(entry.title, draw).map((line) => paint.bold(line));
  const where = entry.locations.flatMap((location) => drawExact(shownLocation(location, draw.cwd), draw));
  const contents = entry.content.flatMap((content) =>
    drawToolContent(content, {entry, extent: 'exact'}, draw),
  );
  const facts = drawInput(entry, draw);
  return [...title, ...where.map((line) => paint.dim(line)), ...facts, ...contents];
}

/** A request that had to be mended is shown as it came, since the user approves that and not our reading of it. */
function drawRaw({raw}: PendingPermission, draw: Draw): string[] {
  if (raw === undefined) return [];
  const {paint, columns} = draw;
  const note = 'The request was not as the protocol has it. As the agent sent it:';
  return [...wrap(note, columns).map((line) => paint.warning(line)), ...drawExact(raw, draw)];
}
