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
import {changesIn, isWithoutLines} from '../../src/session/transcript/diffs.ts';
import {compactNumber, cost, pluralize, shownPath} from '../../src/text/format.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {hasSureWidth} from '../layout/box.ts';
import {spaceBetween} from '../layout/lines.ts';
import {Rows} from '../layout/rows.tsx';
import {statusLetter} from '../review/review-labels.ts';
import {rowsOfOpenPlan} from '../transcript/plan.tsx';
import {addAll} from '../../src/text/lists.ts';

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
export function SidePanel({
  rows,
  beside,
}: {
  readonly rows: readonly string[];
  readonly beside: readonly string[];
}) {
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
  const lines: string[] = [];
  for (const part of parts) if (part.length > 0) addAll(lines, ['', ...part]);
  return lines.slice(1);
}

/** Returns the rows of the window's sessions, each with its number and what it does; none for a single one. */
function rowsOfSessions(state: AppState, {paint, columns}: Theme): string[] {
  const tabs = openTabs(state.sessions);
  if (tabs.length < 2) return [];
  const rows = tabs.slice(0, MAX_LISTED).map((tab, index) => {
    const {key, session} = tab;
    const isActive = key === state.active;
    const does = tabState(tab);
    const word = stateWord(does);
    const title = sanitizeLine(sessionTitle(session) ?? agentName(tab));
    const name = truncate(title, Math.max(1, columns - width(word) - 4));
    const shown = does === 'waiting' ? paint.warning(word) : paint.dim(word);
    return spaceBetween(
      `${paint.dim(String(index + 1))} ${isActive ? paint.bold(name) : name}`,
      shown,
      columns,
    );
  });
  const more = tabs.length - rows.length;
  return [paint.bold('Sessions'), ...rows, ...(more > 0 ? [paint.dim(`… ${more} more`)] : [])];
}

/** Returns the rows of the files that a review would show. Those of the running turn have no figures before its end. */
function rowsOfUnreviewed(session: SessionState, theme: Theme): string[] {
  const {files, listed} = session.unreviewed ?? {files: 0, listed: []};
  const running = editedNow(session);
  const known = new Set(listed.map(({path}) => path));
  const begun = [...running].filter(([path]) => !known.has(path));
  const all = [
    ...listed.map((file) => (running.has(file.path) ? withoutFigures(file.path, file.status) : file)),
    ...begun.map(([path, status]) => withoutFigures(path, status)),
  ];
  const count = files + begun.length;
  if (count === 0) return [];
  const {paint} = theme;
  const shown = all.slice(0, MAX_LISTED).map((file) => fileRow(file, theme));
  const rest = count - shown.length;
  const more = rest > 0 ? [paint.dim(`… ${rest} more`)] : [];
  return [`${paint.bold('To review')}  ${paint.dim(pluralize(count, 'file'))}`, ...shown, ...more];
}

function withoutFigures(path: string, status: UnreviewedFile['status']): UnreviewedFile {
  return {path, status, added: 0, removed: 0};
}

/** Number of newest entries that are searched in each frame. */
const MAX_SEARCHED = 300;

/** Returns the files that calls of the running turn have changed, relative to the folder. */
function editedNow({turn, entries, cwd}: SessionState): ReadonlyMap<string, UnreviewedFile['status']> {
  const files = new Map<string, UnreviewedFile['status']>();
  if (turn.kind === 'idle') return files;
  for (const entry of entries.slice(-MAX_SEARCHED))
    if (entry.type === 'tool_call' && entry.turn === turn.turn && entry.status === 'completed')
      for (const change of changesIn(entry)) files.set(shownPath(change.path, cwd), statusOf(change));
  return files;
}

function statusOf(change: ReturnType<typeof changesIn>[number]): UnreviewedFile['status'] {
  if (change.does === 'delete') return 'deleted';
  if (change.does === 'move') return 'renamed';
  return change.oldText || isWithoutLines(change) ? 'modified' : 'added';
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

function rowsOfContext({usage}: SessionState, {paint, symbols, columns}: Theme): string[] {
  if (!usage || usage.used <= 0) return [];
  const spent = usage.cost ? paint.dim(cost(usage.cost)) : '';
  if (usage.size <= 0)
    return [
      paint.bold('Context'),
      spaceBetween(paint.dim(`${compactNumber(usage.used)} tokens`), spent, columns),
    ];
  const share = Math.min(1, usage.used / usage.size);
  const full = Math.round(share * BAR_CELLS);
  const bar =
    paint.accent(symbols.barFull.repeat(full)) + paint.dim(symbols.barEmpty.repeat(BAR_CELLS - full));
  const amount = `${compactNumber(usage.used)} of ${compactNumber(usage.size)}`;
  return [
    paint.bold('Context'),
    `${bar} ${Math.round(share * 100)}%`,
    spaceBetween(paint.dim(amount), spent, columns),
  ];
}

function rowsOfCommands(session: SessionState, theme: Theme): string[] {
  const running = runningCommands(session);
  if (running.length === 0) return [];
  const {paint, columns} = theme;
  const lines = running
    .slice(0, MAX_LISTED)
    .map(({command, awaitsInput}) =>
      spaceBetween(
        truncate(sanitizeLine(command ?? 'a command'), columns - (awaitsInput ? 7 : 0)),
        awaitsInput ? paint.warning('input?') : '',
        columns,
      ),
    );
  return [paint.bold('Running'), ...lines];
}

function rowsOfSubagents(session: SessionState, {paint, symbols, columns}: Theme): string[] {
  const working = subagentTree(session).filter(({entry}) => isWorking(entry));
  if (working.length === 0) return [];
  const names = working.slice(0, MAX_LISTED).map(({entry}) => {
    const name = truncate(sanitizeLine(subagentName(session, entry.sessionId)), columns - 2);
    return `${paint.accent(symbols.running)} ${name}`;
  });
  return [paint.bold('Subagents'), ...names];
}

function rowsOfServers({mcpServers = []}: SessionState, {paint, columns}: Theme): string[] {
  if (mcpServers.length === 0) return [];
  return [truncate(`${paint.bold('MCP')}  ${mcpServers.map(sanitizeLine).join(' · ')}`, columns)];
}
