import type {SessionRow} from '../app/session-picker.ts';
import type {StoredSession} from '../persistence/sessions/stored-session.ts';
import type {ListedSession} from '../session/actions.ts';
import type {SessionState} from '../session/state.ts';
import {messageText} from '../session/selectors.ts';

/** A session of the list, and where it is known from: one of the two at least. */
export interface FoundSession {
  readonly row: SessionRow;
  readonly stored: StoredSession | undefined;
  readonly listed: ListedSession | undefined;
}

/**
 * What we stored and what an agent lists, by row; what both have is one row. Its title is the user's, else what the agent says
 * now. `agent` names who listed. Session ids are only the agent's: some give the same one in each run, so of those that we
 * stored under one id the newest is what the agent lists, and each has its row.
 */
export function joinSessions(
  stored: readonly StoredSession[],
  listed: readonly ListedSession[],
  agent: string,
): ReadonlyMap<string, FoundSession> {
  const rest = new Map(listed.map((session) => [session.sessionId, session]));
  const rows = new Map<string, FoundSession>();
  for (const own of stored) {
    const {agentSessionId: sessionId = own.id} = own;
    const twin = rest.get(sessionId);
    rest.delete(sessionId);
    rows.set(own.id, {row: storedRow(own, twin), stored: own, listed: twin});
  }
  for (const twin of rest.values())
    rows.set(twin.sessionId, {row: listedRow(twin, agent), stored: undefined, listed: twin});
  return rows;
}

function storedRow(own: StoredSession, twin: ListedSession | undefined): SessionRow {
  const {title, titledBy, firstPrompt, updatedAt, cwd, branch, agent, bytes, status} = own;
  return {
    id: own.id,
    title: titledBy === 'user' ? title : (twin?.title ?? title),
    firstPrompt,
    at: Math.max(updatedAt, twin?.updatedAt ?? 0),
    cwd,
    branch,
    agent: agent.name ?? agent.label,
    bytes,
    status,
  };
}

function listedRow({sessionId, title, updatedAt, cwd}: ListedSession, agent: string): SessionRow {
  return {
    id: sessionId,
    title,
    firstPrompt: undefined,
    at: updatedAt,
    cwd,
    branch: undefined,
    agent,
    bytes: undefined,
    status: 'closed',
  };
}

/** How much of a conversation's end is shown before it is opened, in characters. */
const PREVIEW = 2000;

/** The end of a conversation in plain words. */
export function previewOf({entries}: Pick<SessionState, 'entries'>): string {
  const said: string[] = [];
  let length = 0;
  for (const entry of entries.slice().toReversed()) {
    if (entry.type !== 'user_message' && entry.type !== 'agent_message') continue;
    const text = `${entry.type === 'user_message' ? '> ' : ''}${messageText(entry).trim()}`.slice(-PREVIEW);
    length += text.length;
    said.unshift(text);
    if (length >= PREVIEW) break;
  }
  return said.join('\n\n');
}
