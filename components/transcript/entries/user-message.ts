import {outputTold} from '../../../src/app/command-output.ts';
import {sanitizeLine} from '../../../src/text/sanitize.ts';
import {truncate} from '../../../src/text/truncate.ts';
import {isHidden} from '../../../src/session/content.ts';
import type {UserMessageEntry} from '../../../src/session/entries.ts';
import type {Draw} from '../../draw/draw.ts';
import {inside, wrapFolded} from '../../draw/lines.ts';
import {drawAttachment} from '../attachment.ts';

/** A prompt is folded after so many lines: what was pasted into it is still where it was copied from. */
const MOST_LINES = 40;

/** What the user said: marked, but without a frame, so that it can be copied. */
export function drawUserMessage(entry: UserMessageEntry, draw: Draw): string[] {
  const {paint, signs} = draw;
  const inner = inside(draw);
  const lines = entry.content
    .filter((block) => !isHidden(block))
    .flatMap((block) =>
      outputTold(block) !== undefined
        ? [truncate(`[output of ${sanitizeLine(outputTold(block) ?? '')}]`, inner.columns)]
        : block.type === 'text'
          ? wrapFolded(block.text.trimEnd(), {most: MOST_LINES, keep: 'head'}, inner)
          : drawAttachment(block, inner),
    );
  return lines.map((line, index) =>
    paint.user(index === 0 ? `${signs.prompt} ${line}` : `  ${line}`.trimEnd()),
  );
}
