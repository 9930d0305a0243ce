import type {CompactionEntry} from '../../src/session/entries.ts';
import {compactionLabel} from '../../src/session/labels/labels.ts';
import {visibleText} from '../../src/session/transcript/content.ts';
import type {Theme} from '../theme/theme.tsx';
import {indent, narrow, wrapHanging, wrapHead} from '../layout/lines.ts';

const MAX_SUMMARY_LINES = 5;

/** Returns the rows of a compaction of the context, with the start of its summary. */
export function rowsOfCompaction(entry: CompactionEntry, theme: Theme): string[] {
  const {paint, symbols} = theme;
  const headline = wrapHanging(symbols.notice, compactionLabel(entry), theme);
  const summary = visibleText(entry.summary).trim();
  const body = summary === '' ? [] : wrapHead(summary, MAX_SUMMARY_LINES, narrow(theme));
  const style = entry.status === 'failed' ? paint.error : paint.dim;
  return [...headline, ...indent(body)].map((line) => style(line));
}
