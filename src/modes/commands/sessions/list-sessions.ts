import type {SessionsCommand} from './sessions-arguments.ts';
import type {StoredSession} from '../../../storage/sessions/stored-session.ts';
import {age} from '../../../text/format.ts';
import {jsonText} from '../../../text/json.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {tableLines, type Column} from '../../../cli/table.ts';
import {
  type SessionsContext,
  agentOf,
  maskedSession,
  sessionDisplayName,
  sessionJson,
  stateOf,
  matchesFilter,
  reportFailure,
} from './session-lookup.ts';

const STATES = {
  working: 'working',
  waiting: 'waiting',
  idle: 'idle',
  ended: 'ended',
  interrupted: 'interrupted',
} as const;

/** Lists sessions, last used first. */
export function listSessions(
  {filter, include, limit, json}: Extract<SessionsCommand, {kind: 'list'}>,
  context: SessionsContext,
): number {
  const {store, stdout, stderr} = context;
  const listed = store.list(include === undefined ? {} : {include});
  if (!listed.ok) return reportFailure(listed.failure, stderr);
  const sessions = listed.value
    .filter(matchesFilter(filter, context))
    .slice(0, limit)
    .map((session) => maskedSession(session, context.mask));
  if (json) {
    stdout.write(`${jsonText({v: 1, sessions: sessions.map(sessionJson)}, 2)}\n`);
    return 0;
  }
  if (sessions.length === 0) stderr('No sessions.\n');
  for (const line of tableLines(columnsOf(sessions, context), stdout)) stdout.write(`${line}\n`);
  return 0;
}

function columnsOf(sessions: readonly StoredSession[], {now, stdout}: SessionsContext): readonly Column[] {
  const {bold, dim} = stdout.style;
  const column = (text: (session: StoredSession) => string) => sessions.map(text);
  return [
    {texts: column(({id}) => id), style: bold},
    {texts: column(({updatedAt}) => age(now() - updatedAt)), style: dim},
    {texts: column(agentOf), most: 16, isExtra: true},
    {texts: column(({cwd}) => sanitizeLine(cwd)), most: 32, cut: 'start', isExtra: true},
    {texts: column((session) => stateLabel(session) + sessionDisplayName(session) + askedLabel(session))},
  ];
}

function askedLabel(session: StoredSession): string {
  return stateOf(session) === 'waiting' && session.asks !== undefined ? ` · ${session.asks}` : '';
}

function stateLabel(session: StoredSession): string {
  const state = stateOf(session);
  const states = [session.byPrint ? '-p' : '', state === 'stored' ? '' : STATES[state]];
  const shown = states.filter(Boolean).join(', ');
  return shown === '' ? '' : `(${shown}) `;
}
