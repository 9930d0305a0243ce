import {randomUUID} from 'node:crypto';
import {
  agent,
  RequestError,
  type AgentApp,
  type AgentContext,
  type Stream,
} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {bothVersions} from '../../protocol/agent-side/both-versions.ts';
import {version} from '../../shared/version.ts';
import {isJsonObject} from '../../text/json.ts';
import type {Editor, EditorSession} from './editor-session.ts';
import {openSessions, type EditorServices, type OpenSessions} from './open-sessions.ts';
import {historyFrom, readAttach} from './attach-request.ts';
import {AGENT_OPTION, setOption} from './session-settings.ts';

/** acp-tui as an agent for an editor: it translates between the editor and sessions that run elsewhere. */
export function createEditorAgent(services: EditorServices) {
  const sessions = openSessions(services);
  let capabilities: acp.ClientCapabilities = {};
  // The SDK refuses what comes before `initialize`.
  const app = agent({name: 'acp-tui'}).onRequest('initialize', ({params}) => {
    capabilities = params.clientCapabilities ?? {};
    return INITIALIZED;
  });
  const editorOf = (client: AgentContext): Editor => ({client, capabilities});
  onOpening(app, sessions, editorOf);
  onSettings(app, sessions);
  app
    .onRequest('session/list', ({params}) => sessions.list(params))
    .onRequest('session/close', async ({params}) => {
      await sessions.close(params.sessionId);
      return {};
    })
    .onRequest('session/prompt', ({params, signal}) => {
      const session = sessions.get(params.sessionId);
      // A connection that is closed aborts it, too: the session goes on without its editor.
      const stop = () => void (signal.reason instanceof RequestError && session.cancel());
      signal.addEventListener('abort', stop, {once: true});
      return session.prompt(params.prompt);
    })
    .onNotification('session/cancel', ({params}) => sessions.get(params.sessionId).cancel());
  return {connect: (stream: Stream) => app.connect(bothVersions(stream)), end: () => sessions.end()};
}

/** `attach` is of a draft. */
const SESSION_CAPABILITIES = {list: {}, resume: {}, close: {}, additionalDirectories: {}, attach: {}};

/** "Initialization". What the session's agent takes is only known once it runs: what it does not take is changed, see `supportedContent`. */
const INITIALIZED: acp.InitializeResponse = {
  protocolVersion: 1,
  agentInfo: {name: 'acp-tui', title: 'acp-tui', version},
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: {image: true, embeddedContext: true},
    mcpCapabilities: {http: true, sse: true},
    sessionCapabilities: SESSION_CAPABILITIES,
  },
  authMethods: [],
};

/** "Session Setup". What happens while a session is opened is sent after the response with its id, except for what `session/load` replays. */
function onOpening(app: AgentApp, sessions: OpenSessions, editorOf: (client: AgentContext) => Editor): void {
  const responseOf = (session: EditorSession, from: number) => {
    setImmediate(session.show(from).release);
    return session.settings();
  };
  app
    .onRequest('session/new', async ({params, client}) => {
      const session = await sessions.start(editorOf(client), params);
      return {sessionId: session.id, ...responseOf(session, 0)};
    })
    .onRequest('session/load', async ({params, client}) => {
      const session = await sessions.resume(editorOf(client), params);
      session.show(0).release();
      await session.reportActivity();
      return session.settings();
    })
    .onRequest('session/resume', async ({params, client}) => {
      const session = await sessions.resume(editorOf(client), params);
      await session.reportActivity();
      return responseOf(session, session.state().entries.length);
    })
    .onRequest('session/attach', readAttach, async ({params, client}) => {
      const {sessionId, clientId = randomUUID()} = params;
      const {session, windows} = await sessions.attach(editorOf(client), sessionId);
      const {from, historyPolicy} = historyFrom(session.state(), params);
      session.reportAnswers();
      const {release, replayed} = session.show(from);
      release();
      await session.reportActivity();
      const connectedClients = Array.from({length: windows}, (_, index) => ({
        clientId: `window-${index + 1}`,
        name: 'acp-tui',
      }));
      return {sessionId, clientId, connectedClients, historyPolicy, replayed, ...session.settings()};
    })
    .onRequest('session/detach', readAttach, async ({params}) => {
      await sessions.detach(params.sessionId);
      return {};
    });
}

/** "Session Modes", "Session Config Options", and the models of older clients. */
function onSettings(app: AgentApp, sessions: OpenSessions): void {
  app
    .onRequest('session/set_mode', async ({params}) => {
      await sessions.get(params.sessionId).act((actions) => actions.setMode(params.modeId));
      return {};
    })
    .onRequest('session/set_model', readModel, async ({params}) => {
      await sessions.get(params.sessionId).act((actions) => actions.setModel(params.modelId));
      return {};
    })
    .onRequest('session/set_config_option', async ({params}) => {
      const {sessionId, configId, value} = params;
      const session = sessions.get(sessionId);
      const isAgent =
        configId === AGENT_OPTION && session.state().configOptions?.every(({id}) => id !== configId);
      if (isAgent ?? configId === AGENT_OPTION) await sessions.useAgent(sessionId, String(value));
      else await session.act((actions, state) => setOption(state, actions, {configId, value}));
      return {configOptions: sessions.get(sessionId).settings().configOptions};
    });
}

/** No longer in the schema. */
function readModel(params: unknown): {readonly sessionId: string; readonly modelId: string} {
  const {sessionId, modelId} = isJsonObject(params) ? params : {};
  if (typeof sessionId === 'string' && typeof modelId === 'string') return {sessionId, modelId};
  throw RequestError.invalidParams();
}
