import {setImmediate as macrotask} from 'node:timers/promises';
import {
  client,
  methods,
  RequestError,
  type AnyMessage,
  type ClientConnection,
  type InitializeResponse,
  type NewSessionResponse,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import {
  MessageTooLargeError,
  methods as current,
  type NewSessionRequest,
} from '@agentclientprotocol/sdk/unstable';
import type {Transport} from '../transport.ts';
import {incoming} from './v2-incoming.ts';
import {createNegotiation, supportsVersion1, type Negotiation} from './v2-negotiation.ts';
import {translatedRequest} from './v2-requests.ts';
import {permission} from './v2-shapes.ts';
import {withSkill} from './v2-skills.ts';
import {createTurns} from './v2-turns.ts';
import {createSessionUpdates, type SessionUpdates} from './v2-updates.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {errorMessage} from '../../shared/failure.ts';

/** Emits version 1 messages to the rest of the program. */
type Emit = (message: object) => void;

/**
 * Returns a version 1 transport over an agent that is offered version 2, through the SDK's version 2 client: nothing else in the program depends on the version.
 * With an agent that answers with version 1, it passes everything on. Recordings and the log contain the version 1 messages.
 */
export function v2Transport(transport: Transport): Transport {
  const lines = new TransformStream<readonly string[], readonly string[]>(undefined, {highWaterMark: 64});
  const writer = lines.writable.getWriter();
  let isOver = false;
  const pass = (line: string) => void (isOver || writer.write([line]).catch(() => {}));
  const emit: Emit = (message) => pass(JSON.stringify({jsonrpc: '2.0', ...message}));
  const negotiation = createNegotiation();
  const turns = createTurns();
  const sessions = createSessions(emit, turns);
  const asked = createAsked(emit);
  const readable = incoming(transport, {
    update: sessions.update,
    other: pass,
    emit,
    negotiation,
    ready: () => writer.ready,
  });
  const writable = new WritableStream<AnyMessage>({
    write: (message) => transport.send(JSON.stringify(underOwnName(message))),
  });
  const connection = connectionWith({...asked, emit, callOf: sessions.callOf}).connect({
    readable,
    writable,
  });
  void connection.closed
    .then(async () => {
      const {reason} = connection.signal;
      // Pending responses are sent before the end.
      await macrotask();
      isOver = true;
      return reason instanceof MessageTooLargeError ? writer.abort(reason) : writer.close();
    })
    .catch(() => {});
  writer.closed.catch(() => connection.close());
  const requests = createRequests(connection, {
    emit,
    turns,
    negotiation,
    sendAsVersion1: (message) => transport.send(JSON.stringify({jsonrpc: '2.0', ...message})),
    received: sessions.update,
    skillsOf: sessions.skillsOf,
    forget: sessions.forget,
  });

  return {
    isTranslated: true,
    lines: lines.readable,
    async send(line) {
      if (negotiation.version === 1) return transport.send(line);
      const message: unknown = JSON.parse(line);
      if (!isJsonObject(message)) return;
      const {method, id, params} = message;
      if (typeof method !== 'string') asked.answered(message);
      else if (id !== undefined) requests.send(id, method, isJsonObject(params) ? params : {});
      else if (method === current.protocol.cancelRequest) requests.cancel(params);
      else {
        if (method === current.agent.session.cancel) turns.cancelled(params);
        await connection.agent.notify(method as `_${string}`, params);
      }
    },
  };
}

/** Precedes the names of requests in the SDK, which would parse the responses to those that it knows: version 1's reader tolerates more. */
const UNPARSED = '_acp-tui/unparsed/';

function underOwnName(message: AnyMessage): AnyMessage {
  return 'method' in message ? {...message, method: message.method.replace(UNPARSED, '')} : message;
}

const NO_SKILLS: ReadonlySet<string> = new Set();

/** For a tool call that shows a terminal to follow it, in milliseconds. */
const GRACE_MS = 200;

interface Session {
  readonly updates: SessionUpdates;
  isIdle: boolean;
  flushing?: NodeJS.Timeout | undefined;
}

/** The sessions of a connection, with what their updates have said so far. */
function createSessions(emit: Emit, turns: ReturnType<typeof createTurns>) {
  const sessions = new Map<string, Session>();

  function send(sessionId: string, updates: readonly object[]): void {
    for (const update of updates) emit({method: current.client.session.update, params: {sessionId, update}});
  }

  /** Takes the parameters of a `session/update`; true for one that may end a turn. */
  function update(params: unknown): boolean {
    const {sessionId, update: sent} = isJsonObject(params) ? params : {};
    if (typeof sessionId !== 'string' || !isJsonObject(sent)) {
      emit({method: current.client.session.update, params});
      return false;
    }
    const session = sessions.get(sessionId) ?? {updates: createSessionUpdates(), isIdle: false};
    sessions.set(sessionId, session);
    const isState = sent['sessionUpdate'] === 'state_update';
    if (isState) session.isIdle = sent['state'] === 'idle';
    send(sessionId, session.updates.translate(sent));
    if (isState && session.isIdle) send(sessionId, session.updates.flush());
    else if (session.isIdle)
      session.flushing ??= setTimeout(() => {
        session.flushing = undefined;
        if (session.isIdle) send(sessionId, session.updates.flush());
      }, GRACE_MS).unref();
    turns.updated(sessionId, sent);
    return isState;
  }

  return {
    update,
    callOf: (sessionId: string, toolCallId: string) =>
      sessions.get(sessionId)?.updates.callOf(toolCallId) ?? {},
    forget: (sessionId: unknown): void => {
      clearTimeout(sessions.get(String(sessionId))?.flushing);
      sessions.delete(String(sessionId));
      turns.forget(String(sessionId));
    },
    skillsOf: (sessionId: string) => sessions.get(sessionId)?.updates.skills() ?? NO_SKILLS,
  };
}

interface RequestTools {
  readonly emit: Emit;
  readonly turns: ReturnType<typeof createTurns>;
  readonly negotiation: Negotiation;
  readonly sendAsVersion1: (message: object) => Promise<void>;
  /** Takes the parameters of a `session/update`, as the agent sends it. */
  readonly received: (params: object) => void;
  /** The names of the skills of a session. */
  readonly skillsOf: (sessionId: string) => ReadonlySet<string>;
  /** Forgets what the updates of a session have said. */
  readonly forget: (sessionId: unknown) => void;
}

/** The requests after which a session is told from its beginning, or not at all. */
const FORGETTING: ReadonlySet<string> = new Set([
  current.agent.session.load,
  current.agent.session.close,
  current.agent.session.delete,
]);

/** The client's unanswered requests. */
function createRequests(
  {agent, signal: ended}: Pick<ClientConnection, 'agent' | 'signal'>,
  {emit, turns, negotiation, sendAsVersion1, received: takeUpdate, skillsOf, forget}: RequestTools,
) {
  const withdrawals = new Map<unknown, AbortController>();

  let takesPrograms = true;

  async function answer(id: unknown, {method, params, signal}: SentRequest): Promise<void> {
    const {sent, leftOut} = takesPrograms ? {sent: params, leftOut: []} : withoutPrograms(params);
    const translated = translatedRequest(method);
    const isPrompt = method === current.agent.session.prompt;
    const asked = isPrompt ? prompted(sent) : translated.params(sent as never);
    if (FORGETTING.has(method)) forget(params['sessionId']);
    const isFirst = method === current.agent.initialize;
    const answer = agent.request(`${isFirst ? '' : UNPARSED}${translated.method}`, asked, {
      cancellationSignal: signal,
    });
    if (isPrompt) return emit({id, result: await turns.prompted(params, answer, takeUpdate)});
    const received = (await (isFirst ? Promise.race([answer, negotiation.otherVersion]) : answer)) ?? {};
    if (isFirst) takesPrograms = startsPrograms(received);
    emit({id, result: translated.result?.(received as never) ?? received});
    for (const update of announced(received, leftOut)) {
      const sessionId = isJsonObject(received) ? (received['sessionId'] ?? params['sessionId']) : undefined;
      takeUpdate({sessionId, update});
    }
  }

  function prompted(params: JsonObject): object {
    const prompt = withSkill(params['prompt'], skillsOf(String(params['sessionId'])));
    return {...params, prompt};
  }

  return {
    send(id: unknown, method: string, params: JsonObject): void {
      const withdrawal = new AbortController();
      withdrawals.set(id, withdrawal);
      void answer(id, {method, params, signal: withdrawal.signal})
        .catch((error: unknown) => {
          if (method === current.agent.initialize && supportsVersion1(error)) {
            negotiation.version = 1;
            return sendAsVersion1({id, method, params: {...params, protocolVersion: 1}});
          }
          // What the end of the connection leaves open fails with the transport.
          if (error instanceof RequestError || !ended.aborted) emit({id, error: wireError(error)});
          return undefined;
        })
        .finally(() => withdrawals.delete(id))
        .catch(() => {});
    },
    cancel(params: unknown): void {
      if (isJsonObject(params)) withdrawals.get(params['requestId'])?.abort();
    },
  };
}

interface SentRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly signal: AbortSignal;
}

