import {
  methods,
  type ProviderInfo,
  type SessionInfo,
  type SystemPrompt,
} from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {agentWith, connectTo, noRoots, offer} from './connect-sdk-agent.ts';

const {session} = methods.agent;

test('session/status is open or saved; an unknown value counts as saved', async () => {
  const reported = ['open', 'saved', '_frozen'];
  const app = agentWith({sessionCapabilities: {status: {}}}).onRequest(session.status, () => ({
    status: reported.shift() ?? '',
  }));
  const {connection} = connectTo(app);
  await connection.initialize(offer);
  expect(await connection.sessionStatus('s')).toEqual({ok: true, value: 'open'});
  expect(await connection.sessionStatus('s')).toEqual({ok: true, value: 'saved'});
  expect(await connection.sessionStatus('s')).toEqual({ok: true, value: 'saved'});
});

test('session/list reports archived sessions', async () => {
  const sessions: SessionInfo[] = [{sessionId: 's', cwd: '/x', archived: true}];
  let asked: unknown;
  const app = agentWith({sessionCapabilities: {list: {}, archive: {}}}).onRequest(
    session.list,
    ({params}) => {
      asked = params;
      return {sessions};
    },
  );
  const {connection} = connectTo(app);
  await connection.initialize(offer);
  expect(await connection.listSessions({archived: 'only'})).toMatchObject({value: {sessions}});
  expect(asked).toEqual({archived: 'only'});
});

test('providers are listed, set with their headers, and disabled', async () => {
  const provider: ProviderInfo = {
    providerId: 'main',
    supported: ['anthropic'],
    required: false,
    current: {apiType: 'anthropic', baseUrl: 'https://api.example'},
  };
  const asked: unknown[] = [];
  const {providers} = methods.agent;
  const app = agentWith({providers: {}})
    .onRequest(providers.list, () => ({providers: [provider]}))
    .onRequest(providers.set, ({params}) => (asked.push(params), {}))
    .onRequest(providers.disable, ({params}) => (asked.push(params), {}));
  const {connection} = connectTo(app);
  await connection.initialize(offer);
  expect(await connection.listProviders()).toEqual({ok: true, value: [provider]});
  const config = {
    providerId: 'main',
    apiType: 'anthropic',
    baseUrl: 'https://gateway.example',
    headers: {'X-Team': 'sesame'},
  };
  expect((await connection.setProvider(config)).ok).toBe(true);
  expect((await connection.disableProvider('main')).ok).toBe(true);
  expect(asked).toEqual([config, {providerId: 'main'}]);
});

test('every request that opens a session has the system prompt', async () => {
  const asked: (SystemPrompt | null | undefined)[] = [];
  const app = agentWith({sessionCapabilities: {systemPrompt: {mode: {override: {}}}}})
    .onRequest(session.new, ({params}) => (asked.push(params.systemPrompt), {sessionId: 's'}))
    .onRequest(session.load, ({params}) => void asked.push(params.systemPrompt))
    .onRequest(session.resume, ({params}) => (asked.push(params.systemPrompt), {}))
    .onRequest(session.fork, ({params}) => (asked.push(params.systemPrompt), {sessionId: 'copy'}));
  const {connection} = connectTo(app);
  await connection.initialize(offer);
  const setup = {...noRoots, systemPrompt: {override: 'You are terse.', append: 'Never delete.'}};
  await connection.newSession(setup);
  await connection.loadSession('s', setup);
  await connection.resumeSession('s', setup);
  await connection.forkSession('s', setup);
  const content = [
    {type: 'text', text: 'You are terse.'},
    {type: 'text', text: 'Never delete.'},
  ];
  expect(asked).toEqual(Array.from({length: 4}, () => ({mode: 'override', content})));
});

test('every request has the trace context in its _meta, beside its other fields', async () => {
  const received: unknown[] = [];
  const app = agentWith().onRequest(session.new, ({params}) => {
    received.push(params._meta);
    return {sessionId: 's'};
  });
  app.onRequest(
    '_session/steering',
    (params) => params as {_meta?: unknown},
    ({params}) => {
      received.push(params._meta);
      return {outcome: 'injected'};
    },
  );
  app.onNotification(session.cancel, ({params}) => void received.push(params._meta));
  const trace = {traceparent: '00-80e1afed08e019fc1110464cfa66635c-7a085853722dc6d2-01', baggage: 'a=b'};
  const {connection} = connectTo(app, {}, trace);
  await connection.initialize(offer);
  await connection.newSession(noRoots);
  await connection.steer('s', []);
  connection.cancel('s');
  await expect.poll(() => received).toHaveLength(3);
  expect(received).toEqual([trace, {...trace, steering: {idleBehavior: 'promptRequired'}}, trace]);
});

test('without a trace context, requests have none in _meta', async () => {
  let asked: object = {};
  const app = agentWith().onRequest(session.new, ({params}) => {
    asked = params;
    return {sessionId: 's'};
  });
  const {connection} = connectTo(app);
  await connection.initialize(offer);
  await connection.newSession(noRoots);
  expect(asked).not.toHaveProperty('_meta');
});
