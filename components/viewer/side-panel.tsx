import {Box} from 'ink';
import {runningCommands} from '../../src/app/queue/shell-commands.ts';
import {openTabs, tabState} from '../../src/app/open-sessions.ts';
import {activeSession} from '../../src/app/sessions.ts';
import type {AppState} from '../../src/app/state.ts';
import {agentName} from '../../src/app/status/status-line.ts';
import {stateWord} from '../../src/session/labels/session-states.ts';
import {sessionTitle} from '../../src/session/titles.ts';
import type {UnreviewedFile} from '../../src/session/review.ts';
import {activePlan} from '../../src/session/selectors.ts';
import type {SessionState} from '../../src/session/state.ts';
import {subagentName} from '../../src/session/subagents/names.ts';
import {isWorking, subagentTree} from '../../src/session/subagents/tree.ts';
import {unreviewedNow} from '../../src/session/transcript/diffs.ts';
import {compactNumber, cost, pluralize} from '../../src/text/format.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Paint} from '../theme/paint.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {hasSureWidth} from '../layout/box.ts';
import {spaceBetween} from '../layout/lines.ts';
import {Rows} from '../layout/rows.tsx';
import {statusLetter} from '../review/review-labels.ts';
import {rowsOfOpenPlan} from '../transcript/plan.tsx';

/** Minimum width of a terminal for the panel. */
const COLUMNS_FOR_PANEL = 132;
/** Width of the panel, without the line next to it. */
const PANEL_COLUMNS = 34;
const MAX_PLAN = 14;
const MAX_LISTED = 8;
const BAR_CELLS = 16;

/** Columns of the line next to it, with the blanks around. */
const BORDER_COLUMNS = 3;

/** Returns the rows of the panel, and the columns that are left beside it; none if it has nothing to show, or no room. */
export function sidePanelOf(state: AppState, theme: Theme) {
  const rows =
    theme.columns < COLUMNS_FOR_PANEL ? [] : rowsOfPanel(state, {...theme, columns: PANEL_COLUMNS});
  const taken = rows.length === 0 ? 0 : PANEL_COLUMNS + BORDER_COLUMNS;
  return {rows, columns: theme.columns - taken};
}

/** The state of a session at the right of the rows of its transcript, behind a line. */
export function SidePanel({rows, beside}: Readonly<Record<'rows' | 'beside', readonly string[]>>) {
  const {paint, symbols} = useTheme();
  const bar = paint.line(symbols.bar);
  return (
    <Box marginLeft={1} columnGap={1} flexShrink={0}>
      <Rows of={beside.map((row, index) => (rows[index] || hasSureWidth(row) ? bar : ''))} />
      <Rows of={rows.slice(0, beside.length)} />
    </Box>
  );
}

/** Returns the rows of open sessions, plan, changed files, context, commands, subagents and MCP servers. */
function rowsOfPanel(state: AppState, theme: Theme): readonly string[] {
  const {session} = activeSession(state);
  const plan = activePlan(session)?.content;
  const parts = [
    rowsOfSessions(state, theme),
    plan === undefined ? [] : rowsOfOpenPlan(plan, MAX_PLAN, theme),
    rowsOfUnreviewed(session, theme),
    rowsOfContext(session, theme),
    rowsOfCommands(session, theme),
    rowsOfSubagents(session, theme),
    rowsOfServers(session, theme),
  ];
  const shown = parts.filter(({length}) => length > 0);
  return shown.flatMap((part) => [''].concat(part)).slice(1);
}

/** Returns the first rows of a list below its heading, and how many more there are; nothing for an empty one. */
function rowsOfList(heading: string, rows: readonly string[], paint: Paint, count = rows.length) {
  if (count === 0) return [];
  const shown = rows.slice(0, MAX_LISTED);
  const more = count - shown.length;
  return [heading, ...shown, ...(more > 0 ? [paint.dim(`… ${more} more`)] : [])];
}

