import {isAbsolute, resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {RequestError} from '@agentclientprotocol/sdk/unstable';
import type {CommonOptions} from '../../cli/options.ts';
import type {CommandLibrary} from '../../conversation/prompt/command-library.ts';
import {attachSession} from '../../service/attached-session.ts';
import {isUntouched} from '../../session/selectors.ts';
import type {SessionIdentity, SessionStart} from '../../service/messages.ts';
import type {ServiceClient} from '../../service/service-client.ts';
import type {Result} from '../../shared/failure.ts';
import {editorSession, errorFor, type Editor, type EditorSession} from './editor-session.ts';
import {serversByName} from './mcp-servers.ts';
import type {AgentChoice} from './session-settings.ts';
import type {StoredSession} from '../../storage/sessions/stored-session.ts';
import {listedSessions} from './session-list.ts';

/** What the sessions of an editor need. */
export interface EditorServices {
  /** The options of the command line, for every session. */
  readonly given: CommonOptions;
  /** The environment of their agents. */
  readonly environment: SessionStart['environment'];
  /** How long an agent may take to start, and then to open a session. */
  readonly startSeconds: number;
  /** The state folder. */
  readonly state: string;
  /** Connects to what runs the sessions. */
  connect(): Promise<Result<ServiceClient>>;
  /** Returns the agents on this computer, and the one of a new session in this folder, if one is selected. */
  agents(cwd: string): {readonly all: readonly AgentChoice[]; readonly usual: string | undefined};
  /** Returns the custom commands for a folder. */
  readonly commands: CommandLibrary['list'];
  /** Stores that a session has just been seen. */
  readonly markRead: (this: void, id: string) => void;
  /** Returns the stored sessions, newest first. */
  stored(): Promise<readonly StoredSession[]>;
}

type Setup = Pick<acp.ResumeSessionRequest, 'cwd' | 'additionalDirectories' | 'mcpServers'>;

/** The sessions that an editor has open, by their ids, which are acp-tui's. */
export type OpenSessions = ReturnType<typeof openSessions>;

interface OpenSession {
  readonly editor: Editor;
  readonly service: ServiceClient;
  readonly session: EditorSession;
  /** How to start it again with another agent; undefined if the editor has not started it. */
  readonly start?: SessionStart | undefined;
}

interface Sessions {
  readonly services: EditorServices;
  readonly open: Map<string, OpenSession>;
}

export function openSessions(services: EditorServices) {
  const open = new Map<string, OpenSession>();
  const sessions: Sessions = {services, open};
  const get = (id: string): OpenSession => {
    const found = open.get(id);
    if (!found) throw RequestError.sessionNotFound(id);
    return found;
  };
  return {
    get: (id: string) => get(id).session,
    start(editor: Editor, setup: Setup): Promise<EditorSession> {
      const agent = services.given.agent ?? services.agents(setup.cwd).usual;
      if (agent === undefined) throw errorFor({kind: 'no_agent'});
      return begin(sessions, editor, {agent, start: startOf(services, setup)});
    },
    resume: (editor: Editor, setup: Setup & {readonly sessionId: string}) =>
      resumeSession(sessions, editor, setup),
    useAgent: (id: string, agent: string) => useAgent(sessions, get(id), agent),
    async list(request: acp.ListSessionsRequest): Promise<acp.ListSessionsResponse> {
      const service = orThrow(await services.connect());
      const running = await service.list();
      service.close();
      return listedSessions({stored: await services.stored(), running}, request);
    },
    /** Ends a session; of one that a window shows, only the turn is cancelled. */
    async close(id: string): Promise<void> {
      const closing = get(id);
      await closing.session.cancel();
      // The editor may have closed, detached or loaded it meanwhile.
      if (open.get(id) === closing) await leave(sessions, id, () => false);
    },
    /** Returns the session, which runs or is stored, and the number of windows that show it. */
    async attach(editor: Editor, sessionId: string) {
      const stored = (await services.stored()).find(({id}) => id === sessionId);
      const session = await resumeSession(sessions, editor, {sessionId, cwd: stored?.cwd ?? resolve('.')});
      const running = await get(sessionId).service.list();
      const windows = (running.find(({id}) => id === session.storedId())?.windows ?? 1) - 1;
      return {session, windows};
    },
    /** Leaves a session running. */
    detach: (id: string) => leave(sessions, get(id).session.id, () => true),
    /** Leaves all of them running, except those without a prompt. */
    async end(): Promise<void> {
      const isKept = (session: EditorSession) => !isUntouched(session.state());
      await Promise.all(Array.from(open.keys(), (id) => leave(sessions, id, isKept)));
    },
  };
}

interface Shown {
  readonly service: ServiceClient;
  readonly agent: string;
  readonly start?: SessionStart;
}

/** Shows a session that runs. */
async function attach(
  {services, open}: Sessions,
  editor: Editor,
  {id, key = id, service, agent, start}: Shown & {readonly id: string; readonly key?: string},
): Promise<EditorSession> {
  const attached = orThrow(await attachSession(service, key, services.state));
  const {all: agents} = services.agents(attached.session.cwd);
  const {startSeconds, commands, markRead} = services;
  const source = {id, service, attached, agent, agents, startSeconds, commands, markRead};
  const session = editorSession(editor, source);
  open.get(id)?.session.letGo();
  open.get(id)?.session.leave();
  open.set(id, {editor, service, session, start});
  await session.ready();
  markRead(session.storedId());
  return session;
}

/** Starts a session and shows it; nothing of it is left if it takes no prompts. */
async function begin(
  sessions: Sessions,
  editor: Editor,
  {agent, start, resumes}: {readonly agent: string; readonly start: SessionStart; readonly resumes?: string},
): Promise<EditorSession> {
  const service = orThrow(await sessions.services.connect());
  let started: SessionIdentity | undefined;
  try {
    started = orThrow(await service.start(start), agent);
    // A copy has an id of its own, which the editor does not know.
    const {key, id} = {...started, ...(resumes !== undefined && {id: resumes})};
    return await attach(sessions, editor, {id, key, service, agent, start: {...start, id}});
  } catch (error) {
    if (started) {
      sessions.open.delete(resumes ?? started.id);
      await service.stop(started.key).catch(() => undefined);
    }
    service.close();
    throw error;
  }
}

/** Attaches to a session that runs, or resumes a stored one. */
async function resumeSession(
  sessions: Sessions,
  editor: Editor,
  {sessionId, ...setup}: Setup & {readonly sessionId: string},
): Promise<EditorSession> {
  const {services} = sessions;
  const start = startOf({...services, given: {...services.given, agent: undefined}}, setup);
  const service = orThrow(await services.connect());
  const running = (await service.list()).find(({id}) => id === sessionId);
  const stored = (await services.stored()).find(({id}) => id === sessionId);
  if (running) {
    const agent = stored?.agent.label ?? running.agent;
    return await attach(sessions, editor, {id: sessionId, service, agent}).catch((error: unknown) => {
      // Otherwise it counts as a window that shows the session.
      if (sessions.open.get(sessionId)?.service !== service) service.close();
      throw error;
    });
  }
  service.close();
  if (!stored) throw RequestError.sessionNotFound(sessionId);
  const given = {...start.given, resumeRequest: {which: 'named', id: sessionId} as const};
  return begin(sessions, editor, {agent: stored.agent.label, start: {...start, given}, resumes: sessionId});
}

/** Replaces the agent of a session in which nothing was asked yet; it keeps its id. */
async function useAgent(
  sessions: Sessions,
  {editor, service, session, start}: OpenSession,
  agent: string,
): Promise<void> {
  if (agent === session.agent) return;
  if (!start || start.given.resumeRequest || !isUntouched(session.state()))
    throw RequestError.invalidParams(undefined, 'the agent can only be changed before the first prompt');
  if (!sessions.services.agents(session.state().cwd).all.some(({id}) => id === agent))
    throw RequestError.invalidParams(undefined, `there is no agent "${agent}" on this computer`);
  orThrow(await service.stop(session.id));
  try {
    const other = {...start, given: {...start.given, agent}};
    (await begin(sessions, editor, {agent, start: other})).show(0).release();
  } catch (error) {
    // The editor still has the session.
    (await begin(sessions, editor, {agent: session.agent, start})).show(0).release();
    throw error;
  }
}

/** Leaves a session, and ends it unless it is kept, or a window shows it. */
async function leave(
  {open}: Sessions,
  id: string,
  isKept: (session: EditorSession) => boolean,
): Promise<void> {
  const {service, session} = open.get(id)!;
  open.delete(id);
  session.letGo();
  try {
    const running = isKept(session) ? [] : await service.list();
    const stored = session.storedId();
    const isAlone = running.some((each) => each.id === stored && each.windows <= 1);
    if (isAlone) await service.stop(stored);
  } catch {
    // The service has ended, and the session with it.
  }
  session.leave();
}

/** Returns how to start a session as the command line and the editor say. */
function startOf(
  {given, environment}: Pick<EditorServices, 'given' | 'environment'>,
  {cwd, additionalDirectories = [], mcpServers = []}: Setup,
): SessionStart {
  for (const folder of [cwd, ...additionalDirectories])
    if (!isAbsolute(folder))
      throw RequestError.invalidParams(undefined, `"${folder}" is not an absolute path`);
  return {
    given: {...given, cwd, additionalDirectories: [...given.additionalDirectories, ...additionalDirectories]},
    environment,
    mcpServers: serversByName(mcpServers),
  };
}

function orThrow<Value>(result: Result<Value>, agent?: string): Value {
  if (result.ok) return result.value;
  throw errorFor(result.failure, agent);
}
