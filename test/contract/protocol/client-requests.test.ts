import {agent, methods, RequestError, type InitializeRequest} from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {clientInfo} from './connect-fake.ts';
import {agentWith, connectTo, noRoots, offer, openSdkAgent} from './connect-sdk-agent.ts';

const {initialize, authenticate, session} = methods.agent;

test("initialize sends acp-tui's name and capabilities", async () => {
  let asked: InitializeRequest | undefined;
  const app = agent({name: 'x'}).onRequest(initialize, ({params}) => {
    asked = params;
    return {protocolVersion: 1, agentInfo: {name: 'x', version: '1'}};
  });
  const {connection} = connectTo(app);
  expect(await connection.initialize(offer)).toMatchObject({ok: true, value: {agentInfo: {name: 'x'}}});
  expect(asked).toMatchObject({
    protocolVersion: 1,
    clientInfo,
    clientCapabilities: {
      fs: {readTextFile: true, writeTextFile: true},
      terminal: false,
      session: {configOptions: {boolean: {}}, notices: {}, compaction: {}},
      plan: {},
      subagents: {},
    },
  });
});

test('a session is refused until authenticate was called', async () => {
  let method: string | undefined;
  const authMethods = [{id: 'token', name: 'Token'}];
  const app = agentWith({}, {authMethods})
    .onRequest(authenticate, ({params}) => void (method = params.methodId))
    .onRequest(session.new, () => {
      if (method === undefined) throw RequestError.authRequired();
      return {sessionId: 's'};
    });
  const {connection} = connectTo(app);
  await connection.initialize(offer);
  expect(await connection.newSession(noRoots)).toEqual({
    ok: false,
    failure: {kind: 'authentication_required', methods: authMethods},
  });
  expect(await connection.authenticate('token')).toMatchObject({ok: true});
  expect(await connection.newSession(noRoots)).toMatchObject({ok: true, value: {sessionId: 's'}});
  expect(method).toBe('token');
});

test('an answer that does not follow the protocol is reported with what is wrong in it', async () => {
  const entry = {required: true};
  const app = agentWith({providers: {}})
    .onRequest(session.new, () => ({}) as never)
    .onRequest(methods.agent.providers.list, () => ({providers: [entry, entry]}) as never);
  const {connection} = connectTo(app);
  await connection.initialize(offer);
  const detailOf = (result: object) => ('failure' in result ? result.failure : undefined);
  expect(detailOf(await connection.newSession(noRoots))).toMatchObject({
    kind: 'agent_error',
    method: 'session/new',
    detail: 'sessionId: Invalid input: expected string, received undefined',
  });
  expect(detailOf(await connection.listProviders())).toMatchObject({
    detail: expect.stringMatching(/^providers\.0\.providerId: .*; providers\.1\.providerId: .*; and 1 more$/),
  });
});

test.each([
  [{sessionCapabilities: {additionalDirectories: {}}}, ['/more']],
  [{}, undefined],
])('additional roots are sent only to agents that support them: %j', async (capabilities, sent) => {
  let asked: unknown;
  const app = agentWith(capabilities).onRequest(session.new, ({params}) => {
    asked = params;
    return {sessionId: 's'};
  });
  const {connection} = connectTo(app);
  await connection.initialize(offer);
  const result = await connection.newSession({
    cwd: '/home/user',
    additionalDirectories: ['/more'],
    mcpServers: [],
  });
  expect(asked).toEqual({cwd: '/home/user', mcpServers: [], ...(sent && {additionalDirectories: sent})});
  expect(result).toMatchObject({ok: true, value: {cwd: '/home/user', additionalDirectories: sent ?? []}});
});

test('modes, options and a prompt reach the agent as intended', async () => {
  const asked: unknown[] = [];
  const option = {id: 'web', name: 'Web', type: 'boolean', currentValue: true} as const;
  const app = agentWith()
    .onRequest(session.setMode, ({params}) => void asked.push(params))
    .onRequest(
      'session/set_model',
      (params) => params,
      ({params}) => asked.push(params) && {},
    )
    .onRequest(session.setConfigOption, ({params}) => {
      asked.push(params);
      return {configOptions: [option]};
    })
    .onRequest(session.prompt, ({params}) => {
      asked.push(params.prompt);
      return {stopReason: 'max_tokens', usage: {totalTokens: 3, inputTokens: 1, outputTokens: 2}};
    });
  const {connection} = await openSdkAgent(app);
  expect(await connection.setMode('s', 'code')).toMatchObject({ok: true});
  expect(await connection.setModel('s', 'large')).toMatchObject({ok: true});
  expect(await connection.setConfigOption('s', 'web', true)).toEqual({ok: true, value: [option]});
  await connection.setConfigOption('s', 'effort', 'high');
  expect(await connection.prompt('s', [{type: 'text', text: 'hi'}])).toMatchObject({
    value: {stopReason: 'max_tokens', usage: {totalTokens: 3}},
  });
  expect(asked).toEqual([
    {sessionId: 's', modeId: 'code'},
    {sessionId: 's', modelId: 'large'},
    {sessionId: 's', configId: 'web', type: 'boolean', value: true},
    {sessionId: 's', configId: 'effort', value: 'high'},
    [{type: 'text', text: 'hi'}],
  ]);
});

test('cancel is a notification, and the turn ends as the agent says', async () => {
  const cancelled = Promise.withResolvers<void>();
  const app = agentWith()
    .onNotification(session.cancel, () => cancelled.resolve())
    .onRequest(session.prompt, async () => {
      await cancelled.promise;
      return {stopReason: 'cancelled'};
    });
  const {connection} = await openSdkAgent(app);
  const turn = connection.prompt('s', []);
  connection.cancel('s');
  expect(await turn).toMatchObject({ok: true, value: {stopReason: 'cancelled'}});
});

test("a response that violates the schema is the agent's error", async () => {
  const app = agentWith().onRequest(session.new, () => ({sessionId: 5}) as never);
  const {connection} = connectTo(app);
  await connection.initialize(offer);
  expect(await connection.newSession(noRoots)).toMatchObject({
    failure: {kind: 'agent_error', method: 'session/new', detail: expect.stringContaining('sessionId')},
  });
});

test('a connection closed by the agent fails pending requests', async () => {
  const app = agentWith().onRequest(session.prompt, () => new Promise<never>(() => {}));
  const {connection, peer} = await openSdkAgent(app);
  const turn = connection.prompt('s', []);
  peer.close();
  connection.close();
  expect(await turn).toMatchObject({failure: {kind: 'connection_lost'}});
});