/** Returns the rows of the window's sessions, each with its number and what it does; none for a single one. */
function rowsOfSessions(state: AppState, {paint, columns}: Theme): readonly string[] {
  const tabs = openTabs(state.sessions);
  if (tabs.length < 2) return [];
  const rows = tabs.map((tab, index) => {
    const does = tabState(tab);
    const word = stateWord(does);
    const title = sanitizeLine(sessionTitle(tab.session) ?? agentName(tab));
    const name = truncate(title, Math.max(1, columns - width(word) - 4));
    const left = `${paint.dim(String(index + 1))} ${tab.key === state.active ? paint.bold(name) : name}`;
    return spaceBetween(left, does === 'waiting' ? paint.warning(word) : paint.dim(word), columns);
  });
  return rowsOfList(paint.bold('Sessions'), rows, paint);
}

/** Returns the rows of the files that a review would show. Those of the running turn have no figures before its end. */
function rowsOfUnreviewed(session: SessionState, theme: Theme): readonly string[] {
  const {paint} = theme;
  const {files: count, listed} = unreviewedNow(session);
  const heading = `${paint.bold('To review')}  ${paint.dim(pluralize(count, 'file'))}`;
  const rows = listed.map((file) => fileRow(file, theme));
  return rowsOfList(heading, rows, paint, count);
}

function fileRow({path, status, added, removed}: UnreviewedFile, theme: Theme): string {
  const {paint, symbols, columns} = theme;
  const plus = added > 0 ? `+${added}` : '';
  const minus = removed > 0 ? `${symbols.minus}${removed}` : '';
  const figures = [plus, minus].filter(Boolean).join(' ');
  const name = truncate(sanitizeLine(path), Math.max(1, columns - 3 - width(figures)));
  const colored = [plus && paint.success(plus), minus && paint.error(minus)].filter(Boolean).join(' ');
  return spaceBetween(`${statusLetter(status, theme)} ${name}`, colored, columns);
}

function rowsOfContext({usage}: SessionState, {paint, symbols, columns}: Theme): readonly string[] {
  if (!usage || usage.used <= 0) return [];
  const {used, size} = usage;
  const amount =
    size > 0 ? `${compactNumber(used)} of ${compactNumber(size)}` : `${compactNumber(used)} tokens`;
  const spent = usage.cost ? paint.dim(cost(usage.cost)) : '';
  const share = size > 0 ? Math.min(1, used / size) : 0;
  const full = Math.round(share * BAR_CELLS);
  const bar =
    paint.accent(symbols.barFull.repeat(full)) + paint.dim(symbols.barEmpty.repeat(BAR_CELLS - full));
  return [
    paint.bold('Context'),
    ...(size > 0 ? [`${bar} ${Math.round(share * 100)}%`] : []),
    spaceBetween(paint.dim(amount), spent, columns),
  ];
}

function rowsOfCommands(session: SessionState, {paint, columns}: Theme): readonly string[] {
  const rows = runningCommands(session).map(({command = 'a command', awaitsInput}) => {
    const asks = awaitsInput ? 'input?' : '';
    const name = truncate(sanitizeLine(command), columns - (awaitsInput ? 7 : 0));
    return spaceBetween(name, asks && paint.warning(asks), columns);
  });
  return rowsOfList(paint.bold('Running'), rows, paint);
}

function rowsOfSubagents(session: SessionState, {paint, symbols, columns}: Theme): readonly string[] {
  const working = subagentTree(session).filter(({entry}) => isWorking(entry));
  const rows = working.map(({entry}) => {
    const name = truncate(sanitizeLine(subagentName(session, entry.sessionId)), columns - 2);
    return `${paint.accent(symbols.running)} ${name}`;
  });
  return rowsOfList(paint.bold('Subagents'), rows, paint);
}

function rowsOfServers({mcpServers = []}: SessionState, {paint, columns}: Theme): string[] {
  if (mcpServers.length === 0) return [];
  return [truncate(`${paint.bold('MCP')}  ${mcpServers.map(sanitizeLine).join(' · ')}`, columns)];
}
