import type * as acp from '@agentclientprotocol/sdk/unstable';
import {DONE, fail, type Result} from '../../shared/failure.ts';
import {agentCan, type SessionCapability} from '../../session/lifecycle/agent-capabilities.ts';
import {titleFromAgent} from '../../session/titles.ts';
import type {ListedPage, ListedSession, ListedSessionFilter} from '../../session/actions.ts';
import type {Connection} from '../../protocol/connection.ts';
import {isCurrent, notRunning, type ConversationContext} from '../context.ts';
import type {AgentRun} from './phases.ts';

/** "Session List": returns a page of the agent's sessions. */
export async function listSessions(
  context: ConversationContext,
  {cwd, archived}: ListedSessionFilter,
  cursor?: string,
): Promise<Result<ListedPage>> {
  const {run} = context;
  if (!run) return notRunning();
  if (!agentCan(context.sink.state(), 'list')) return lacking('listing its sessions');
  if (archived && !agentCan(context.sink.state(), 'archive')) return lacking('listing archived sessions');
  const listed = await run.connection.listSessions({
    ...(cwd !== undefined && {cwd}),
    ...(archived && {archived: 'only'}),
    ...(cursor !== undefined && {cursor}),
  });
  if (!isCurrent(context, run)) return notRunning();
  if (!listed.ok) return listed;
  // An agent may list archived sessions even if they were not requested.
  const wanted = listed.value.sessions.filter((each) => archived || each.archived !== true);
  return {
    ok: true,
    value: {sessions: wanted.map(listedSession), next: listed.value.nextCursor ?? undefined},
  };
}

function listedSession(info: acp.SessionInfo): ListedSession {
  const {sessionId, cwd, additionalDirectories, title, updatedAt} = info;
  const at = Date.parse(updatedAt ?? '');
  return {
    sessionId,
    cwd,
    additionalDirectories: additionalDirectories ?? [],
    title: titleFromAgent(title, cwd),
    updatedAt: Number.isNaN(at) ? undefined : at,
  };
}

/** `session/set_title` if the agent supports it; otherwise the title is stored only here. */
export async function renameSession(context: ConversationContext, title: string): Promise<Result<void>> {
  const {run, sink} = context;
  const {sessionId} = sink.state();
  const agentKnows =
    run !== undefined && sessionId !== undefined && title !== '' && agentCan(sink.state(), 'title');
  const set = agentKnows ? await run.connection.setTitle(sessionId, title) : undefined;
  if (set && !set.ok) return set;
  sink.emit({type: 'renamed', title: set?.value ?? title, agentKnows, at: Date.now()});
  return DONE;
}

type SessionChange = 'delete' | 'archive' | 'unarchive';

/** "Session Delete", `session/archive` and `session/unarchive`, if the agent supports them. */
export async function changeAgentSession(
  context: ConversationContext,
  change: SessionChange,
  sessionId: acp.SessionId,
): Promise<Result<void>> {
  const {run, sink} = context;
  if (!run) return notRunning();
  const ability: SessionCapability = change === 'delete' ? 'delete' : 'archive';
  if (!agentCan(sink.state(), ability)) return lacking(change === 'delete' ? 'deleting' : 'archiving');
  return REQUESTS[change](run.connection, sessionId);
}

const REQUESTS: Readonly<
  Record<SessionChange, (connection: Connection, sessionId: acp.SessionId) => Promise<Result<void>>>
> = {
  delete: (connection, sessionId) => connection.deleteSession(sessionId),
  archive: (connection, sessionId) => connection.archiveSession(sessionId),
  unarchive: (connection, sessionId) => connection.unarchiveSession(sessionId),
};

/** "Closing Active Sessions", if the agent supports it: it stops its work and frees resources. */
export async function closeAgentSession(
  {sink}: ConversationContext,
  run: AgentRun,
  sessionId: acp.SessionId,
): Promise<void> {
  if (agentCan(sink.state(), 'close')) await run.connection.closeSession(sessionId);
}

/** Detaches the session from its agent, and closes it there if the agent keeps running for other sessions. */
export async function leaveAgent(context: ConversationContext, run: AgentRun): Promise<void> {
  const {sessionId} = context.sink.state();
  if (run.others().length > 0 && run.sessionOpen && sessionId !== undefined)
    void closeAgentSession(context, run, sessionId);
  await run.leave();
}

function lacking(what: string): Result<never> {
  return fail({kind: 'not_offered', what, why: 'this agent does not support it'});
}
