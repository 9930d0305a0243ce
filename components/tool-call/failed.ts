import type {ToolCallEntry} from '../../src/session/entries.ts';
import {rawText} from '../../src/session/words/raw.ts';
import {plainResult} from '../../src/text/hidden.ts';
import type {Draw} from '../draw/draw.ts';
import {markEscapes} from '../draw/exact.ts';
import {wrapFolded} from '../draw/lines.ts';

const MOST_LINES = 10;

/** A failure says what failed; some agents put that only into the raw output. */
export function drawFailed({status, content, rawOutput}: ToolCallEntry, draw: Draw): string[] {
  if (status !== 'failed' || content.some(({type}) => type !== 'diff')) return [];
  const text = plainResult(rawText(rawOutput)).trim();
  if (text === '') return [];
  const lines = wrapFolded(text, {most: MOST_LINES, keep: 'head'}, draw);
  return lines.map((line) => draw.paint.error(markEscapes(line, draw)));
}
