import {ndJsonStream, type AgentApp, type SessionUpdate} from '@agentclientprotocol/sdk/experimental/v2';
import {onTestFinished} from 'vitest';
import {v2Agent, type Turn} from '../../../fixtures/v2-agent/main.ts';
import {connect} from '../../../src/protocol/connect.ts';
import type {ClientHandlers} from '../../../src/protocol/handlers-interface.ts';
import {stdioTransport, type Transport} from '../../../src/protocol/transport.ts';
import type {JsonObject} from '../../../src/text/json.ts';
import {v2Transport} from '../../../src/protocol/v2/v2-transport.ts';
import type {Update} from '../../../src/session/events.ts';
import {clientInfo, recordingHandlers, valueOf} from './connect-fake.ts';
import {noRoots, offer} from './connect-sdk-agent.ts';

export const version2Offer = {...offer, elicitation: true, protocolVersion: 2} as const;
export const nothing: Turn = async () => {};

/** A connection with version 2 on the wire, to an SDK agent in this process. */
export function connectTo(app: Pick<AgentApp, 'connect'>, own: Partial<ClientHandlers> = {}) {
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const toClient = new TransformStream<Uint8Array, Uint8Array>();
  app.connect(ndJsonStream(toClient.writable, toAgent.readable));
  const cut = new AbortController();
  const stdout = toClient.readable.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), cut);
  const updates: Update[] = [];
  const wire = stdioTransport({stdin: toAgent.writable, stdout});
  const sent: JsonObject[] = [];
  const recorded: Transport = {
    lines: wire.lines,
    send(line) {
      sent.push(JSON.parse(line) as JsonObject);
      return wire.send(line);
    },
  };
  const connection = connect(v2Transport(recorded), recordingHandlers(updates, own), {clientInfo});
  onTestFinished(() => connection.close());
  /** The parameters of the requests that the agent got. */
  const requests = (method: string) =>
    sent.filter((message) => message['method'] === method).map(({params}) => params as JsonObject);
  return {connection, updates, requests, cut: () => cut.abort()};
}

export async function openVersion2(turn: Turn, own?: Partial<ClientHandlers>) {
  const connected = connectTo(v2Agent(turn), own);
  valueOf(await connected.connection.initialize(version2Offer));
  const {sessionId} = valueOf(await connected.connection.newSession(noRoots));
  const prompt = (text: string) => connected.connection.prompt(sessionId, [{type: 'text', text}]);
  return {...connected, sessionId, prompt};
}

/** The updates of one turn in which the agent sends these. */
export async function turnOf(...sent: readonly SessionUpdate[]): Promise<readonly Update[]> {
  const {updates, prompt} = await openVersion2(async ({say}) => {
    for (const update of sent) await say(update);
  });
  valueOf(await prompt('go'));
  return withoutTurn(updates);
}

/** The updates without those of every turn. */
export function withoutTurn(updates: readonly Update[]): readonly Update[] {
  const ofEveryTurn = new Set(['user_message_chunk', 'available_commands_update', 'state_update']);
  return updates.filter(({sessionUpdate}) => !ofEveryTurn.has(sessionUpdate));
}

export const text = (said: string) => ({type: 'text', text: said}) as const;
