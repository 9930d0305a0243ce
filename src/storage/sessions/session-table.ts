import {promptText} from '../../session/transcript/content.ts';
import type {SessionEvent} from '../../session/events.ts';
import {pendingRequestLine} from '../../session/labels/asked-line.ts';
import {activityLine, runningLine} from '../../session/labels/activity-line.ts';
import {doingOf} from '../../session/labels/session-states.ts';
import {changesOfLastTurn} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import {jsonOf} from '../../text/json.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Sql} from '../database/sqlite.ts';
import {isRunning, type ProcessIdentity} from '../../shared/processes/process-identity.ts';
import type {SessionHeader, SessionMark} from './event-lines.ts';
import type {SessionFilter, StoredSession} from './stored-session.ts';

/** The metadata of a session in the index; whether it is open is determined on reading. */
export type SessionFacts = Omit<StoredSession, 'status'>;

/** A row of the index, by column. */
export type SessionRow = ReturnType<typeof rowOf>;

/** Returns a function that converts rows to sessions; checks once per process whether it still runs. */
export function createReader(): (row: SessionRow) => StoredSession {
  const running = new Map<string, boolean>();
  function runs(by: ProcessIdentity): boolean {
    const name = `${by.pid} ${by.started}`;
    const known = running.get(name) ?? isRunning(by);
    running.set(name, known);
    return known;
  }
  return (row) => {
    const openBy = row.open_pid === null ? undefined : {pid: row.open_pid, started: row.open_started ?? ''};
    const [command = '', ...args] = wordsIn(row.agent_command);
    return {
      id: row.id,
      agent: {label: row.agent_label, command, args, name: row.agent_name ?? undefined},
      agentSessionId: row.agent_session_id ?? undefined,
      cwd: row.cwd,
      additionalDirectories: wordsIn(row.additional_directories),
      branch: row.branch ?? undefined,
      title: row.title ?? undefined,
      titledBy: row.titled_by ?? undefined,
      firstPrompt: row.first_prompt ?? undefined,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      turns: row.turns,
      bytes: row.bytes,
      archived: row.archived === 1,
      deletedAt: row.deleted_at ?? undefined,
      status: openBy === undefined ? 'closed' : runs(openBy) ? 'open' : 'interrupted',
      byPrint: row.by_print === 1,
      doing: row.doing ?? undefined,
      asks: row.asks ?? undefined,
      says: row.says ?? undefined,
      cost: objectIn(row.cost) as StoredSession['cost'],
      changes: objectIn(row.changes) as StoredSession['changes'],
      readAt: row.read_at ?? undefined,
      openBy,
    };
  };
}

/** None if the row is damaged. */
function wordsIn(json: string): readonly string[] {
  const words = jsonOf(json);
  return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : [];
}

