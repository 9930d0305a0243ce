import {randomUUID} from 'node:crypto';
import {
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type AgentCapabilities,
  type ClientContext,
  type Implementation,
  type SessionConfigOption,
} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ForkPoint} from '../session/events.ts';
import type {SteerOutcome} from '../session/queue/queued-prompt.ts';
import type {OpenedSession} from '../session/events.ts';
import type {AuthMethod} from '../shared/authentication.ts';
import type {LegacyModels} from '../session/state.ts';
import {fail, type Failure, type Result} from '../shared/failure.ts';
import {readAuthMethods, clientCapabilities, takesAdditionalDirectories} from './capabilities.ts';
import type {
  Connection,
  ProviderRequests,
  SessionRequests,
  SessionSetup,
  SystemPrompt,
} from './connection.ts';
import {requestFailure} from './errors.ts';
import type {Normalizer} from './normalize/deviation.ts';
import {DEVIATIONS} from './normalize/messages.ts';
import {withTrace, type TraceContext} from './outgoing.ts';
import {isRepeatable} from './retry-classes.ts';
import * as schema from './schema.ts';
import {isJsonObject} from '../text/json.ts';

interface RequestTools {
  readonly correct: Normalizer;
  readonly clientInfo: Implementation;
  readonly command: string;
  readonly trace?: TraceContext | undefined;
  /** The first line that is not a message, until a message arrives. */
  readonly strayOutput: () => string | undefined;
}

const {initialize, authenticate, logout, auth, session} = methods.agent;
/** When no turn is running, the agent must not start one, because it could not report its end. */
const STEERING = {steering: {idleBehavior: 'promptRequired'}};
const METHOD_NOT_FOUND = -32601;

const {results} = DEVIATIONS;

/** Returns the requests to the agent. Parameters depend on its capabilities; results are normalized and parsed. */
export function agentRequests(
  agent: ClientContext,
  tools: RequestTools,
): Omit<Connection, 'closed' | 'close' | 'nonProtocolOutput' | 'sentRequest' | 'offerMcpServer'> {
  let capabilities: AgentCapabilities | undefined;
  let authMethods: readonly AuthMethod[] = [];
  let version: number = PROTOCOL_VERSION;

  async function answered<T>(
    method: string,
    request: Promise<unknown>,
    read: (result: unknown) => T,
  ): Promise<Result<T>> {
    try {
      return {ok: true, value: readResult(method, tools.correct(await request, results[method]), read)};
    } catch (error) {
      return fail(requestFailure(error, {method, authMethods}));
    }
  }

  function request<T>(method: string, params: object, reading: Reading<T>) {
    const {read, signal, ...waiting} = typeof reading === 'function' ? {read: reading} : reading;
    const options = signal && {cancellationSignal: signal, ...waiting};
    return answered(method, agent.request(method, withTrace(params, tools.trace), options), read);
  }

  const requestOnly = (method: string, params: object) => request(method, params, nothingMatters);
  const notify = (method: string, params: object) => void agent.notify(method, params).catch(() => {});

  return {
    async initialize(offer) {
      const {clientInfo} = tools;
      const {protocolVersion: ours = PROTOCOL_VERSION} = offer;
      const params = {protocolVersion: ours, clientInfo, clientCapabilities: clientCapabilities(offer)};
      const result = await request(initialize, params, readInitialized);
      if (!result.ok) return fail(initializeFailure(withOurs(result.failure, ours), tools));
      const {protocolVersion} = result.value;
      const isSpoken = protocolVersion === ours || (ours === 2 && protocolVersion === 1);
      if (!isSpoken) return fail({kind: 'protocol_version', ours, theirs: protocolVersion});
      version = protocolVersion;
      capabilities = result.value.agentCapabilities;
      ({authMethods} = result.value);
      return result;
    },
    authenticate: (methodId, signal) => request(authenticate, {methodId}, {...noLonger, signal}),
    logout: () => requestOnly(logout, {}),
    authStatus: () => request(auth.status, {}, (raw) => schema.resultParser(auth.status).parse(raw)),
    ...sessionRequests(request, () => capabilities),
    ...providerRequests(request),
    ...promptRequests(request, () => version),
    cancel: (sessionId) => notify(session.cancel, withTrace({sessionId}, tools.trace)),
    request: (method, params) => request(method, params, (raw) => raw),
    notify,
    setMode: (sessionId, modeId) => requestOnly(session.setMode, {sessionId, modeId}),
    setModel: (sessionId, modelId) => requestOnly('session/set_model', {sessionId, modelId}),
    setConfigOption(sessionId, configId, value) {
      const typed = typeof value === 'boolean' ? {type: 'boolean', value} : {value};
      return request(session.setConfigOption, {sessionId, configId, ...typed}, setOptions);
    },
  };
}

