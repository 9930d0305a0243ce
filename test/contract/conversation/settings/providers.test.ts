import {describe, expect, test} from 'vitest';
import type {FormContent} from '../../../../src/session/forms/form-schema.ts';
import {openCredentials} from '../../../../src/storage/credentials/credentials.ts';
import {memoryKeyring} from '../../storage/memory-keyring.ts';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {idle, makeConversation, openScripted, type OpenedConversation} from '../open-conversation.ts';

const PROVIDERS = [
  {
    providerId: 'main',
    supported: ['anthropic', 'bedrock'],
    required: true,
    current: {apiType: 'anthropic', baseUrl: 'http://localhost/anthropic'},
  },
  {providerId: 'other', supported: ['openai'], required: false, current: null},
];
const WITH_PROVIDERS = {
  initialize: {agentCapabilities: {providers: {}}},
  results: {'providers/list': {providers: PROVIDERS}, 'providers/set': {}, 'providers/disable': {}},
};

const formIn = ({state}: OpenedConversation) => state().pending.find(({kind}) => kind === 'form');
const last = ({sent}: OpenedConversation) => sent().findLast(({method}) => method?.startsWith('providers/'));

async function configure(opened: OpenedConversation, id: string, content: FormContent | undefined) {
  const done = opened.conversation.configureProvider(id);
  await opened.until(() => formIn(opened) !== undefined, 'the form');
  const form = formIn(opened);
  void opened.conversation.answer(
    form?.id ?? '',
    content ? {kind: 'accepted', content} : {kind: 'cancelled'},
  );
  return {form, done: await done};
}

test("lists the agent's providers", async () => {
  const opened = await openScripted(WITH_PROVIDERS);
  expect(await opened.conversation.listProviders()).toMatchObject({ok: true, value: PROVIDERS});
});

test('requests nothing from an agent that does not advertise providers', async () => {
  const opened = await openScripted({});
  expect(await opened.conversation.listProviders()).toMatchObject({failure: {kind: 'not_offered'}});
  expect(await opened.conversation.configureProvider('main')).toMatchObject({
    failure: {kind: 'not_offered'},
  });
  expect(last(opened)).toBeUndefined();
});

test('sets a provider as a whole, with its header values in no log or recording', async () => {
  const concealed: string[] = [];
  const credentials = openCredentials({
    state: temporaryFolder(),
    keyring: memoryKeyring(),
    onValue: (value) => concealed.push(value),
  });
  const opened = await openScripted(WITH_PROVIDERS, {credentials});
  const {form, done} = await configure(opened, 'main', {
    apiType: 'bedrock',
    baseUrl: 'https://gateway.example/v1',
    headers: '{"X-Team": "sesame", "X-Plan": "gold"}',
  });
  expect(form).toMatchObject({
    fields: [
      {id: 'apiType', default: 0},
      {id: 'baseUrl', default: 'http://localhost/anthropic'},
      {id: 'headers', secret: true},
    ],
  });
  expect(done).toEqual({ok: true, value: undefined});
  expect(last(opened)).toMatchObject({
    method: 'providers/set',
    params: {
      providerId: 'main',
      apiType: 'bedrock',
      baseUrl: 'https://gateway.example/v1',
      headers: {'X-Team': '[masked]', 'X-Plan': '[masked]'},
    },
  });
  expect(concealed).toEqual(['sesame', 'gold']);
  const kept = JSON.stringify([opened.sent(), opened.log, opened.state()]);
  expect(kept).not.toContain('sesame');
  expect(kept).toContain('Provider \\"main\\" is set to https://gateway.example/v1');
});

