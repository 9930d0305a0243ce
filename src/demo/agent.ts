import {
  agent,
  type AgentApp,
  type AgentConnection,
  RequestError,
  type Stream,
} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {bothVersions} from '../protocol/agent-side/both-versions.ts';
import {ownTools} from './own-tools.ts';
import {sceneFor} from './scenes.ts';
import type {Demo} from './session.ts';
import {registerSessions, saveSession, sessionOf} from './sessions.ts';
import {authMethods, demoAccount, registerSignIn, checkSignedIn} from './sign-in.ts';
import {createStage, type Stage} from './stage.ts';

const VERSION = '1.0.0';

interface DemoOptions {
  /** 1 is the pace of a fast model, 0 skips all pauses. */
  readonly pace: number;
}

/** Connects the demo agent to a client of either version of the protocol. */
export function connectDemoAgent(stream: Stream, options: DemoOptions): AgentConnection {
  return createDemoAgent(options).connect(bothVersions(stream, ownTools));
}

function createDemoAgent(options: DemoOptions): AgentApp {
  const demo: Demo = {pace: options.pace, sessions: new Map(), account: demoAccount(), client: {}};
  const app = agent({name: 'acp-tui-demo'}).onRequest('initialize', ({params}) => {
    demo.client = params.clientCapabilities ?? {};
    return {
      protocolVersion: 1,
      agentInfo: {name: 'acp-tui-demo', title: 'Demo agent', version: VERSION},
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: {image: true, embeddedContext: true},
        sessionCapabilities: {list: {}, resume: {}, close: {}},
        auth: {logout: {}, status: {}},
      },
      authMethods: authMethods(demo.client),
    };
  });
  registerSignIn(app, demo.account);
  registerSessions(app, demo);
  registerTurns(app, demo);
  return app;
}

/** "Prompt Turn" and "Cancellation": a prompt plays the scene that it names. */
function registerTurns(app: AgentApp, demo: Demo): void {
  const running = new Map<string, AbortController>();
  app
    .onNotification('session/cancel', ({params}) => running.get(params.sessionId)?.abort())
    .onRequest('session/close', ({params}) => {
      demo.sessions.delete(sessionOf(demo, params.sessionId).id);
      running.get(params.sessionId)?.abort();
      return {};
    })
    .onRequest('session/prompt', async ({params, client}) => {
      checkSignedIn(demo.account);
      const session = sessionOf(demo, params.sessionId);
      if (running.has(session.id)) throw RequestError.invalidRequest(undefined, 'a turn is already running');
      const controller = new AbortController();
      running.set(session.id, controller);
      const {pace, client: capabilities} = demo;
      const stage = createStage({
        session,
        context: client,
        client: capabilities,
        pace,
        signal: controller.signal,
      });
      try {
        return await play(stage, params.prompt);
      } finally {
        running.delete(session.id);
        await saveSession(session);
      }
    });
}

async function play(stage: Stage, prompt: readonly acp.ContentBlock[]): Promise<acp.PromptResponse> {
  const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
  await stage.recordPrompt(text, prompt);
  try {
    await sceneFor(text).play(stage, text);
  } catch (error) {
    // A cancel ends the scene at any point; that is not an error.
    if (!stage.signal.aborted) throw error;
  }
  const usage = await stage.accounts();
  return {stopReason: stage.signal.aborted ? 'cancelled' : 'end_turn', usage};
}
