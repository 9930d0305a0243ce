import {agent, type AgentApp} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {registerSessions} from './sessions.ts';
import {authMethods, demoAccount, registerSignIn, type DemoAccount} from './sign-in.ts';
import {registerTurns} from './turns.ts';
import type {DemoSession} from './session.ts';

const VERSION = '1.0.0';

export interface DemoOptions {
  /** 1 is the pace of a quick model, 0 leaves all pauses out. */
  readonly pace: number;
}

/** What the handlers of one connection share. */
export interface Demo {
  readonly pace: number;
  readonly sessions: Map<string, DemoSession>;
  readonly account: DemoAccount;
  /** What the client said of itself in `initialize`. */
  client: acp.ClientCapabilities;
}

/** The demo agent as an SDK app; connect it to a stream. */
export function createDemoAgent(options: DemoOptions): AgentApp {
  const demo: Demo = {pace: options.pace, sessions: new Map(), account: demoAccount(), client: {}};
  const app = agent({name: 'acp-tui-demo'}).onRequest('initialize', ({params}) => {
    demo.client = params.clientCapabilities ?? {};
    return {
      protocolVersion: 1,
      agentInfo: {name: 'acp-tui-demo', title: 'Demo agent', version: VERSION},
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: {image: true, embeddedContext: true},
        sessionCapabilities: {list: {}},
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
