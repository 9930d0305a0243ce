import type {CompactionEntry} from '../../../src/session/entries.ts';
import {visibleText} from '../../../src/session/content.ts';
import type {Draw} from '../../draw/draw.ts';
import {fold, hanging, indent, inside} from '../../draw/lines.ts';
import {wrap} from '../../../src/text/width.ts';

const MOST_LINES = 5;

/** The agent made its context smaller; the summary that it goes on with is shown in part. */
export function drawCompaction(entry: CompactionEntry, draw: Draw): string[] {
  const {paint, signs} = draw;
  const headline = hanging(signs.notice, headlineOf(entry), draw);
  const summary = visibleText(entry.summary).trim();
  const inner = inside(draw);
  const body = summary === '' ? [] : fold(wrap(summary, inner.columns), {most: MOST_LINES, keep: 'head'}, inner);
  const style = entry.status === 'failed' ? paint.error : paint.dim;
  return [...headline, ...indent(body)].map((line) => style(line));
}

function headlineOf({status, error}: CompactionEntry): string {
  switch (status) {
    case 'in_progress':
      return 'Making the context smaller';
    case 'completed':
      return 'The agent made its context smaller';
    case 'failed':
      return `The agent could not make its context smaller${error === undefined ? '' : `: ${error}`}`;
    case 'cancelled':
      return 'Making the context smaller was cancelled';
    default:
      return `Making the context smaller: ${status}`;
  }
}