test('what is set is told to a new process of the agent, before a session is opened in it', async () => {
  const opened = await openScripted(WITH_PROVIDERS);
  const {sent, conversation, state} = opened;
  await configure(opened, 'main', {apiType: 'bedrock', baseUrl: 'https://gateway.example/v1'});
  await configure(opened, 'other', {enabled: false, apiType: 'openai'});
  const before = sent().length;
  expect(await conversation.restart()).toMatchObject({ok: true});
  const again = sent().slice(before);
  expect(again.map(({method}) => method)).toEqual([
    'initialize',
    'providers/set',
    'providers/disable',
    'session/new',
  ]);
  expect(again[1]).toMatchObject({params: {providerId: 'main', baseUrl: 'https://gateway.example/v1'}});
  expect(again[2]).toMatchObject({params: {providerId: 'other'}});
  expect(state().ownProviders).toEqual(['main', 'other']);
});

test('no session is opened in a new process that refuses what is set: it would use another one', async () => {
  const args = [FAKE_AGENT, 'script', JSON.stringify(WITH_PROVIDERS)];
  const opened = await openScripted({}, {agent: {label: 'fake', command: process.execPath, args, env: {}}});
  const {sent, conversation} = opened;
  await configure(opened, 'main', {apiType: 'bedrock', baseUrl: 'https://gateway.example/v1'});
  args[2] = JSON.stringify({
    ...WITH_PROVIDERS,
    errors: {'providers/set': {code: -32602, message: 'no such provider'}},
  });
  expect(await conversation.restart()).toMatchObject({
    failure: {
      what: 'the provider "main" that you set',
      why: expect.stringContaining('no such provider') as string,
    },
  });
  expect(sent().at(-1)?.method).toBe('providers/set');
});

test('what was set in an earlier run of a session is said to have ended, once', async () => {
  const opening = {kind: 'continue', sessionId: 's', isHere: true} as const;
  const initialize = {agentCapabilities: {loadSession: true, providers: {}}};
  const scenario = ['script', JSON.stringify({...WITH_PROVIDERS, initialize})];
  const {conversation, state} = makeConversation(scenario, {opening}, {ownProviders: ['main']});
  expect(await conversation.open()).toMatchObject({ok: true});
  const {ownProviders, entries} = state();
  expect(ownProviders).toEqual([]);
  expect(JSON.stringify(entries)).toContain('ended with the earlier run of this session: \\"main\\"');
});

test('disables a provider that is switched off', async () => {
  const opened = await openScripted(WITH_PROVIDERS);
  const {form, done} = await configure(opened, 'other', {enabled: false, apiType: 'openai'});
  expect(form).toMatchObject({fields: [{id: 'enabled'}, {id: 'apiType'}, {id: 'baseUrl'}, {id: 'headers'}]});
  expect(done.ok).toBe(true);
  expect(last(opened)).toMatchObject({method: 'providers/disable', params: {providerId: 'other'}});
});

test.each([['no header'], ['{"X": 1}'], ['bad name: x']])('rejects the headers %j', async (headers) => {
  const opened = await openScripted(WITH_PROVIDERS);
  const {done} = await configure(opened, 'main', {apiType: 'anthropic', baseUrl: 'http://x', headers});
  expect(done).toMatchObject({ok: false, failure: {why: expect.stringContaining('headers')}});
  expect(last(opened)?.method).toBe('providers/list');
});

test('dismissing the form changes nothing', async () => {
  const opened = await openScripted(WITH_PROVIDERS);
  const {done} = await configure(opened, 'main', undefined);
  expect(done.ok).toBe(true);
  expect(last(opened)?.method).toBe('providers/list');
});

