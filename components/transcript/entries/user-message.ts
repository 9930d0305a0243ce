import {isHidden} from '../../../src/session/content.ts';
import type {UserMessageEntry} from '../../../src/session/entries.ts';
import type {Draw} from '../../draw/draw.ts';
import {enoughFor, fold, hanging, indent, inside} from '../../draw/lines.ts';
import {drawAttachment} from '../attachment.ts';

/** A prompt is folded after so many lines: what was pasted into it stays in the terminal where it was copied from. */
const MOST_LINES = 40;

/** What the user said: marked, but without a frame, so that it can be copied. */
export function drawUserMessage(entry: UserMessageEntry, draw: Draw): string[] {
  const {paint, signs} = draw;
  const blocks = entry.content.filter((block) => !isHidden(block));
  const lines = blocks.flatMap((block) => {
    if (block.type !== 'text') return indent(drawAttachment(block, inside(draw)));
    const text = enoughFor(block.text.trimEnd(), {rows: MOST_LINES, columns: draw.columns});
    const hidden = block.text.slice(text.length).split('\n').length - 1;
    const wrapped = hanging(signs.prompt, text, draw);
    return hidden === 0 ? wrapped : [...wrapped, ...Array.from({length: hidden}, () => '')];
  });
  return fold(lines, {most: MOST_LINES, keep: 'head'}, draw).map((line) => paint.user(line));
}
