import {client, type AnyMessage, type Stream} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {expect} from 'vitest';

/** What an editor answers to a request for permission; it may wait. */
type Permit = (
  request: acp.RequestPermissionRequest,
  signal: AbortSignal,
) => acp.RequestPermissionResponse | Promise<acp.RequestPermissionResponse>;

export interface EditorOptions {
  readonly capabilities?: acp.ClientCapabilities;
  readonly permit?: Permit;
  readonly elicit?: (request: acp.CreateElicitationRequest) => acp.CreateElicitationResponse;
}

/** The option of a request with this name. */
export function choose(name: string): Permit {
  return ({options}) => {
    const option = options.find((each) => each.name === name);
    expect(option, `an option "${name}"`).toBeDefined();
    return {outcome: {outcome: 'selected', optionId: option!.optionId}};
  };
}

/** The streams of an agent, and what ends its editor. */
export interface AgentStream {
  readonly stream: Stream;
  readonly close: () => Promise<unknown>;
}

/** An editor: the SDK's client. */
export async function openEditor(
  {stream, close}: AgentStream,
  {cwd, capabilities = {}, permit, elicit}: EditorOptions & {readonly cwd: string},
) {
  const updates: acp.SessionNotification[] = [];
  const asked: acp.RequestPermissionRequest[] = [];
  const completed: string[] = [];
  // The SDK refuses updates of drafts.
  const tap = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ('method' in message && message.method === 'session/update')
        updates.push(message.params as acp.SessionNotification);
      else controller.enqueue(message);
    },
  });
  const {agent} = client({name: 'test'})
    .onRequest('session/request_permission', ({params, signal}) => {
      asked.push(params);
      return permit?.(params, signal) ?? new Promise<never>(() => undefined);
    })
    .onNotification('elicitation/complete', ({params}) => void completed.push(params.elicitationId))
    .onRequest('elicitation/create', ({params}) => elicit?.(params) ?? {action: 'cancel'})
    .connect({...stream, readable: stream.readable.pipeThrough(tap)});
  const initialized = await agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: capabilities,
  });
  const sent = (kind: string) =>
    updates.map(({update}) => update).filter(({sessionUpdate}) => sessionUpdate === kind);
  return {
    agent,
    initialized,
    updates,
    asked,
    completed,
    sent,
    /** All text of a kind of message. */
    text: (kind: 'agent_message_chunk' | 'user_message_chunk') =>
      sent(kind)
        .map((update) =>
          'content' in update && update.content && 'text' in update.content ? update.content.text : '',
        )
        .join(''),
    open: () => agent.request('session/new', {cwd, mcpServers: []}),
    prompt: (sessionId: string, text: string) =>
      agent.request('session/prompt', {sessionId, prompt: [{type: 'text', text}]}),
    /** Ends like an editor that is closed. */
    close,
  };
}
