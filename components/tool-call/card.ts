import type {ToolCallEntry} from '../../src/session/entries.ts';
import {decisionWords} from '../../src/session/words/permission.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Draw} from '../draw/draw.ts';
import {indent, inside} from '../draw/lines.ts';
import {drawToolContent} from './contents/index.ts';
import {drawFoldedInput, drawInput} from './input.ts';
import {drawResult} from './result.ts';
import {drawHeadline} from './headline.ts';

/** A tool call as a card: a headline, then what matters for its kind. */
export function drawToolCard(entry: ToolCallEntry, draw: Draw): string[] {
  const inner = inside(draw);
  return [
    drawHeadline(entry, draw),
    ...indent([
      ...drawDecision(entry, inner),
      ...(draw.extent === 'folded' ? drawFoldedInput : drawInput)(entry, inner),
      ...drawContents(entry, inner),
      ...drawResult(entry, inner),
    ]),
  ];
}

/** How its permission was decided, where that is worth a line. */
function drawDecision({permission}: ToolCallEntry, {paint, columns}: Draw): string[] {
  const words = decisionWords(permission);
  return words === undefined ? [] : [paint.dim(truncate(words, columns))];
}

function drawContents(entry: ToolCallEntry, draw: Draw): string[] {
  return entry.content.flatMap((content) => drawToolContent(content, {entry, extent: draw.extent}, draw));
}
