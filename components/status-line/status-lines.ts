import type {OpenSession} from '../../src/app/state.ts';
import {currentMode, currentModel} from '../../src/session/selectors.ts';
import type {SessionState} from '../../src/session/state.ts';
import {compactNumber, cost} from '../../src/text/format.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Draw} from '../draw/draw.ts';

const BAR_CELLS = 8;

/** Agent, mode, model, context, cost, folder and branch; what does not fit is left out from the end. */
export function drawStatus(open: OpenSession, draw: Draw): string {
  const {paint, signs, columns} = draw;
  const {session} = open;
  const parts = [
    session.agent?.title ?? session.agent?.name ?? open.agentLabel,
    currentMode(session)?.name,
    currentModel(session)?.name,
    ...contextOf(session, draw),
    session.usage?.cost && cost(session.usage.cost),
    folderOf(session.cwd) + (open.branch === undefined ? '' : ` (${open.branch})`),
  ]
    .filter((part) => part !== undefined)
    .map((part) => sanitizeLine(part));
  const separator = ` ${signs.dot} `;
  let line = parts[0] ?? '';
  for (const part of parts.slice(1))
    if (width(line) + width(separator) + width(part) <= columns) line += separator + part;
  return paint.dim(truncate(line, columns));
}

function contextOf({usage}: SessionState, {signs}: Draw): string[] {
  if (usage === undefined || usage.size <= 0) return [];
  const share = Math.min(1, usage.used / usage.size);
  const full = Math.round(share * BAR_CELLS);
  const bar = signs.barFull.repeat(full) + signs.barEmpty.repeat(BAR_CELLS - full);
  return [`${bar} ${Math.round(share * 100)}% of ${compactNumber(usage.size)}`];
}

function folderOf(cwd: string): string {
  return cwd.split(/[/\\]/).findLast((part) => part !== '') ?? cwd;
}
