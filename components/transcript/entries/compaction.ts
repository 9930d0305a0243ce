import type {CompactionEntry} from '../../../src/session/entries.ts';
import {compactionWords} from '../../../src/session/words/compaction.ts';
import {visibleText} from '../../../src/session/content.ts';
import type {Draw} from '../../draw/draw.ts';
import {hanging, indent, inside, wrapFolded} from '../../draw/lines.ts';

const MOST_LINES = 5;

/** The agent made its context smaller; the summary that it goes on with is shown in part. */
export function drawCompaction(entry: CompactionEntry, draw: Draw): string[] {
  const {paint, signs} = draw;
  const headline = hanging(signs.notice, compactionWords(entry), draw);
  const summary = visibleText(entry.summary).trim();
  const body = summary === '' ? [] : wrapFolded(summary, {most: MOST_LINES, keep: 'head'}, inside(draw));
  const style = entry.status === 'failed' ? paint.error : paint.dim;
  return [...headline, ...indent(body)].map((line) => style(line));
}