/** True if this `initialize` response supports stdio MCP servers; in version 1 every agent does. */
function startsPrograms(response: unknown): boolean {
  const {capabilities} = response as Partial<InitializeResponse>;
  return capabilities?.session?.mcp?.stdio !== undefined && capabilities.session.mcp.stdio !== null;
}

function withoutPrograms(params: JsonObject): {
  readonly sent: JsonObject;
  readonly leftOut: readonly string[];
} {
  const {mcpServers} = params as Partial<NewSessionRequest>;
  if (!mcpServers) return {sent: params, leftOut: []};
  const programs = mcpServers.filter((server) => !('type' in server));
  const sent = {...params, mcpServers: mcpServers.filter((server) => 'type' in server)};
  return {sent, leftOut: programs.map(({name}) => name)};
}

/** The updates that are sent after a session was opened. */
function announced(received: object, leftOut: readonly string[]): readonly object[] {
  const {availableCommands} = received as Partial<NewSessionResponse>;
  const title = `The agent does not start MCP servers; it does not get ${leftOut.join(', ')}.`;
  return [
    ...(availableCommands ? [{sessionUpdate: 'available_commands_update', availableCommands}] : []),
    ...(leftOut.length > 0 ? [{sessionUpdate: 'notice', severity: 'warning', title}] : []),
  ];
}

