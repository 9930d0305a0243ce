import type {SubagentEntry} from '../../../src/session/entries.ts';
import {sanitizeLine} from '../../../src/text/sanitize.ts';
import type {Draw} from '../../draw/draw.ts';
import {hanging} from '../../draw/lines.ts';

/** Another agent that works for this one. */
export function drawSubagent(entry: SubagentEntry, draw: Draw): string[] {
  const {paint, signs} = draw;
  const name = entry.title ?? entry.description ?? sanitizeLine(entry.sessionId);
  const state = entry.state === undefined ? '' : ` ${signs.dot} ${entry.state.replaceAll('_', ' ')}`;
  const headline = hanging(signs.arrow, `Subagent: ${name}${state}`, draw);
  const {description} = entry;
  if (description === undefined || description === name) return headline;
  return [...headline, ...hanging(' ', description, draw).map((line) => paint.dim(line))];
}