/** Returns what this program has written itself; undefined if there is nothing. */
function objectIn(json: string | null): unknown {
  const value = json === null ? undefined : jsonOf(json);
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** Columns that only the user changes, even while another process has the session open. */
const USERS_OWN: ReadonlySet<string> = new Set([
  'id',
  'title',
  'titled_by',
  'archived',
  'deleted_at',
  'read_at',
]);

/** Adds a session to the index, or updates it; the user's changes are kept. */
export function saveSession(sql: Sql, facts: SessionFacts): void {
  const row = rowOf(facts);
  const columns = Object.keys(row);
  const updated = columns.filter((column) => !USERS_OWN.has(column));
  sql.run(
    `INSERT INTO sessions (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
      ON CONFLICT (id) DO UPDATE SET
        ${updated.map((column) => `${column} = excluded.${column}`).join(', ')},
        title = iif(titled_by IS 'user', title, excluded.title),
        titled_by = iif(titled_by IS 'user', titled_by, excluded.titled_by)`,
    ...Object.values(row),
  );
}

function rowOf({agent, openBy, ...facts}: SessionFacts) {
  return {
    id: facts.id,
    agent_label: agent.label,
    agent_command: JSON.stringify([agent.command, ...agent.args]),
    agent_name: agent.name ?? null,
    agent_session_id: facts.agentSessionId ?? null,
    cwd: facts.cwd,
    additional_directories: JSON.stringify(facts.additionalDirectories),
    branch: facts.branch ?? null,
    title: facts.title ?? null,
    titled_by: facts.titledBy ?? null,
    first_prompt: facts.firstPrompt ?? null,
    created_at: facts.createdAt,
    updated_at: facts.updatedAt,
    turns: facts.turns,
    bytes: facts.bytes,
    archived: facts.archived ? 1 : 0,
    deleted_at: facts.deletedAt ?? null,
    by_print: facts.byPrint ? 1 : 0,
    doing: facts.doing ?? null,
    asks: facts.asks ?? null,
    says: facts.says ?? null,
    cost: facts.cost ? JSON.stringify(facts.cost) : null,
    changes: facts.changes ? JSON.stringify(facts.changes) : null,
    read_at: facts.readAt ?? null,
    open_pid: openBy?.pid ?? null,
    open_started: openBy?.started ?? null,
  };
}

/** Updates only what a session of the index is doing. */
export function saveDoing(sql: Sql, {id, doing, asks, says}: SessionFacts): void {
  const values = [doing, asks, says].map((value) => value ?? null);
  sql.run('UPDATE sessions SET doing = ?, asks = ?, says = ? WHERE id = ?', ...values, id);
}

/** A window shows the session. */
export function saveRead(sql: Sql, id: string, at: number): void {
  sql.run('UPDATE sessions SET read_at = ? WHERE id = ?', at, id);
}

/** Makes the next `saveSession` store the user's title of the window. */
export function forgetTitle(sql: Sql, id: string): void {
  sql.run('UPDATE sessions SET titled_by = NULL WHERE id = ?', id);
}

/** Newest first. */
export function listSessions(sql: Sql, filter: SessionFilter): StoredSession[] {
  const {cwd, openIn, status, ofWindows, include, limit = -1} = filter;
  const conditions = [
    include === 'deleted' ? 'deleted_at IS NOT NULL' : 'deleted_at IS NULL',
    ...(include === undefined || include === 'archived_only' ? [`archived = ${include ? 1 : 0}`] : []),
    ...(cwd === undefined ? [] : ['cwd = ?']),
    ...(openIn === undefined ? [] : ['open_pid = ?']),
    ...(ofWindows ? ['by_print IS NOT 1'] : []),
    ...(status === undefined ? [] : [`open_pid IS ${status === 'closed' ? '' : 'NOT '}NULL`]),
  ];
  const rows = sql.all(
    `SELECT * FROM sessions WHERE ${conditions.join(' AND ')} ORDER BY updated_at DESC LIMIT ?`,
    ...[cwd, openIn].filter((value) => value !== undefined),
    // The index does not know which ones are interrupted.
    status === undefined || status === 'closed' ? limit : -1,
  );
  const sessions = (rows as SessionRow[]).map(createReader());
  const wanted = status === undefined ? sessions : sessions.filter((session) => session.status === status);
  return limit < 0 ? wanted : wanted.slice(0, limit);
}

/** Returns the sessions whose id, or whose agent's id, equals the text or starts with it; an exact match takes precedence. */
export function findSessions(sql: Sql, text: string): StoredSession[] {
  const exact = sql.all('SELECT * FROM sessions WHERE id = ? OR agent_session_id = ?', text, text);
  const rows =
    exact.length > 0
      ? exact
      : sql.all(
          'SELECT * FROM sessions WHERE deleted_at IS NULL AND (substr(id, 1, ?) = ? OR substr(agent_session_id, 1, ?) = ?)',
          text.length,
          text,
          text.length,
          text,
        );
  return (rows as SessionRow[]).map(createReader());
}

/** Length of the first prompt in lists, in UTF-16 units. */
const FIRST_PROMPT_LENGTH = 200;

/** Returns the metadata of a session without any event. */
export function sessionMetaOf({id, created, agent, cwd, additionalDirectories}: SessionHeader): SessionFacts {
  return {
    id,
    agent,
    agentSessionId: undefined,
    cwd,
    additionalDirectories,
    branch: undefined,
    title: undefined,
    titledBy: undefined,
    firstPrompt: undefined,
    createdAt: created,
    updatedAt: created,
    turns: 0,
    bytes: 0,
    archived: false,
    deletedAt: undefined,
    byPrint: undefined,
    doing: undefined,
    asks: undefined,
    says: undefined,
    cost: undefined,
    changes: undefined,
    readAt: undefined,
    openBy: undefined,
  };
}

export function withMark(facts: SessionFacts, mark: SessionMark): SessionFacts {
  switch (mark.mark) {
    case 'opened':
      return {...facts, openBy: mark.by, byPrint: facts.byPrint !== false && mark.person === false};
    case 'closed':
      return {...facts, openBy: undefined};
    case 'branch':
      return {...facts, branch: mark.branch};
    case 'archived':
      return {...facts, archived: mark.archived};
    case 'continued':
    case 'recorded':
    case 'lost':
      return facts;
  }
}

/** True for a line that continues the conversation. */
export function isTurn(line: SessionEvent | SessionMark): boolean {
  return 'type' in line && (line.type === 'prompt_started' || line.type === 'prompt_ended');
}

/** Returns the metadata with the session's current state; its own entries start at `firstEntry`. */
export function withState(facts: SessionFacts, state: SessionState, firstEntry: number): SessionFacts {
  const {agent, title, ownTitle} = state;
  const prompts = state.entries.slice(firstEntry).filter((entry) => entry.type === 'user_message');
  const [first] = prompts;
  return {
    ...withDoing(facts, state),
    says: activityLine(state),
    cost: state.usage?.cost,
    changes: changesOfLastTurn(state),
    agent: agent ? {...facts.agent, name: agent.title ?? agent.name} : facts.agent,
    agentSessionId: state.sessionId ?? facts.agentSessionId,
    cwd: state.cwd,
    additionalDirectories: state.additionalDirectories,
    title: ownTitle ?? title,
    titledBy: ownTitle !== undefined ? 'user' : title !== undefined ? 'agent' : undefined,
    firstPrompt: first ? beginningOf(promptText(first.content)) : facts.firstPrompt,
    turns: prompts.length,
  };
}

/** Returns the metadata with what the session does now. */
export function withDoing(facts: SessionFacts, state: SessionState): SessionFacts {
  const says = runningLine(state) ?? facts.says;
  return {...facts, doing: doingOf(state), asks: pendingRequestLine(state), says};
}

/** Cut before processing: a prompt may have megabytes. */
function beginningOf(prompt: string): string {
  const line = prompt
    .slice(0, 10 * FIRST_PROMPT_LENGTH)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return sanitizeLine(line).slice(0, FIRST_PROMPT_LENGTH);
}