function wireError(error: unknown): object {
  if (error instanceof RequestError)
    return {code: error.code, message: error.message, ...(error.data !== undefined && {data: error.data})};
  return {code: -32603, message: errorMessage(error)};
}

/** The agent's unanswered requests. */
function createAsked(emit: Emit) {
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  let asked = 0;
  return {
    ask: async (method: string, params: (id: string) => object, signal: AbortSignal): Promise<unknown> => {
      const id = `v2-${asked++}`;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(id, answer);
      const withdraw = () => emit({method: current.protocol.cancelRequest, params: {requestId: id}});
      signal.addEventListener('abort', withdraw, {once: true});
      emit({id, method, params: params(id)});
      return answer.promise.finally(() => {
        waiting.delete(id);
        signal.removeEventListener('abort', withdraw);
      });
    },
    answered({id, result, error}: JsonObject): void {
      const answer = waiting.get(String(id));
      if (!isJsonObject(error)) answer?.resolve(result);
      else answer?.reject(new RequestError(Number(error['code']), String(error['message']), error['data']));
    },
  };
}

interface ClientTools extends Pick<ReturnType<typeof createAsked>, 'ask'> {
  readonly emit: Emit;
  /** What is known of a tool call of a session. */
  readonly callOf: (sessionId: string, toolCallId: string) => ReturnType<SessionUpdates['callOf']>;
}

/** The agent's requests that version 2 has; files and terminals of the client are no longer among them. */
const ASKED: ReadonlySet<string> = new Set([
  methods.client.session.requestPermission,
  methods.client.elicitation.create,
  methods.client.mcp.message,
]);

/** Passes the agent's requests and notifications on as they are: version 1's reader validates them. */
function connectionWith({ask, emit, callOf}: ClientTools) {
  async function askPermission(params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const {sessionId} = params;
    let own: string | undefined;
    let answer: unknown = {outcome: {outcome: 'cancelled'}};
    const request = (id: string) => {
      const asked = permission(params, {id, callOf: (toolCallId) => callOf(String(sessionId), toolCallId)});
      if (asked.toolCall['toolCallId'] === id) own = id;
      return asked;
    };
    try {
      return (answer = await ask(current.client.session.requestPermission, request, signal));
    } finally {
      // Also if it was withdrawn.
      if (own !== undefined)
        emit({method: current.client.session.update, params: decided(params, own, answer)});
    }
  }

  return client({name: 'acp-tui'})
    .onRequest('*', async ({method, params: sent, signal}) => {
      if (!ASKED.has(method)) throw RequestError.methodNotFound(method);
      const params = isJsonObject(sent) ? sent : {};
      return method === methods.client.session.requestPermission
        ? askPermission(params, signal)
        : ask(method, () => params, signal);
    })
    .onNotification('*', ({method, params}) => emit({method, params}));
}

/** Ends the tool call of a request that is about none: the agent will not. */
function decided({sessionId, options}: JsonObject, toolCallId: string, answer: unknown): object {
  const {outcome} = answer as RequestPermissionResponse;
  const chosen = (Array.isArray(options) ? options : [])
    .filter(isJsonObject)
    .find((option) => 'optionId' in outcome && option['optionId'] === outcome.optionId);
  const kind = chosen?.['kind'];
  const status = typeof kind === 'string' && kind.startsWith('allow') ? 'completed' : 'failed';
  return {sessionId, update: {sessionUpdate: 'tool_call_update', toolCallId, status}};
}
