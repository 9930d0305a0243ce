import {RequestError, type AgentApp, type AgentContext} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Demo} from './agent.ts';
import {commands} from './scenes/index.ts';
import {newSession, type DemoSession} from './session.ts';
import {listSessions, loadSession} from './session-files.ts';
import {checkSignedIn} from './sign-in.ts';
import {configOptions, modes, setMode, setOption} from './settings.ts';

const PAGE = 20;

/** "Session Setup", "Session List", "Session Modes" and "Session Config Options". */
export function registerSessions(app: AgentApp, demo: Demo): void {
  app
    .onRequest('session/new', ({params, client}) => {
      checkSignedIn(demo.account);
      const session = newSession(params.cwd);
      return {sessionId: session.id, ...open(demo, session, client)};
    })
    .onRequest('session/load', async ({params, client}) => {
      checkSignedIn(demo.account);
      const session = await loadSession(params.sessionId);
      if (!session) throw RequestError.sessionNotFound(params.sessionId);
      for (const update of session.updates) {
        await client.notify('session/update', {sessionId: session.id, update});
      }
      return open(demo, session, client);
    })
    .onRequest('session/list', ({params}) => list(params))
    .onRequest('session/set_mode', async ({params, client}) => {
      const session = sessionOf(demo, params.sessionId);
      setMode(session, params.modeId);
      const update: acp.SessionUpdate = {
        sessionUpdate: 'config_option_update',
        configOptions: configOptions(session, demo.client),
      };
      await client.notify('session/update', {sessionId: session.id, update});
      return {};
    })
    .onRequest('session/set_config_option', ({params}) => {
      const session = sessionOf(demo, params.sessionId);
      setOption(session, params.configId, params.value);
      return {configOptions: configOptions(session, demo.client)};
    });
}

/** The open session of that id, or the error that the protocol has for it. */
export function sessionOf(demo: Demo, id: string): DemoSession {
  const session = demo.sessions.get(id);
  if (!session) throw RequestError.sessionNotFound(id);
  return session;
}

function open(demo: Demo, session: DemoSession, client: AgentContext) {
  demo.sessions.set(session.id, session);
  const update: acp.SessionUpdate = {
    sessionUpdate: 'available_commands_update',
    availableCommands: commands(),
  };
  // The answer that names the session goes first.
  setImmediate(() => void client.notify('session/update', {sessionId: session.id, update}));
  return {modes: modes(session), configOptions: configOptions(session, demo.client)};
}

async function list(params: acp.ListSessionsRequest): Promise<acp.ListSessionsResponse> {
  const all = (await listSessions()).filter((info) => !params.cwd || info.cwd === params.cwd);
  const from = Number(params.cursor ?? 0);
  const next = from + PAGE < all.length ? {nextCursor: String(from + PAGE)} : {};
  return {sessions: all.slice(from, from + PAGE), ...next};
}
