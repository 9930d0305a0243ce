import type {AnyMessage, ContentBlock, Stream} from '@agentclientprotocol/sdk/unstable';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {createVersion2Side, type AgentSide, type OwnMethods} from './version-2-side.ts';

/** What an agent also sends, and only version 2 has: that a prompt was taken, and whether the session is idle. */
const ONLY_VERSION_2: ReadonlySet<unknown> = new Set(['user_message', 'state_update']);

/** Returns the update that says that a prompt was taken: its turn begins. */
export function promptTaken(content: readonly ContentBlock[], messageId?: string): SentUpdate {
  return {sessionUpdate: 'user_message', content, ...(messageId !== undefined && {messageId})};
}

export type SessionActivity = 'running' | 'requires_action' | 'idle';

/** Returns the update that says what a session does besides the turns of its client's prompts. */
export function activityReport(state: SessionActivity): SentUpdate {
  return {sessionUpdate: 'state_update', state};
}

type SentUpdate = JsonObject & {readonly sessionUpdate: string};

const VERSION_1: AgentSide = {
  received: (message) => [message],
  sent: (message) => (ONLY_VERSION_2.has(updateKind(message)) ? [] : [message]),
};

/**
 * Returns the stream of an agent that is written for version 1 and answers clients of both: their `initialize` decides. `ownMethods` are requests of version 1 to
 * the client that version 2 does not have, and which the agent therefore carries out itself.
 */
export function bothVersions({readable, writable}: Stream, ownMethods?: OwnMethods): Stream {
  let side = VERSION_1;
  let toAgent: TransformStreamDefaultController<AnyMessage> | undefined;
  let toClient: TransformStreamDefaultController<AnyMessage> | undefined;
  const version2 = () =>
    createVersion2Side({
      deliver: (message) => passOn(toAgent, [message]),
      send: (message) => passOn(toClient, [message]),
      ownMethods,
    });
  const received = new TransformStream<AnyMessage, AnyMessage>({
    start: (controller) => void (toAgent = controller),
    transform(message, controller) {
      if (offersVersion2({...message})) side = version2();
      passOn(controller, side.received({...message}));
    },
  });
  const sent = new TransformStream<AnyMessage, AnyMessage>({
    start: (controller) => void (toClient = controller),
    transform: (message, controller) => passOn(controller, side.sent({...message})),
  });
  // Its end is known by the connection.
  sent.readable.pipeTo(writable).catch(() => undefined);
  return {readable: readable.pipeThrough(received), writable: sent.writable};
}

function passOn(
  controller: TransformStreamDefaultController<AnyMessage> | undefined,
  messages: readonly JsonObject[],
): void {
  for (const message of messages) controller?.enqueue({jsonrpc: '2.0', ...message} as unknown as AnyMessage);
}

/** A client that names only the number, and not itself as version 2 has it, is answered in version 1. */
function offersVersion2({method, params}: JsonObject): boolean {
  const {protocolVersion, info} = isJsonObject(params) ? params : {};
  return method === 'initialize' && Number(protocolVersion) >= 2 && isJsonObject(info);
}

function updateKind({method, params}: JsonObject): unknown {
  if (method !== 'session/update' || !isJsonObject(params)) return undefined;
  return isJsonObject(params['update']) ? params['update']['sessionUpdate'] : undefined;
}
