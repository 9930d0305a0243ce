import {Box} from 'ink';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {PlanEntry} from '../../src/session/entries.ts';
import {memoize} from '../../src/session/memoize.ts';
import {stepStatus} from '../../src/session/transcript/patches.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {startOfText, truncate} from '../../src/text/truncate.ts';
import {wrap} from '../../src/text/wrap.ts';
import {hasBox} from '../layout/box.ts';
import {cacheRows} from '../layout/cached-rows.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {wrapHanging} from '../layout/lines.ts';
import {withoutLinks} from '../theme/paint.ts';
import {Rows} from '../layout/rows.tsx';
import {rowsOfContentBlocks} from './message.ts';

/** Minimum rows of a plan with a blank one above it. */
const ROWS_FOR_GAP = 4;

/** The unfinished plan, between the transcript and the prompt, in so many rows at most. */
export function OpenPlan({content, rows}: {readonly content: acp.PlanUpdateContent; readonly rows: number}) {
  const theme = useTheme();
  const gap = gapAbove(rows, theme);
  return (
    <Box flexDirection="column" paddingTop={gap} flexShrink={0}>
      <Rows of={rowsOfOpenPlan(content, rows - gap, theme)} />
    </Box>
  );
}

/** Returns the rows that an unfinished plan would take. */
export function openPlanHeight(content: acp.PlanUpdateContent, theme: Theme): number {
  const length = 1 + (content.type === 'items' ? content.entries.length : rowsCut(content, theme).length);
  return length + gapAbove(length + 1, theme);
}

function gapAbove(rows: number, theme: Theme): number {
  return hasBox(theme) && rows >= ROWS_FOR_GAP ? 1 : 0;
}

/** Returns the rows of a finished plan: a checklist. */
export function rowsOfPlan(entry: PlanEntry, theme: Theme): string[] {
  return [theme.paint.bold('Plan'), ...rowsOfContent(entry.content, theme)];
}

/** Returns all rows of a plan: a checklist, Markdown, or the name of its file. */
function rowsOfContent(content: acp.PlanUpdateContent, theme: Theme): string[] {
  switch (content.type) {
    case 'items':
      return content.entries.flatMap((item) => rowsOfItem(item, theme));
    case 'markdown':
      return rowsOfContentBlocks([textOf(content)], theme);
    case 'file':
      return wrap(sanitizeLine(content.uri), theme.columns).map((row) => theme.paint.link(row));
  }
}

/** The same block for each drawing. */
const textOf = memoize(({content}: {readonly content: string}): acp.ContentBlock => ({
  type: 'text',
  text: content,
}));

function rowsOfItem(step: acp.PlanEntry, theme: Theme): string[] {
  const {paint, symbols} = theme;
  const {content, priority} = step;
  const status = stepStatus(step);
  const isOver = status === 'completed' || status === 'cancelled';
  const urgent = priority === 'high' && !isOver ? ' (high)' : '';
  const looks = {
    pending: {sign: symbols.pending, style: (text: string) => text},
    in_progress: {sign: symbols.running, style: paint.accent},
    completed: {sign: symbols.done, style: paint.dim},
    cancelled: {sign: symbols.cancelled, style: paint.dim},
  };
  const {sign, style} = looks[status] ?? looks.pending;
  return wrapHanging(sign, content + urgent, theme).map((line) => style(line));
}

/** Wraps no more of a long step than may fit. */
function firstRowOfItem(step: acp.PlanEntry, theme: Theme): string {
  const content = startOfText(step.content, theme.columns * 4);
  const [row = ''] = rowsOfItem({...step, content}, theme);
  return truncate(row, theme.columns);
}

/** Returns the rows of the unfinished plan above the prompt: at most as many, around the current step. */
export function rowsOfOpenPlan(content: acp.PlanUpdateContent, rows: number, theme: Theme): string[] {
  if (rows < 1) return [];
  const {paint, columns} = theme;
  const title = paint.bold(truncate(`Plan${progressOf(content)}`, columns));
  if (rows === 1) return [title];
  if (content.type !== 'items') return [title, ...rowsCut(content, theme).slice(0, rows - 1)];
  const {entries} = content;
  const current = entries.findIndex(({status}) => status !== 'completed');
  const room = rows - 1;
  const start = Math.max(0, Math.min(current - Math.floor(room / 3), entries.length - room));
  return [title, ...entries.slice(start, start + room).map((item) => firstRowOfItem(item, theme))];
}

/** The rows of a plan of which some may be cut off, also the URL of a link: what can be opened must be readable. */
const rowsCut = cacheRows((content: acp.PlanUpdateContent, theme) =>
  rowsOfContent(content, {...theme, paint: withoutLinks(theme.paint)}),
);

function progressOf(content: acp.PlanUpdateContent): string {
  if (content.type !== 'items') return '';
  const done = content.entries.filter(({status}) => status === 'completed').length;
  return ` ${done}/${content.entries.length}`;
}
