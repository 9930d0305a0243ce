import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {Draw} from '../draw/draw.ts';
import {indent, inside} from '../draw/lines.ts';
import {drawFailed} from './failed.ts';
import {drawHeadline} from './headline.ts';

/** How a tool call ended whose card stands further up. */
export function drawEnding(entry: ToolCallEntry, draw: Draw): string[] {
  return [drawHeadline(entry, draw), ...indent(drawFailed(entry, inside(draw)))];
}
