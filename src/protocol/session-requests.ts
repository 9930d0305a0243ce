import {methods, type AgentCapabilities} from '@agentclientprotocol/sdk/unstable';
import {takesAdditionalDirectories} from './capabilities.ts';
import type {Result} from '../shared/failure.ts';
import type {SessionRequests, SessionSetup} from './connection.ts';
import {isFields} from './normalise/deviation.ts';
import {openedSession} from './opened-session.ts';
import * as schema from './schema.ts';

/** How an answer is read, and what gives up waiting for it. */
export type Reading<T> =
  | ((result: unknown) => T)
  | {readonly read: (result: unknown) => T; readonly signal: AbortSignal | undefined};

/** Asks the agent, and reads its answer. */
export type Ask = <T>(method: string, params: object, read: Reading<T>) => Promise<Result<T>>;

const {session} = methods.agent;

/** What we ask of the agent about its sessions. `capabilities` are those of its `initialize` answer. */
export function sessionRequests(
  ask: Ask,
  capabilities: () => AgentCapabilities | undefined,
): SessionRequests {
  /** What every way to open a session names, and the folders that the agent really gets. */
  function setupOf({cwd, additionalDirectories: wanted, mcpServers}: SessionSetup) {
    const additionalDirectories = takesAdditionalDirectories(capabilities()) ? wanted : [];
    const roots = additionalDirectories.length === 0 ? {} : {additionalDirectories};
    const place = {cwd, additionalDirectories, mcpServers: mcpServers.map(({name}) => name)};
    return {params: {cwd, mcpServers, ...roots}, place};
  }

  function open(
    method: string,
    setup: SessionSetup,
    {sessionId, signal}: {readonly sessionId?: string; readonly signal?: AbortSignal | undefined} = {},
  ) {
    const {params, place} = setupOf(setup);
    const asked = method === session.fork ? undefined : sessionId;
    return ask(method, sessionId === undefined ? params : {sessionId, ...params}, {
      read: (raw) => openedSession(raw, place, asked),
      signal,
    });
  }

  const nothingOf = (method: string, params: object) => ask(method, params, () => undefined);
  return {
    newSession: (setup, signal) => open(session.new, setup, {signal}),
    loadSession: (sessionId, setup) => open(session.load, setup, {sessionId}),
    resumeSession: (sessionId, setup) => open(session.resume, setup, {sessionId}),
    forkSession: (sessionId, setup) => open(session.fork, setup, {sessionId}),
    listSessions: (page) => ask(session.list, page, (raw) => schema.listSessionsResponse.parse(raw)),
    closeSession: (sessionId) => nothingOf(session.close, {sessionId}),
    deleteSession: (sessionId) => nothingOf(session.delete, {sessionId}),
    archiveSession: (sessionId) => nothingOf(session.archive, {sessionId}),
    unarchiveSession: (sessionId) => nothingOf(session.unarchive, {sessionId}),
    setTitle: (sessionId, title) => ask(session.setTitle, {sessionId, title}, titleOf),
  };
}

/** The title that the agent stored, which may not be the one that it was given; undefined where its answer has none. */
function titleOf(raw: unknown): string | undefined {
  const title = isFields(raw) ? raw['title'] : undefined;
  return typeof title === 'string' ? title : undefined;
}
