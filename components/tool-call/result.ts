import type {ToolCallEntry} from '../../src/session/entries.ts';
import {resultText} from '../../src/session/words/raw.ts';
import type {Draw} from '../draw/draw.ts';
import {drawContentItem} from './contents/content.ts';

/** What came of a call that says it only in its raw output. */
export function drawResult(entry: ToolCallEntry, draw: Draw): string[] {
  const text = resultText(entry);
  if (text === '') return [];
  return drawContentItem({content: {type: 'text', text}}, {entry, extent: draw.extent}, draw);
}
