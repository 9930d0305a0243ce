import {
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type AgentCapabilities,
  type ClientContext,
  type Implementation,
  type SessionConfigOption,
} from '@agentclientprotocol/sdk/unstable';
import type {Failure, Result} from '../shared/failure.ts';
import type {AuthMethod} from '../session/auth-methods.ts';
import type {SteerOutcome} from '../session/actions.ts';
import {readAuthMethods} from './auth-methods.ts';
import {clientCapabilities} from './capabilities.ts';
import type {Connection} from './connection.ts';
import {requestFailure} from './errors.ts';
import {isFields} from './normalise/deviation.ts';
import {RESULTS} from './normalise/deviations.ts';
import type {Mender} from './normalise/mender.ts';
import * as schema from './schema.ts';
import {sessionRequests, type Reading} from './session-requests.ts';

export interface RequestTools {
  readonly mend: Mender;
  readonly clientInfo: Implementation;
  readonly command: string;
  /** The first line that is no message, as long as no message has come. */
  readonly strayOutput: () => string | undefined;
}

const {initialize, authenticate, logout, auth, session} = methods.agent;
/** Where no turn runs any more, the agent is not to begin one by itself: it could not tell us of its end. */
const STEERING = {steering: {idleBehavior: 'promptRequired'}};
const METHOD_NOT_FOUND = -32601;

/** What we ask of the agent. Parameters are gated by what it advertised, results are mended and parsed. */
export function agentRequests(
  agent: ClientContext,
  tools: RequestTools,
): Omit<Connection, 'closed' | 'close' | 'strayOutput'> {
  let capabilities: AgentCapabilities | undefined;
  let authMethods: readonly AuthMethod[] = [];

  async function answered<T>(
    method: string,
    asked: Promise<unknown>,
    read: (result: unknown) => T,
  ): Promise<Result<T>> {
    try {
      return {ok: true, value: readResult(method, tools.mend(await asked, RESULTS[method]), read)};
    } catch (error) {
      return fail(requestFailure(error, {method, authMethods}));
    }
  }

  const request = <T>(method: string, params: object, read: Reading<T>) =>
    typeof read === 'function'
      ? answered(method, agent.request(method, params), read)
      : answered(method, agent.request(method, params, cancellable(read.signal)), read.read);

  const requestOnly = (method: string, params: object) => request(method, params, nothingMatters);

  return {
    async initialize(offer) {
      const {clientInfo} = tools;
      const params = {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo,
        clientCapabilities: clientCapabilities(offer),
      };
      const result = await request(initialize, params, readInitialized);
      if (!result.ok) return fail(initializeFailure(result.failure, tools));
      const {protocolVersion} = result.value;
      if (protocolVersion !== PROTOCOL_VERSION)
        return fail({kind: 'protocol_version', ours: PROTOCOL_VERSION, theirs: protocolVersion});
      capabilities = result.value.agentCapabilities;
      ({authMethods} = result.value);
      return result;
    },
    authenticate: (methodId, signal) => request(authenticate, {methodId}, {read: nothingMatters, signal}),
    logout: () => requestOnly(logout, {}),
    authStatus: () => request(auth.status, {}, (raw) => schema.authStatus.parse(raw)),
    ...sessionRequests(request, () => capabilities),
    prompt: (sessionId, content) =>
      request(session.prompt, {sessionId, prompt: content}, (raw) => schema.promptResponse.parse(raw)),
    steer: (sessionId, content) =>
      request('_session/steering', {sessionId, prompt: content, _meta: STEERING}, steerOutcome),
    cancel: (sessionId) => void agent.notify(session.cancel, {sessionId}).catch(() => {}),
    ask: (method, params) => request(method, params, (raw) => raw),
    tell: (method, params) => void agent.notify(method, params).catch(() => {}),
    setMode: (sessionId, modeId) => requestOnly(session.setMode, {sessionId, modeId}),
    setModel: (sessionId, modelId) => requestOnly('session/set_model', {sessionId, modelId}),
    setConfigOption(sessionId, configId, value) {
      const typed = typeof value === 'boolean' ? {type: 'boolean', value} : {value};
      return request(session.setConfigOption, {sessionId, configId, ...typed}, setOptions);
    },
  };
}

/** The whole list; undefined from agents that answer without one, which they must not: then what was asked for holds. */
function setOptions(raw: unknown): SessionConfigOption[] | undefined {
  const hasList = isFields(raw) && raw['configOptions'] !== undefined && raw['configOptions'] !== null;
  return hasList ? schema.setConfigOptionResponse.parse(raw).configOptions : undefined;
}

/** Aborting `signal` tells the agent with `$/cancel_request`, and waits no longer. */
function cancellable(signal: AbortSignal | undefined) {
  return signal && {cancellationSignal: signal, stopWaitingOnCancel: true};
}

function nothingMatters(): void {}

function readInitialized(raw: unknown) {
  return {...schema.initializeResponse.parse(raw), authMethods: readAuthMethods(raw)};
}

/** Some agents answer what they do not know with an empty object: only a clear yes counts. */
function steerOutcome(raw: unknown): SteerOutcome {
  const outcome = isFields(raw) ? raw['outcome'] : undefined;
  if (outcome === 'injected') return 'taken';
  return outcome === 'startedNewTurn' ? 'detached' : 'refused';
}

/** A result that does not follow the schema is the agent's error, worded with what is wrong. */
function readResult<T>(method: string, result: unknown, read: (result: unknown) => T): T {
  try {
    return read(result);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new RequestError(-32603, `its answer to ${method} does not follow the protocol`, problem);
  }
}

/** An agent that ends without having sent a message, or that does not know `initialize`, is no ACP agent. */
function initializeFailure(failure: Failure, {command, strayOutput}: RequestTools): Failure {
  const sample = strayOutput();
  if (failure.kind === 'connection_lost' && sample !== undefined) return {kind: 'not_acp', command, sample};
  if (failure.kind === 'agent_error' && failure.code === METHOD_NOT_FOUND)
    return {kind: 'not_acp', command, sample: failure.message};
  return failure;
}

function fail(failure: Failure): {ok: false; failure: Failure} {
  return {ok: false, failure};
}
