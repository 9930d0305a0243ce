import {attachmentWords, type Attached} from '../../src/session/words/attachment.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Draw} from '../draw/draw.ts';

/** Content that is not text, on one line: what it is, its type and its size. */
export function drawAttachment(block: Attached, draw: Draw): string[] {
  return [draw.paint.link(truncate(attachmentWords(block, draw.cwd), draw.columns))];
}