describe('the provider of the settings', () => {
  const provider = {
    id: 'main',
    apiType: 'bedrock',
    baseUrl: 'https://${HOST}/v1',
    headers: {'X-Team': '${TEAM}'},
  };
  const environment = {...process.env, HOST: 'gateway.example', TEAM: 'sesame'};
  const methods = ({sent}: Pick<OpenedConversation, 'sent'>) => sent().map(({method}) => method);

  test('is set before the first session of each process, and its headers are in no log', async () => {
    const credentials = openCredentials({
      state: temporaryFolder(),
      keyring: memoryKeyring(),
      onValue: () => {},
    });
    const opened = await openScripted(WITH_PROVIDERS, {provider, environment, credentials});
    expect(methods(opened)).toEqual(['initialize', 'providers/set', 'session/new']);
    expect(last(opened)).toMatchObject({
      params: {providerId: 'main', apiType: 'bedrock', baseUrl: 'https://gateway.example/v1'},
    });
    expect(JSON.stringify([opened.sent(), opened.log, opened.state()])).not.toContain('sesame');
    await opened.conversation.openSession({kind: 'new'});
    expect(methods(opened).filter((method) => method === 'providers/set')).toHaveLength(1);
    await opened.conversation.restart();
    expect(methods(opened).slice(-3)).toEqual(['initialize', 'providers/set', 'session/new']);
  });

  test('leaves the open session as it is when another one cannot be opened', async () => {
    const errors = {'session/fork': {code: -32603, message: 'no copy today'}};
    const initialize = {agentCapabilities: {providers: {}, sessionCapabilities: {fork: {}}}};
    const opened = await openScripted({...WITH_PROVIDERS, initialize, errors}, {provider, environment});
    const {conversation, state, prompt, until} = opened;
    const copy = {kind: 'continue', sessionId: 'session-1', fork: true} as const;
    expect(await conversation.openSession(copy)).toMatchObject({ok: false});
    expect(state().connection.kind).toBe('ready');
    prompt('go on');
    await until(idle, 'the turn');
    expect(opened.sent().at(-1)).toMatchObject({params: {sessionId: 'session-1'}});
  });

  test('does not let a prompt through to the session that is being left', async () => {
    const opened = await openScripted(WITH_PROVIDERS, {provider, environment});
    const {conversation, sent, until} = opened;
    void conversation.configureProvider('other');
    await until(() => formIn(opened) !== undefined, 'a request outside of a turn');
    const prompt = {text: 'for that one', content: [{type: 'text', text: 'for that one'}]} as const;
    void conversation.changeQueue({kind: 'hold', isHeld: true});
    void conversation.changeQueue({kind: 'submit', prompt, place: 'last'});
    const another = conversation.openSession({kind: 'new'});
    void conversation.changeQueue({kind: 'hold', isHeld: false});
    expect(await another).toMatchObject({ok: true});
    await until(idle, 'the turn');
    const prompts = sent().filter(({method}) => method === 'session/prompt');
    expect(prompts.map(({params}) => params?.['sessionId'])).toEqual(['session-2']);
  });

  test('gives way to what the user sets in a session, also after a restart', async () => {
    const opened = await openScripted(WITH_PROVIDERS, {provider, environment});
    await configure(opened, 'main', {apiType: 'anthropic', baseUrl: 'https://mine.example'});
    await opened.conversation.restart();
    expect(methods(opened).slice(-3)).toEqual(['initialize', 'providers/set', 'session/new']);
    expect(last(opened)).toMatchObject({params: {baseUrl: 'https://mine.example'}});
  });

  test.each([
    ['an agent that has none to choose', {}, environment, 'does not let a client choose one'],
    [
      'an agent that refuses it',
      {...WITH_PROVIDERS, errors: {'providers/set': {code: -32602, message: 'no such provider'}}},
      environment,
      'no such provider',
    ],
    ['a variable that is not set', WITH_PROVIDERS, {...environment, TEAM: undefined}, 'TEAM is not set'],
  ])('opens no session with %s', async (_, script, given, why) => {
    const {conversation, sent, state} = makeConversation(['script', JSON.stringify(script)], {
      provider,
      environment: given,
    });
    const opened = await conversation.open();
    expect(opened).toMatchObject({
      ok: false,
      failure: {what: 'the provider "main" of the settings', why: expect.stringContaining(why)},
    });
    expect(methods({sent})).not.toContain('session/new');
    expect(state().connection.kind).toBe('failed');
  });
});
