import type {SubagentEntry} from '../../src/session/entries.ts';
import type {SessionState} from '../../src/session/state.ts';
import {currentActivity, subagentFacts, subagentName} from '../../src/session/subagents/names.ts';
import {isWorking, subagentsBelow, type Subagent} from '../../src/session/subagents/tree.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Theme} from '../theme/theme.tsx';
import {type MarkedState, stateMark} from '../theme/symbols.ts';
import {namedRow, wrapHanging, indent, narrow} from '../layout/lines.ts';
import {addAll} from '../../src/text/lists.ts';

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
      ...(left > 0 ? [theme.paint.dim(`… and ${left} more`)] : []),
    ]),
  ];
}

function rowsOfChild({entry, session, depth}: Subagent, theme: Theme): string[] {
  const margin = '  '.repeat(depth);
  const inner = narrow(theme, margin.length);
  const lines = [subagentHeadline(entry, session, inner)];
  if (isWorking(entry)) addAll(lines, indent(rowsOfActivity(session, narrow(inner))));
  return lines.map((line) => margin + line);
}

/** Returns state, name and facts in one line. */
function subagentHeadline(entry: SubagentEntry, session: SessionState | undefined, theme: Theme): string {
  const {subagents} = theme;
  const name = subagentName({subagents}, entry.sessionId);
  const title = name === entry.sessionId ? entry.title?.trim() || entry.description?.trim() || name : name;
  const facts = subagentFacts(entry, session);
  const state = entry.state && MARKED_AS[entry.stopReason ?? entry.state];
  const row = namedRow(`Subagent ${title}`, theme.paint.bold, facts, theme);
  return `${stateMark(state || 'pending', theme)} ${row}`;
}

/** The marks of states and, once it has stopped, of reasons; of others the text says all. */
const MARKED_AS: Readonly<Partial<Record<string, MarkedState>>> = {
  running: 'in_progress',
  requires_action: 'waiting',
  idle: 'completed',
  end_turn: 'completed',
  error: 'failed',
  cancelled: 'cancelled',
  refusal: 'cancelled',
};

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
  const {paint, columns} = theme;
  return [paint.dim(truncate(`→ ${doing}`, columns))];
}
