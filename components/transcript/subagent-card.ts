import type {SubagentEntry} from '../../src/session/entries.ts';
import type {SessionState} from '../../src/session/state.ts';
import {
  activityLabel,
  currentActivity,
  subagentFacts,
  subagentName,
} from '../../src/session/subagents/names.ts';
import {isWorking, subagentsBelow, type Subagent} from '../../src/session/subagents/tree.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Theme} from '../theme/theme.tsx';
import {endMark} from '../theme/symbols.ts';
import {namedRow, wrapHanging, indent, narrow} from '../layout/lines.ts';

/** Number of its own subagents that a folded card shows. */
const MAX_FOLDED = 6;

/** Returns the rows of a subagent as a card: name and status, current activity, and the tree of its own subagents. */
export function rowsOfSubagent(entry: SubagentEntry, theme: Theme): string[] {
  const session = theme.subagents[entry.sessionId]?.session;
  const inner = narrow(theme);
  const below = subagentsBelow(theme.subagents, entry.sessionId);
  const shown = theme.extent === 'folded' ? below.slice(0, MAX_FOLDED) : below;
  const left = below.length - shown.length;
  return [
    subagentHeadline(entry, session, theme),
    ...indent([
      ...rowsOfPurpose(entry, inner),
      ...rowsOfActivity(session, inner),
      ...shown.flatMap((each) => rowsOfChild(each, inner)),
      ...(left > 0 ? [theme.paint.dim(`${theme.symbols.ellipsis} and ${left} more`)] : []),
    ]),
  ];
}

function rowsOfChild({entry, session, depth}: Subagent, theme: Theme): string[] {
  const margin = '  '.repeat(depth);
  const inner = {...theme, columns: Math.max(1, theme.columns - margin.length)};
  const lines = [subagentHeadline(entry, session, inner)];
  if (isWorking(entry)) lines.push(...indent(rowsOfActivity(session, narrow(inner))));
  return lines.map((line) => margin + line);
}

/** Returns state, name and facts in one line. */
function subagentHeadline(entry: SubagentEntry, session: SessionState | undefined, theme: Theme): string {
  const {subagents} = theme;
  const name = subagentName({subagents}, entry.sessionId);
  const title = name === entry.sessionId ? entry.title?.trim() || entry.description?.trim() || name : name;
  const facts = subagentFacts(entry, session);
  return `${subagentMark(entry, theme)} ${namedRow(`Subagent ${title}`, theme.paint.bold, {facts, theme})}`;
}

function subagentMark(entry: SubagentEntry, {paint, symbols}: Theme): string {
  switch (activityLabel(entry)) {
    case 'working':
      return paint.accent(symbols.running);
    case 'done':
      return endMark('done', {paint, symbols});
    case 'failed':
      return endMark('failed', {paint, symbols});
    case 'needs you':
      return paint.warning(symbols.warning);
    case 'cancelled':
    case 'refused':
      return paint.warning(symbols.cancelled);
    default:
      return paint.dim(symbols.pending);
  }
}

/** Returns its purpose, unless its name says it. */
function rowsOfPurpose({title, description, problem}: SubagentEntry, theme: Theme): string[] {
  const {paint, symbols} = theme;
  const isMore = theme.extent === 'whole' && description !== undefined && title !== undefined;
  return [
    ...(isMore ? wrapHanging(' ', description, theme).map((line) => paint.dim(line.trimStart())) : []),
    ...(problem === undefined
      ? []
      : wrapHanging(symbols.failed, problem, theme).map((line) => paint.error(line))),
  ];
}

/** Returns its current activity, or its last message. */
function rowsOfActivity(session: SessionState | undefined, theme: Theme): string[] {
  const doing = session && currentActivity(session);
  if (doing === undefined) return [];
  const {paint, symbols, columns} = theme;
  return [paint.dim(truncate(`${symbols.arrow} ${doing}`, columns))];
}
