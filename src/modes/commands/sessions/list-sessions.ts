import type {SessionsCommand} from './sessions-arguments.ts';
import type {StoredSession} from '../../../storage/sessions/stored-session.ts';
import {age, pluralize} from '../../../text/format.ts';
import {jsonText} from '../../../text/json.ts';
import {stateOf, stateWord} from '../../../session/labels/session-states.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {readRecords} from '../../../worktrees/worktree-record.ts';
import {worktreeOf} from '../../../worktrees/worktree-sessions.ts';
import {tableLines, type Column} from '../../../cli/table.ts';
import {
  type SessionsContext,
  agentOf,
  askedBy,
  maskedSession,
  sessionDisplayName,
  sessionJson,
  matchesFilter,
  reportFailure,
} from './session-lookup.ts';

/** Lists sessions, last used first. */
export function listSessions(
  {filter, isOpen, include, limit, runs, json}: Extract<SessionsCommand, {kind: 'list'}>,
  context: SessionsContext,
): number {
  const {store, stdout, stderr} = context;
  const listed = store.list({...(include !== undefined && {include}), ...(isOpen && {status: 'open'})});
  if (!listed.ok) return reportFailure(listed.failure, stderr);
  const matching = listed.value.filter(matchesFilter(filter, context));
  const shown = json || runs ? matching : matching.filter(({byPrint}) => !byPrint);
  const sessions = shown.slice(0, limit).map((session) => maskedSession(session, context.mask));
  const records = readRecords(context.state);
  const placed = sessions.map((session) => ({...session, worktree: worktreeOf(session.cwd, records)}));
  if (json) {
    const printed = placed.map(({worktree = null, ...session}) => ({...sessionJson(session), worktree}));
    stdout.write(`${jsonText({v: 1, sessions: printed}, 2)}\n`);
    return 0;
  }
  if (sessions.length === 0) stderr('No sessions.\n');
  for (const line of tableLines(columnsOf(placed, context), stdout)) stdout.write(`${line}\n`);
  const hidden = matching.length - shown.length;
  if (hidden > 0) stderr(`${pluralize(hidden, 'print-mode run')} hidden; --runs lists them, too.\n`);
  return 0;
}

type Placed = StoredSession & {readonly worktree: ReturnType<typeof worktreeOf>};

/** The folder of a session in a worktree is the one that the worktree was made from. */
function columnsOf(sessions: readonly Placed[], {now, stdout}: SessionsContext): readonly Column[] {
  const {bold, dim} = stdout.style;
  const column = (text: (session: Placed) => string) => sessions.map(text);
  const branches = column(({worktree, branch}) => (worktree ? sanitizeLine(branch ?? worktree.branch) : ''));
  const folders = column(({worktree, cwd}) => sanitizeLine(worktree?.source ?? cwd));
  return [
    {head: 'ID', texts: column(({id}) => id), style: bold},
    {head: 'STATE', texts: column(stateLabel)},
    {head: 'AGENT', texts: column(agentOf), most: 16, isExtra: true},
    {head: 'FOLDER', texts: folders, most: 32, cut: 'start', isExtra: true},
    ...(branches.some(Boolean) ? [{head: 'WORKTREE', texts: branches, most: 24, isExtra: true}] : []),
    {head: 'AGE', texts: column(({updatedAt}) => age(now() - updatedAt)), style: dim},
    {head: 'TITLE', texts: column((session) => sessionDisplayName(session) + askedLabel(session))},
  ];
}

function askedLabel(session: StoredSession): string {
  const asks = askedBy(session);
  return asks === undefined ? '' : ` · ${asks}`;
}

function stateLabel(session: StoredSession): string {
  return [session.byPrint ? '-p' : '', stateWord(stateOf(session))].filter(Boolean).join(' ');
}
