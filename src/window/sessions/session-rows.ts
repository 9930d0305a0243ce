import {commandKey, type AgentCommand} from '../../agents/resolve.ts';
import type {StoredSession} from '../../storage/sessions/stored-session.ts';
import type {ListedSession} from '../../session/actions.ts';
import type {SessionState} from '../../session/state.ts';
import {messageText} from '../../session/selectors.ts';
import {stateOf} from '../../session/labels/session-states.ts';
import type {SessionRow} from '../../app/pickers/listings.ts';

/** A session in the list, and its sources, at least one. */
export interface FoundSession {
  readonly row: SessionRow;
  readonly stored: StoredSession | undefined;
  readonly listed: ListedSession | undefined;
  /** The agent that listed it, if it is not the current one. */
  readonly lister: AgentCommand | undefined;
}

/** The sessions that an agent lists. */
export interface AgentListing {
  readonly name: string;
  /** Undefined for the current agent. */
  readonly agent: AgentCommand | undefined;
  readonly sessions: readonly ListedSession[];
}

/**
 * Merges stored sessions and those that agents list into rows. The title is the user's, else the agent's current one. Session ids are unique only per agent,
 * and some agents reuse them in each run: of the sessions stored under one id the newest is the one that the agent lists, and each has its own row; so have
 * sessions of two agents with the same id.
 */
export function joinSessions(
  stored: readonly StoredSession[],
  listings: readonly AgentListing[],
): ReadonlyMap<string, FoundSession> {
  const rows = new Map<string, FoundSession>();
  const newest = new Map<string, StoredSession>();
  for (const own of stored) {
    const {agentSessionId: sessionId = own.id} = own;
    if (!newest.has(sessionId)) newest.set(sessionId, own);
    rows.set(own.id, {row: storedRow(own, undefined), stored: own, listed: undefined, lister: undefined});
  }
  for (const {name, agent, sessions} of listings)
    for (const listed of new Map(sessions.map((session) => [session.sessionId, session])).values()) {
      const {sessionId} = listed;
      const own = newest.get(sessionId);
      const isOwn = !agent || agent.label === own?.agent.label;
      if (own && (isOwn || commandKey(agent) === commandKey(own.agent)) && !rows.get(own.id)?.listed) {
        rows.set(own.id, {row: storedRow(own, listed), stored: own, listed, lister: agent});
        continue;
      }
      const id = rows.has(sessionId) ? `${sessionId} ${agent?.label ?? ''}` : sessionId;
      rows.set(id, {row: {...listedRow(listed, name), id}, stored: undefined, listed, lister: agent});
    }
  return rows;
}

function storedRow(own: StoredSession, twin: ListedSession | undefined): SessionRow {
  const {
    title,
    titledBy,
    firstPrompt,
    updatedAt,
    cwd,
    branch,
    agent,
    bytes,
    status,
    asks,
    says,
    cost,
    changes,
    byPrint,
  } = own;
  return {
    id: own.id,
    title: titledBy === 'user' ? title : (twin?.title ?? title),
    firstPrompt,
    at: Math.max(updatedAt, twin?.updatedAt ?? 0),
    cwd,
    branch,
    agent: agent.name ?? agent.label,
    bytes,
    status: stateOf(own),
    ...(status === 'open' && {
      ...(asks !== undefined && {asks}),
      ...(says !== undefined && {says}),
      ...(cost && {spent: cost}),
      ...(changes && {changes}),
    }),
    byPrint: byPrint === true,
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
    status: 'stored',
    byPrint: false,
  };
}

/** Length of the preview, in characters. */
const PREVIEW = 2000;

/** Returns the end of a conversation as plain text. */
export function previewOf({entries}: Pick<SessionState, 'entries'>): string {
  const messages: string[] = [];
  let length = 0;
  for (const entry of entries.slice().toReversed()) {
    if (entry.type !== 'user_message' && entry.type !== 'agent_message') continue;
    const text = `${entry.type === 'user_message' ? '> ' : ''}${messageText(entry).trim()}`.slice(-PREVIEW);
    length += text.length;
    messages.unshift(text);
    if (length >= PREVIEW) break;
  }
  return messages.join('\n\n');
}
