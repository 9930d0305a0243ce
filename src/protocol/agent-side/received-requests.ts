import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {optionsOfVersion2} from '../v2/v2-config-options.ts';

/** Methods of version 1 that version 2 does not have. */
const REMOVED: ReadonlySet<string> = new Set([
  'authenticate',
  'logout',
  'session/load',
  'session/set_mode',
  'session/set_model',
]);

export function isRemoved(method: string): boolean {
  return REMOVED.has(method);
}

/** Returns the request of version 1 for one of version 2; one that is the same in both, or in neither, is unchanged. */
export function requestOf(
  method: string,
  params: JsonObject,
  runsOwnMethods: boolean,
): {readonly method: string; readonly params: JsonObject} {
  switch (method) {
    case 'initialize':
      return {method, params: initializeRequest(params, runsOwnMethods)};
    case 'auth/login':
      return {method: 'authenticate', params};
    case 'auth/logout':
      return {method: 'logout', params};
    case 'session/new':
    case 'session/fork':
      return {method, params: setup(params)};
    case 'session/resume': {
      const {replayFrom, ...others} = params;
      // A place that is not known is at its beginning, if anywhere.
      const method1 = isJsonObject(replayFrom) ? 'session/load' : method;
      return {method: method1, params: setup(others)};
    }
    case 'session/set_config_option': {
      const {type, ...others} = params;
      return {method, params: type === 'boolean' ? params : others};
    }
    default:
      return {method, params};
  }
}

function initializeRequest({info, capabilities, _meta}: JsonObject, runsOwnMethods: boolean): JsonObject {
  const {auth, ...others} = isJsonObject(capabilities) ? capabilities : {};
  const isOffered = isJsonObject(auth) && isJsonObject(auth['terminal']);
  return {
    protocolVersion: 1,
    clientInfo: info,
    clientCapabilities: {
      ...others,
      auth: {terminal: isOffered},
      // Every client of version 2 knows these updates.
      session: {notices: {}, compaction: {}, configOptions: {boolean: {}}},
      plan: {},
      subagents: {},
      ...(runsOwnMethods && {fs: {readTextFile: true, writeTextFile: true}, terminal: true}),
    },
    ...(_meta !== undefined && {_meta}),
  };
}

function setup({mcpServers, ...others}: JsonObject): JsonObject {
  const servers = Array.isArray(mcpServers) ? mcpServers : [];
  return {
    ...others,
    mcpServers: servers.map(mcpServer),
  };
}

function mcpServer(server: unknown): unknown {
  if (!isJsonObject(server)) return server;
  if (server['type'] === 'http') return {headers: [], ...server};
  if (server['type'] !== 'stdio') return server;
  const {type: _, ...program} = server;
  return {args: [], env: [], ...program};
}

const SUPPORTED = {};

/** Returns the response of version 2 to `initialize`. */
export function initializeResponse(response: JsonObject): JsonObject {
  const {agentInfo, agentCapabilities, authMethods, protocolVersion: _, ...others} = response;
  const {
    promptCapabilities,
    mcpCapabilities,
    sessionCapabilities,
    loadSession: _load,
    auth,
    ...more
  } = isJsonObject(agentCapabilities) ? agentCapabilities : {};
  const {logout: _logout, ...authCapabilities} = isJsonObject(auth) ? auth : {};
  const {
    list: _list,
    resume: _resume,
    close: _close,
    ...optional
  } = isJsonObject(sessionCapabilities) ? sessionCapabilities : {};
  const {sse: _sse, ...transports} = isJsonObject(mcpCapabilities) ? mcpCapabilities : {};
  return {
    ...others,
    protocolVersion: 2,
    info: agentInfo,
    capabilities: {
      ...more,
      auth: authCapabilities,
      session: {
        ...optional,
        prompt: markers(promptCapabilities),
        mcp: {stdio: SUPPORTED, ...markers(transports)},
      },
    },
    authMethods: Array.isArray(authMethods) ? authMethods.map(authMethod) : [],
  };
}

/** Version 2 has objects for what is supported, and nothing for what is not. */
function markers(capabilities: unknown): JsonObject {
  const supported = Object.entries(isJsonObject(capabilities) ? capabilities : {}).filter(
    ([, value]) => value === true,
  );
  return Object.fromEntries(supported.map(([name]) => [name, SUPPORTED]));
}

function authMethod(method: unknown): unknown {
  if (!isJsonObject(method)) return method;
  const {id, env, type = 'agent', ...others} = method;
  const variables = isJsonObject(env) && {env: Object.entries(env).map(([name, value]) => ({name, value}))};
  return {...others, type, methodId: id, ...variables};
}

/** Returns a response without what version 2 has no names for: modes and models are options there. */
export function openedResponse({modes: _modes, models: _models, ...response}: JsonObject): JsonObject {
  if (!('configOptions' in response)) return response;
  return {...response, configOptions: optionsOfVersion2(response['configOptions'])};
}
