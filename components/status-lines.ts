import type {StatusLine} from '../src/app/status/status-line.ts';
import {sanitizeLine} from '../src/text/sanitize.ts';
import {truncate} from '../src/text/truncate.ts';
import {width} from '../src/text/width.ts';
import type {Style} from '../src/text/markdown/style.ts';
import type {Draw} from './draw/draw.ts';

const BAR_CELLS = 8;

/** The status line. What does not fit is left out, beginning with what can be looked up elsewhere. */
export function drawStatus(status: StatusLine, draw: Draw): string {
  const {paint, symbols, columns} = draw;
  const separator = ` ${symbols.dot} `;
  const parts = partsOf(status, draw);
  const kept = new Set<Part>();
  let room = columns;
  for (const part of [...parts].sort((one, other) => one.rank - other.rank)) {
    const cells = width(part.text) + (kept.size > 0 ? width(separator) : 0);
    if (cells > room && kept.size > 0) continue;
    kept.add(part);
    room -= cells;
  }
  const line = parts.filter((part) => kept.has(part)).map(({text, style}) => style(text));
  return paint.dim(truncate(line.join(separator), columns));
}

interface Part {
  readonly text: string;
  /** What is most wanted has the lowest. */
  readonly rank: number;
  readonly style: Style;
}

/** In display order. */
function partsOf(status: StatusLine, draw: Draw): Part[] {
  const {editing, replay, agent, waiting, mode, unattended, model, approval, context, cost, folder, escape} =
    status;
  const warn = (text: string | undefined) => text && `${draw.symbols.warning} ${text}`;
  const warnings = [warn(unattended), warn(waiting)];
  const styleOf = (text: string): Style =>
    warnings.includes(text) ? draw.paint.warning : text === agent ? draw.paint.agent : (part) => part;
  const parts: readonly (readonly [text: string | undefined, rank: number])[] = [
    [editing, 0],
    [replay, 0],
    [agent, 1],
    ...warnings.map((warning) => [warning, 0] as const),
    [mode, 3],
    [model, 4],
    [approval && `auto-approve ${approval}`, 2],
    [context && `${bar(context.share, draw)} ${context.text}`, 5],
    [cost, 6],
    [folder, 7],
    [escape, 0],
  ];
  return parts.flatMap(([text, rank]) =>
    text ? [{text: sanitizeLine(text), rank, style: styleOf(text)}] : [],
  );
}

function bar(share: number, {symbols}: Draw): string {
  const full = Math.round(share * BAR_CELLS);
  return symbols.barFull.repeat(full) + symbols.barEmpty.repeat(BAR_CELLS - full);
}