function promptRequests(ask: Ask, version: () => number): Pick<Connection, 'prompt' | 'steer'> {
  return {
    prompt(sessionId, content, key = randomUUID()) {
      const params = {
        sessionId,
        prompt: content,
        ...(isRepeatable(session.prompt, version()) && {idempotencyKey: key}),
      };
      return ask(session.prompt, params, (raw) => schema.resultParser(session.prompt).parse(raw));
    },
    steer: (sessionId, content) =>
      ask('_session/steering', {sessionId, prompt: content, _meta: STEERING}, steerOutcome),
  };
}

/** Returns the complete list; undefined for agents that respond without one, against the protocol: then the requested value is assumed. */
function setOptions(raw: unknown): SessionConfigOption[] | undefined {
  const hasList = isJsonObject(raw) && raw['configOptions'] !== undefined && raw['configOptions'] !== null;
  return hasList ? schema.resultParser(session.setConfigOption).parse(raw).configOptions : undefined;
}

function nothingMatters(): void {}

const noLonger = {read: nothingMatters, stopWaitingOnCancel: true} as const;

function readInitialized(raw: unknown) {
  return {...schema.resultParser(initialize).parse(raw), authMethods: readAuthMethods(raw)};
}

/** Some agents respond with an empty object to unknown methods: only an explicit yes counts. */
function steerOutcome(raw: unknown): SteerOutcome {
  const outcome = isJsonObject(raw) ? raw['outcome'] : undefined;
  if (outcome === 'injected') return 'taken';
  return outcome === 'startedNewTurn' ? 'detached' : 'refused';
}

/** An invalid result is the agent's error; the message says what is wrong. */
function readResult<T>(method: string, result: unknown, read: (result: unknown) => T): T {
  try {
    return read(result);
  } catch (error) {
    const problem = schema.problemsOf(error);
    throw new RequestError(-32603, `its answer to ${method} does not follow the protocol`, problem);
  }
}

/** A program that ends without a message, or does not know `initialize`, does not speak ACP. */
function initializeFailure(failure: Failure, {command, strayOutput}: RequestTools): Failure {
  const sample = strayOutput();
  if (failure.kind === 'connection_lost' && sample !== undefined) return {kind: 'not_acp', command, sample};
  if (failure.kind === 'agent_error' && failure.code === METHOD_NOT_FOUND)
    return {kind: 'not_acp', command, sample: failure.message};
  return failure;
}

function withOurs(failure: Failure, ours: number): Failure {
  return failure.kind === 'protocol_version' ? {...failure, ours} : failure;
}

/** How to read a response. Aborting `signal` sends `$/cancel_request`. */
type Reading<T> =
  | ((result: unknown) => T)
  | {
      readonly read: (result: unknown) => T;
      readonly signal?: AbortSignal | undefined;
      readonly stopWaitingOnCancel?: boolean;
    };

/** Sends a request and reads its response. */
type Ask = <T>(method: string, params: object, read: Reading<T>) => Promise<Result<T>>;

function providerRequests(ask: Ask): ProviderRequests {
  const {list, set, disable} = methods.agent.providers;
  return {
    listProviders: () => ask(list, {}, (raw) => schema.resultParser(list).parse(raw).providers),
    setProvider: (config) => ask(set, config, nothingMatters),
    disableProvider: (providerId) => ask(disable, {providerId}, nothingMatters),
  };
}

