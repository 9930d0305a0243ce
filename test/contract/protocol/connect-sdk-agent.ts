import {agent, methods, ndJsonStream, type AgentApp} from '@agentclientprotocol/sdk/unstable';
import {connect} from '../../../src/protocol/connect.ts';
import type {ClientHandlers} from '../../../src/protocol/handlers-interface.ts';
import {stdioTransport} from '../../../src/protocol/transport.ts';
import type {TraceContext} from '../../../src/protocol/outgoing.ts';
import type {Update} from '../../../src/session/events.ts';
import {clientInfo, recordingHandlers, valueOf} from './connect-fake.ts';

const {initialize, session} = methods.agent;
export const offer = {fs: true, terminal: false};
export const noRoots = {cwd: '/home/user', additionalDirectories: [], mcpServers: []};

/** A connection to an SDK agent in this process, over bytes as with a child process. */
export function connectTo(app: AgentApp, own: Partial<ClientHandlers> = {}, trace?: TraceContext) {
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const toClient = new TransformStream<Uint8Array, Uint8Array>();
  const peer = app.connect(ndJsonStream(toClient.writable, toAgent.readable));
  const updates: Update[] = [];
  const transport = stdioTransport({stdin: toAgent.writable, stdout: toClient.readable});
  const connection = connect(transport, recordingHandlers(updates, own), {clientInfo, trace});
  return {connection, updates, peer};
}

/** An agent that answers `initialize` with these capabilities and has no other handlers. */
export function agentWith(capabilities: object = {}, more: object = {}): AgentApp {
  return agent({name: 'sdk-agent'}).onRequest(initialize, () => ({
    protocolVersion: 1,
    agentCapabilities: capabilities,
    ...more,
  }));
}

export async function openSdkAgent(app: AgentApp, own?: Partial<ClientHandlers>) {
  const connected = connectTo(
    app.onRequest(session.new, () => ({sessionId: 's'})),
    own,
  );
  valueOf(await connected.connection.initialize(offer));
  valueOf(await connected.connection.newSession(noRoots));
  return connected;
}
