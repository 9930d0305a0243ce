import {methods, type AgentCapabilities} from '@agentclientprotocol/sdk/unstable';
import {takesAdditionalDirectories} from './capabilities.ts';
import type {Result} from '../failure.ts';
import type {SessionRequests, SessionSetup} from './connection.ts';
import {openedSession} from './opened-session.ts';
import * as schema from './schema.ts';

/** Asks the agent, and reads its answer. */
export type Ask = <T>(method: string, params: object, read: (result: unknown) => T) => Promise<Result<T>>;

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

  function open(method: string, setup: SessionSetup, sessionId?: string) {
    const {params, place} = setupOf(setup);
    return ask(method, sessionId === undefined ? params : {sessionId, ...params}, (raw) =>
      openedSession(raw, place, method === session.fork ? undefined : sessionId),
    );
  }

  const nothingOf = (method: string, params: object) => ask(method, params, () => undefined);
  return {
    newSession: (setup) => open(session.new, setup),
    loadSession: (sessionId, setup) => open(session.load, setup, sessionId),
    resumeSession: (sessionId, setup) => open(session.resume, setup, sessionId),
    forkSession: (sessionId, setup) => open(session.fork, setup, sessionId),
    listSessions: (page) => ask(session.list, page, (raw) => schema.listSessionsResponse.parse(raw)),
    closeSession: (sessionId) => nothingOf(session.close, {sessionId}),
    deleteSession: (sessionId) => nothingOf(session.delete, {sessionId}),
    archiveSession: (sessionId) => nothingOf(session.archive, {sessionId}),
    unarchiveSession: (sessionId) => nothingOf(session.unarchive, {sessionId}),
    setTitle: (sessionId, title) => nothingOf(session.setTitle, {sessionId, title}),
  };
}
