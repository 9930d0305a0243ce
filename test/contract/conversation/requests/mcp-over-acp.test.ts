import {existsSync, readFileSync} from 'node:fs';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {
  agent,
  McpOverAcpCaller,
  methods,
  type AgentContext,
  type McpNotification,
  type McpOutcome,
  type McpServer,
} from '@agentclientprotocol/sdk/unstable';
import {createMcpHandler} from '@modelcontextprotocol/server';
import {expect, onTestFinished, test, vi} from 'vitest';
import {testServer} from '../../../../fixtures/mcp-server/main.ts';
import {createMcpConfig} from '../../../../src/conversation/trust/mcp-servers.ts';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import {readServers} from '../../../../src/settings/server-config.ts';
import {createRelay} from '../../../../src/mcp/relay.ts';
import {serverStartLabel} from '../../../../src/session/lifecycle/mcp-servers.ts';
import {createSecrets} from '../../../../src/shared/mask.ts';
import {isProcessRunning} from '../../../support/program/running.ts';
import {serve} from '../../../support/servers/servers.ts';
import {openRemote} from '../../remote/open-remote.ts';
import {serveAgent} from '../../../support/servers/remote-server.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {notices} from '../open-conversation.ts';

const program = `${import.meta.dirname}/../../../../fixtures/mcp-server/main.ts`;
const tests = {command: process.execPath, args: [program], env: {SERVER_TOKEN: '${SERVER_TOKEN}'}};

/** The servers of a user's settings, for an agent that gets them over its connection if `overAcp` is set. */
function serversOf(
  servers: object,
  overAcp: boolean | undefined = true,
): NonNullable<ConversationOptions['mcp']> {
  return createMcpConfig({
    state: temporaryFolder(),
    ofUser: readServers(servers, {kind: 'user', file: '/config.json'}).servers,
    ofAgent: () => [],
    overAcp: () => overAcp,
    ofOptions: [],
    secrets: createSecrets(),
    env: {...process.env, SERVER_TOKEN: 'of-the-environment'},
  });
}

/** A session with an SDK agent that supports MCP servers over its connection. */
async function sessionWith(
  mcp: NonNullable<ConversationOptions['mcp']>,
  mcpCapabilities: object = {acp: true},
  options: Partial<ConversationOptions> = {},
) {
  const caller = new McpOverAcpCaller({clientInfo: {name: 'sdk-agent', version: '1'}});
  let given: readonly McpServer[] = [];
  let client: AgentContext | undefined;
  let sessions = 0;
  const app = agent({name: 'sdk-agent'})
    .onNotification(methods.agent.mcp.message, caller.handleNotification)
    .onRequest(methods.agent.initialize, () => ({protocolVersion: 1, agentCapabilities: {mcpCapabilities}}))
    .onRequest(methods.agent.session.new, ({params, client: from}) => {
      given = params.mcpServers;
      client = from;
      return {sessionId: `s${++sessions}`};
    });
  const served = await serveAgent(app);
  const opened = await openRemote(served.ws, {}, {mcp, ...options});
  return {
    ...opened,
    given: () => given,
    requestOf: (serverId: string) => client && caller.request(client, serverId, 'tools/list', {}),
    async request(method: string, params: object = {}, options: Parameters<typeof caller.request>[4] = {}) {
      const [server] = given;
      if (!server || !('serverId' in server) || !client) throw new Error('no server was offered');
      return caller.request(client, server.serverId, method, {...params}, options);
    },
    async call(name: string, args: object = {}) {
      return textOf(await this.request('tools/call', {name, arguments: args}));
    },
  };
}

function textOf(outcome: McpOutcome): string {
  const {content} = ('result' in outcome ? outcome.result : outcome) as {content: {text: string}[]};
  return content.map((block) => block.text).join('');
}

const where = (said: string) => JSON.parse(said) as {cwd: string; pid: number; token: string};

