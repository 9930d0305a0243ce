import type {PlanEntry} from '../../../src/session/entries.ts';
import type {Draw} from '../../draw/draw.ts';
import {drawPlanContent} from '../../plan/plan-lines.ts';

/** A plan that was finished, as the checklist that it became. */
export function drawPlan(entry: PlanEntry, draw: Draw): string[] {
  return [draw.paint.bold('Plan'), ...drawPlanContent(entry.content, draw)];
}
