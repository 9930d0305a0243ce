import type {ShellCommandEntry, ToolCallEntry} from '../../src/session/entries.ts';
import {drawShellHeadline} from '../transcript/entries/shell-command.ts';
import type {Draw} from '../draw/draw.ts';
import {indent, inside} from '../draw/lines.ts';
import {drawResult} from './result.ts';
import {drawHeadline} from './headline.ts';

/** How a tool call or a command ended whose card stands further up. */
export function drawEnding(entry: ToolCallEntry | ShellCommandEntry, draw: Draw): string[] {
  if (entry.type === 'shell_command') return [drawShellHeadline(entry, draw)];
  return [drawHeadline(entry, draw), ...indent(drawResult(entry, inside(draw)))];
}