/** Returns the session requests. `capabilities` are those of the `initialize` response. */
function sessionRequests(ask: Ask, capabilities: () => AgentCapabilities | undefined): SessionRequests {
  /** Returns the parameters common to all ways to open a session, and the folders that the agent really gets. */
  function setupOf({cwd, additionalDirectories: wanted, mcpServers, systemPrompt, forkAt}: SessionSetup) {
    const additionalDirectories = takesAdditionalDirectories(capabilities()) ? wanted : [];
    const roots = additionalDirectories.length === 0 ? {} : {additionalDirectories};
    const place = {cwd, additionalDirectories, mcpServers: mcpServers.map(({name}) => name)};
    const instructions = systemPrompt && {systemPrompt: systemPromptParam(systemPrompt)};
    return {params: {cwd, mcpServers, ...roots, ...instructions, ...(forkAt && forkParam(forkAt))}, place};
  }

  function open(
    method: string,
    setup: SessionSetup,
    {sessionId, signal}: {readonly sessionId?: string; readonly signal?: AbortSignal | undefined} = {},
  ) {
    const {params, place} = setupOf(setup);
    const requestedId = method === session.fork ? undefined : sessionId;
    return ask(method, sessionId === undefined ? params : {sessionId, ...params}, {
      read: (raw) => readOpenedSession(raw, place, requestedId),
      signal,
    });
  }

  const requestOnly = (method: string, params: object) => ask(method, params, nothingMatters);
  return {
    newSession: (setup, signal) => open(session.new, setup, {signal}),
    loadSession: (sessionId, setup, signal) => open(session.load, setup, {sessionId, signal}),
    resumeSession: (sessionId, setup, signal) => open(session.resume, setup, {sessionId, signal}),
    forkSession: (sessionId, setup, signal) => open(session.fork, setup, {sessionId, signal}),
    listSessions: (page) => ask(session.list, page, (raw) => schema.resultParser(session.list).parse(raw)),
    closeSession: (sessionId) => requestOnly(session.close, {sessionId}),
    deleteSession: (sessionId) => requestOnly(session.delete, {sessionId}),
    archiveSession: (sessionId) => requestOnly(session.archive, {sessionId}),
    unarchiveSession: (sessionId) => requestOnly(session.unarchive, {sessionId}),
    sessionStatus: (sessionId) =>
      ask(session.status, {sessionId}, (raw) =>
        schema.resultParser(session.status).parse(raw).status === 'open' ? 'open' : 'saved',
      ),
    cancelToolCall: (sessionId, toolCallId) => requestOnly('tool_call/cancel', {sessionId, toolCallId}),
    cancelTerminal: (sessionId, terminalId) => requestOnly('terminal/cancel', {sessionId, terminalId}),
    setTitle: (sessionId, title) => ask(session.setTitle, {sessionId, title}, titleOf),
  };
}

/** The title that the agent stored, which may differ from the requested one; undefined if the response has none. */
function titleOf(raw: unknown): string | undefined {
  const title = isJsonObject(raw) ? raw['title'] : undefined;
  return typeof title === 'string' ? title : undefined;
}

/** The end of a copy: a cursor, or as the adapters of Claude and Codex understand it, the last message of it. */
function forkParam(at: ForkPoint['at']): object {
  if ('cursorId' in at) return at;
  return {_meta: {jetbrains: {air: {fork: {version: 1, messageId: at.messageId}}}}};
}

function systemPromptParam({override, append}: SystemPrompt): acp.SystemPrompt {
  const content = [override, append].flatMap((text) =>
    text === undefined ? [] : [{type: 'text' as const, text}],
  );
  return {mode: override === undefined ? 'append' : 'override', content};
}

/** The folders sent to the agent. */
type Place = Pick<OpenedSession, 'cwd' | 'additionalDirectories' | 'mcpServers'>;

/**
 * Reads the result of opening a session. `sessionId` is the requested one; without it the result has to contain one, or a ZodError is thrown. Agents may
 * respond with `null`.
 */
export function readOpenedSession(result: unknown, place: Place, requestedId?: acp.SessionId): OpenedSession {
  const {sessionId, modes, configOptions} =
    requestedId === undefined
      ? schema.resultParser(session.new).parse(result)
      : {...schema.resultParser(session.load).parse(result ?? {}), sessionId: requestedId};
  // No longer in the schema, which would strip it.
  const models = isJsonObject(result) ? legacyModels(result['models']) : undefined;
  const greeting = greetingIn(result);
  return {
    sessionId,
    ...(greeting !== undefined && {greeting}),
    ...place,
    ...(modes !== undefined && {modes}),
    ...(models !== undefined && {models}),
    ...(configOptions !== undefined && {configOptions}),
  };
}

function greetingIn(result: unknown): string | undefined {
  const meta = isJsonObject(result) ? result['_meta'] : undefined;
  const pi = isJsonObject(meta) ? meta['piAcp'] : undefined;
  const text = isJsonObject(pi) ? pi['startupInfo'] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The legacy `models` block; undefined if it is missing or malformed. */
function legacyModels(value: unknown): LegacyModels | undefined {
  if (!isJsonObject(value) || !Array.isArray(value['availableModels'])) return undefined;
  const availableModels = value['availableModels']
    .filter(isJsonObject)
    .flatMap(({modelId, name, description}) => {
      if (typeof modelId !== 'string') return [];
      const text = typeof description === 'string' ? {description} : {};
      return [{modelId, name: typeof name === 'string' ? name : modelId, ...text}];
    });
  const {currentModelId} = value;
  return {availableModels, currentModelId: typeof currentModelId === 'string' ? currentModelId : ''};
}