test('offers a server of the settings over the connection and starts it on first use', async () => {
  const session = await sessionWith(serversOf({tests}));
  expect(session.given()).toEqual([{type: 'acp', name: 'tests', serverId: expect.any(String)}]);
  expect(await session.request('server/discover')).toMatchObject({
    result: {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {tools: {}},
      instructions: 'Ask me.',
    },
  });
  const tools = await session.request('tools/list');
  expect(tools).toMatchObject({
    result: {tools: expect.arrayContaining([expect.objectContaining({name: 'echo'})])},
  });
  expect(await session.call('echo', {message: 'hello'})).toBe('echo: hello');
  expect(where(await session.call('where'))).toMatchObject({cwd: session.cwd, token: 'of-the-environment'});
  expect(JSON.stringify(session.sent())).not.toMatch(/of-the-environment"\}\]/);
});

test('a server has the environment of its session, as the agent has', async () => {
  const environment = {...process.env, SERVER_TOKEN: 'of-the-session'};
  const {command, args} = tests;
  const session = await sessionWith(serversOf({tests: {command, args}}), {acp: true}, {environment});
  expect(where(await session.call('where')).token).toBe('of-the-session');
});

test("routes the server's progress to the right request", async () => {
  const session = await sessionWith(serversOf({tests}));
  const received: McpNotification[] = [];
  const outcome = await session.request(
    'tools/call',
    {name: 'echo', arguments: {message: 'x'}, _meta: {progressToken: 'mine'}},
    {onNotification: (notification) => void received.push(notification)},
  );
  expect(textOf(outcome)).toBe('echo: x');
  expect(received).toMatchObject([
    {method: 'notifications/progress', params: {progressToken: 'mine', progress: 1, total: 2}},
  ]);
});

test('refuses requests of a server that it does not offer', async () => {
  for (const servers of [{tests}, {}]) {
    const {requestOf} = await sessionWith(serversOf(servers));
    await expect(requestOf('tests')).rejects.toMatchObject({code: -33001});
  }
});

test("passes on the server's errors, and reports one that cannot start as unavailable", async () => {
  const session = await sessionWith(serversOf({tests}));
  expect(await session.request('tools/fly')).toMatchObject({error: {code: -32601}});
  const broken = await sessionWith(serversOf({broken: {command: '/bin/false'}}));
  await expect(broken.request('tools/list')).rejects.toMatchObject({code: -33002});
});

test('a request cancelled by the agent is cancelled at the server, which keeps running', async () => {
  const session = await sessionWith(serversOf({tests}));
  await session.call('echo', {message: 'up'});
  const withdrawal = new AbortController();
  const asked = session.request('tools/call', {name: 'wait', arguments: {}}, {signal: withdrawal.signal});
  withdrawal.abort();
  await expect(asked).rejects.toMatchObject({code: -32800});
  expect(await session.call('echo', {message: 'again'})).toBe('echo: again');
});

test('a server that exits is restarted by the next request', async () => {
  const session = await sessionWith(serversOf({tests}));
  const {pid} = where(await session.call('where'));
  await expect(session.call('die')).rejects.toMatchObject({code: -33002});
  expect(where(await session.call('where')).pid).not.toBe(pid);
});

test('knows whether a server has started, since the agent does not run it', async () => {
  const session = await sessionWith(serversOf({tests}));
  const label = () => serverStartLabel(session.state(), 'tests');
  expect(label()).toBe('not used yet');
  await session.call('where');
  expect(label()).toBe('started');
  const broken = await sessionWith(serversOf({tests: {command: 'false'}}));
  await expect(broken.call('where')).rejects.toMatchObject({code: -33002});
  expect(serverStartLabel(broken.state(), 'tests')).toBe('could not be started');
});

test('a server that cannot start is an error without its command, and a notice for the user', async () => {
  const session = await sessionWith(serversOf({tests: {command: 'false'}}));
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(session.call('where')).rejects.toMatchObject({
      data: {details: 'it cannot be used; the user knows why'},
    });
  const failures = notices(session.state()).filter((text) =>
    text.startsWith('MCP server tests cannot be used: '),
  );
  expect(failures).toHaveLength(1);
});

test('the server stops with the session, and a new session has its own', async () => {
  const session = await sessionWith(serversOf({tests}));
  const first = where(await session.call('where')).pid;
  const [before] = session.given();
  await session.conversation.openSession({kind: 'new'});
  expect(session.given()).not.toEqual([before]);
  await expect.poll(() => isProcessRunning(first)).toBe(false);
  const second = where(await session.call('where')).pid;
  await session.conversation.close();
  expect(isProcessRunning(second)).toBe(false);
});

test('connects to a server by URL from here, also for agents without HTTP support', async () => {
  const handler = createMcpHandler(() => testServer());
  const authorizations: (string | undefined)[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const {method = '', headers} = request;
    authorizations.push(headers.authorization);
    const body = method === 'POST' ? {body: await text(request)} : {};
    const fetched = new Request(`${url}/mcp`, {method, headers: headers as Record<string, string>, ...body});
    const answered = await handler.fetch(fetched);
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(await answered.text());
  }
  const url = await serve((request, response) => void answer(request, response));
  const session = await sessionWith(
    serversOf({docs: {type: 'http', url, headers: {Authorization: 'Bearer ${SERVER_TOKEN}'}}}),
  );
  expect(await session.call('echo', {message: 'over there'})).toBe('echo: over there');
  expect(new Set(authorizations)).toEqual(new Set(['Bearer of-the-environment']));
});

test.each([
  ['does not support servers over its connection', {}, true, 'to use it there'],
  ['must not have them', {acp: true}, false, 'or set agents.NAME.mcpOverAcp to run it here'],
])('offers none to a remote agent that %s', async (...[, capabilities, overAcp, todo]) => {
  const session = await sessionWith(serversOf({tests}, overAcp), capabilities);
  expect(session.given()).toEqual([]);
  expect(JSON.stringify(session.state().entries)).toMatch(
    new RegExp(`the agent runs elsewhere;.*${todo}\\.`),
  );
});

test('a server that never answers does not hold up the end of the session', async () => {
  const started = join(temporaryFolder(), 'pid');
  const script = `require('fs').writeFileSync(${JSON.stringify(started)}, String(process.pid)); process.stdin.resume()`;
  const silent = {command: process.execPath, args: ['-e', script]};
  const session = await sessionWith(serversOf({silent}));
  const asked = session.request('tools/list');
  asked.catch(() => {});
  await expect.poll(() => existsSync(started), {timeout: 20_000}).toBe(true);
  const at = performance.now();
  await session.conversation.close();
  expect(performance.now() - at).toBeLessThan(10_000);
  await expect(asked).rejects.toBeDefined();
  expect(isProcessRunning(Number(readFileSync(started, 'utf8')))).toBe(false);
});

test('a server that never answers is given up, and the user knows why', async () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => void vi.useRealTimers());
  const failures: string[] = [];
  const silent = {name: 'it', command: 'sh', args: ['-c', 'exec sleep 600'], env: []};
  const relay = createRelay(silent, {
    cwd: temporaryFolder(),
    environment: process.env,
    log: () => {},
    onStart: () => {},
    onFailure: (reason) => failures.push(reason),
    onProcess: () => {},
  });
  const asked = Promise.resolve(relay.handle({method: 'tools/list', params: {}} as never));
  asked.catch(() => {});
  await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(asked).rejects.toThrow('cannot be used');
  expect(failures).toEqual([expect.stringContaining('timed out')]);
});

test('a server that has closed its output is stopped, and the next request starts another', async () => {
  const session = await sessionWith(serversOf({tests}));
  const {pid} = where(await session.call('where'));
  await expect(session.call('fall_silent')).rejects.toMatchObject({code: -33002});
  const next = where(await session.call('where')).pid;
  expect(next).not.toBe(pid);
  await session.conversation.close();
  expect([pid, next].filter(isProcessRunning)).toEqual([]);
});

test('of many requests at once, those over the limit are refused, and later ones answered', async () => {
  const session = await sessionWith(serversOf({tests}));
  const numbers = Array.from({length: 200}, (_, index) => String(index));
  const answers = await Promise.allSettled(numbers.map((message) => session.call('echo', {message})));
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []));
  expect([...new Set(refusals)]).toEqual([expect.stringContaining('limit exceeded')]);
  expect(answers).toContainEqual({status: 'fulfilled', value: 'echo: 0'});
  expect(await session.call('echo', {message: 'later'})).toBe('echo: later');
});

test('a long message passes in both directions', async () => {
  const session = await sessionWith(serversOf({tests}));
  const message = 'x'.repeat(3_000_000);
  expect(await session.call('echo', {message})).toBe(`echo: ${message}`);
});
