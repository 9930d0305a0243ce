import type {ToolCallEntry} from '../../../src/session/entries.ts';
import type {Draw} from '../../draw/draw.ts';
import {drawToolCard} from '../../tool-call/card.ts';

/** What the agent did with a tool. */
export function drawToolCall(entry: ToolCallEntry, draw: Draw): string[] {
  return drawToolCard(entry, draw);
}
