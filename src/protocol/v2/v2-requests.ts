import {methods as current} from '@agentclientprotocol/sdk/unstable';
import type * as v1 from '@agentclientprotocol/sdk/unstable';
import {methods} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type * as v2 from '@agentclientprotocol/sdk/experimental/v2/unstable';
import {isOffered} from '../capabilities.ts';
import {optionsOfVersion1} from './v2-config-options.ts';

/** A version 1 request translated to version 2. */
interface TranslatedRequest {
  readonly method: string;
  readonly params: (params: never) => object;
  readonly result?: (result: never) => object;
}

const {session} = current.agent;
const asItIs = (value: object) => value;

const REQUESTS: Readonly<Record<string, TranslatedRequest>> = {
  [current.agent.initialize]: {
    method: methods.agent.initialize,
    params: initializeParams,
    result: initializeResult,
  },
  [current.agent.authenticate]: {method: methods.agent.auth.login, params: asItIs},
  [current.agent.logout]: {method: methods.agent.auth.logout, params: asItIs},
  [session.new]: {method: methods.agent.session.new, params: setup, result: opened},
  [session.load]: {
    method: methods.agent.session.resume,
    params: (params: v1.LoadSessionRequest) => ({...setup(params), replayFrom: {type: 'start'}}),
    result: opened,
  },
  [session.fork]: {method: methods.agent.session.fork, params: setup, result: opened},
  [session.resume]: {method: methods.agent.session.resume, params: setup, result: opened},
  [session.setConfigOption]: {
    method: methods.agent.session.setConfigOption,
    params: (params: {readonly type?: string}) => ({...params, type: params.type ?? 'id'}),
    result: opened,
  },
};

/** Returns the translation of a version 1 request; one that is the same in both versions, or in neither, is sent unchanged. */
export function translatedRequest(method: string): TranslatedRequest {
  return REQUESTS[method] ?? {method, params: asItIs};
}

function initializeParams({protocolVersion, clientInfo, clientCapabilities}: v1.InitializeRequest): object {
  const {auth, elicitation} = clientCapabilities ?? {};
  return {
    // For agents that answer with version 1.
    clientInfo,
    clientCapabilities,
    protocolVersion,
    info: clientInfo,
    capabilities: {
      ...(auth?.terminal && {auth: {terminal: {}}}),
      ...(elicitation && {elicitation}),
      session: {cursors: {}, promptSuggestions: {}, commands: {skill: {}}},
    },
  };
}

/** Of an agent with a version that nobody speaks only the number is used. */
function initializeResult(response: v2.InitializeResponse): object {
  const {protocolVersion, info, capabilities, authMethods = []} = response;
  if (protocolVersion === 1) return response;
  if (protocolVersion !== 2) return {protocolVersion};
  return {
    protocolVersion,
    agentInfo: info,
    agentCapabilities: agentCapabilities(capabilities ?? {}, authMethods.length > 0),
    authMethods: authMethods.map(authMethod),
  };
}

/** Version 2 has no capabilities for features that every agent with sessions supports, or every one that can be signed in to. */
function agentCapabilities(
  {session: sessions, auth: ofAuth, ...others}: v2.AgentCapabilities,
  hasSignIn: boolean,
): object {
  const auth = {...ofAuth, ...(hasSignIn && {logout: {}})};
  if (!sessions) return {...others, auth};
  const {prompt, mcp, ...optional} = sessions;
  return {
    ...others,
    auth,
    loadSession: true,
    promptCapabilities: {
      image: isOffered(prompt?.image),
      audio: isOffered(prompt?.audio),
      embeddedContext: isOffered(prompt?.embeddedContext),
    },
    mcpCapabilities: {http: isOffered(mcp?.http), sse: false, ...(mcp?.acp && {acp: true})},
    sessionCapabilities: {...optional, list: {}, resume: {}, close: {}},
  };
}

function authMethod(method: v2.AuthMethod): object {
  const {methodId, env, ...others} = method as v2.AuthMethodTerminal & {readonly type: string};
  const variables = env && {env: Object.fromEntries(env.map(({name, value}) => [name, value]))};
  return {...others, id: methodId, ...variables};
}

function setup({mcpServers = [], ...others}: Partial<v1.NewSessionRequest>): object {
  return {
    ...others,
    mcpServers: mcpServers.map((server) => ('type' in server ? server : {type: 'stdio', ...server})),
  };
}

function opened(response: Partial<v2.NewSessionResponse>): object {
  const {configOptions: options} = response;
  return {...response, ...(options && {configOptions: optionsOfVersion1(options)})};
}
