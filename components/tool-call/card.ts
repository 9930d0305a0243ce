import type {ToolCallEntry} from '../../src/session/entries.ts';
import {commandWords} from '../../src/session/words/command.ts';
import {decisionWords} from '../../src/session/words/permission.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Draw} from '../draw/draw.ts';
import {indent, inside} from '../draw/lines.ts';
import {drawCommandLine} from './command-line.ts';
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
  const words = decisionWords(permission);
  return words === undefined ? [] : [paint.dim(truncate(words, columns))];
}

/** The command that is run, where the title is only the agent's summary of it. */
function drawInput(entry: ToolCallEntry, draw: Draw): string[] {
  const command = commandWords(entry, draw.terminals);
  return command === undefined ? [] : drawCommandLine(command, draw.extent, draw);
}

function drawContents(entry: ToolCallEntry, draw: Draw): string[] {
  return entry.content.flatMap((content) => drawToolContent(content, {entry, extent: draw.extent}, draw));
}
