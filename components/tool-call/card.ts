import type {ToolCallEntry} from '../../src/session/entries.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {indent, inside} from '../draw/lines.ts';
import {drawToolContent} from './contents/index.ts';
import {drawFailed} from './failed.ts';
import {drawHeadline} from './headline.ts';

/** A tool call as a card: a headline, then what matters for its kind. */
export function drawToolCard(entry: ToolCallEntry, draw: Draw): string[] {
  const inner = inside(draw);
  return [
    drawHeadline(entry, draw),
    ...indent([
      ...drawDecision(entry, inner),
      ...drawInput(entry, inner),
      ...drawContents(entry, inner),
      ...drawFailed(entry, inner),
    ]),
  ];
}

/** How its permission was decided, where that is worth a line. */
function drawDecision({permission}: ToolCallEntry, {paint, columns}: Draw): string[] {
  if (permission === undefined) return [];
  const {outcome, option, by} = permission;
  // A user who said yes knows it.
  if (by === 'user' && outcome === 'allowed') return [];
  const who = by === 'user' ? 'you' : by;
  const words = {
    allowed: `allowed by ${who}`,
    rejected: `rejected by ${who}`,
    cancelled: 'not answered: the turn was cancelled',
    withdrawn: 'the agent took its question back',
  };
  const chosen = option === undefined || outcome === 'cancelled' ? '' : ` (${option})`;
  return [paint.dim(truncate(words[outcome] + chosen, columns))];
}

/** The command that is run, where the title is only the agent's summary of it. */
function drawInput(entry: ToolCallEntry, {terminals, paint, columns, extent}: Draw): string[] {
  const {kind, title, rawInput, content} = entry;
  if (kind !== 'execute' || typeof rawInput !== 'object' || rawInput === null) return [];
  const {command} = rawInput as {readonly command?: unknown};
  const text = Array.isArray(command) ? command.join(' ') : command;
  if (typeof text !== 'string' || text.trim() === '' || title.includes(text)) return [];
  // A terminal of ours says it itself.
  const isSaid = content.some((item) => item.type === 'terminal' && terminals[item.terminalId]?.command);
  if (isSaid) return [];
  const line = `$ ${sanitizeLine(text)}`;
  return (extent === 'whole' ? wrap(line, columns) : [truncate(line, columns)]).map((row) => paint.dim(row));
}

function drawContents(entry: ToolCallEntry, draw: Draw): string[] {
  return entry.content.flatMap((content) => drawToolContent(content, {entry, extent: draw.extent}, draw));
}
