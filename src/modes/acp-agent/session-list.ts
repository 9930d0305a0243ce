import type * as acp from '@agentclientprotocol/sdk/unstable';
import {RequestError} from '@agentclientprotocol/sdk/unstable';
import type {RunningSession} from '../../service/messages.ts';
import {nameOfSession} from '../../session/titles.ts';
import type {StoredSession} from '../../storage/sessions/stored-session.ts';

const PAGE = 50;

interface AllSessions {
  readonly stored: readonly StoredSession[];
  readonly running: readonly RunningSession[];
}

/** Returns a page of the sessions of a folder, or of all ("Session List"): those that run first, then the stored ones, newest first. */
export function listedSessions(
  {stored, running}: AllSessions,
  {cwd, cursor}: acp.ListSessionsRequest,
): acp.ListSessionsResponse {
  const from = Number(cursor ?? 0);
  if (!Number.isInteger(from) || from < 0) throw RequestError.invalidParams(undefined, 'unknown cursor');
  const known = new Map(stored.map((session) => [session.id, session]));
  const runningIds = new Set(running.map(({id}) => id));
  const all = [
    ...running.map((session) => infoOfRunning(session, known.get(session.id))),
    ...stored.filter(({id}) => !runningIds.has(id)).map(infoOfStored),
  ].filter((info) => !cwd || info.cwd === cwd);
  const next = from + PAGE < all.length ? {nextCursor: String(from + PAGE)} : {};
  return {sessions: all.slice(from, from + PAGE), ...next};
}

function infoOfStored(session: StoredSession): acp.SessionInfo {
  const {id: sessionId, cwd, additionalDirectories, updatedAt, agent} = session;
  return {
    sessionId,
    cwd,
    additionalDirectories: [...additionalDirectories],
    title: nameOfSession(session),
    updatedAt: new Date(updatedAt).toISOString(),
    _meta: {'acp-tui': {agent: agent.label}},
  };
}

function infoOfRunning(
  {id: sessionId, cwd, title, agent, doing}: RunningSession,
  stored: StoredSession | undefined,
): acp.SessionInfo {
  const _meta = {'acp-tui': {agent, doing}};
  return {...(stored ? infoOfStored(stored) : {sessionId, cwd}), ...(title !== '' && {title}), _meta};
}
