import {describe, expect, test} from 'vitest';
import {makeConversation, openConversation, openScripted} from '../open-conversation.ts';

describe('initialize', () => {
  test("is the first message, with ID 0, acp-tui's version, name and capabilities", async () => {
    const {sent} = await openConversation(['echo'], {version: '1.2.3'});
    expect(sent()[0]).toEqual({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: 1,
        clientInfo: {name: 'acp-tui', title: 'acp-tui', version: '1.2.3'},
        clientCapabilities: {
          fs: {readTextFile: true, writeTextFile: true},
          terminal: true,
          session: {configOptions: {boolean: {}}, notices: {}, compaction: {}},
          plan: {},
          subagents: {},
          elicitation: {form: {}, url: {}},
        },
      },
    });
  });

  test('omits disabled capabilities, and requests for them are answered with -32601', async () => {
    const asks = [
      ['read', 'fs/read_text_file', {path: '$cwd/a'}],
      ['write', 'fs/write_text_file', {path: '$cwd/a', content: ''}],
      ['run', 'terminal/create', {command: 'true'}],
    ] as const;
    const opened = asks.map(([ask, method, params]) => ({
      ask,
      method,
      params: {sessionId: '$session', ...params},
    }));
    const {sent, answerTo} = await openScripted({opened}, {offer: {fs: false, terminal: false}});
    expect(sent()[0]?.params?.['clientCapabilities']).toMatchObject({
      fs: {readTextFile: false, writeTextFile: false},
      terminal: false,
    });
    for (const [ask] of asks) expect(await answerTo(ask)).toMatchObject({error: {code: -32601}});
  });

  test.each([0, 2, 99])(
    'answered with version %d stops the agent and reports both versions',
    async (protocolVersion) => {
      const {conversation, sent} = makeConversation([
        'script',
        JSON.stringify({initialize: {protocolVersion}}),
      ]);
      expect(await conversation.open()).toEqual({
        ok: false,
        failure: {kind: 'protocol_version', ours: 1, theirs: protocolVersion},
      });
      expect(sent().map(({method}) => method)).toEqual(['initialize']);
    },
  );

  test.each([
    {},
    {agentCapabilities: null, agentInfo: null, authMethods: null},
    {agentCapabilities: {sessionCapabilities: null, promptCapabilities: null, mcpCapabilities: null}},
    {agentCapabilities: {teleport: {far: true}, _meta: {'example.com': {a: 1}}}},
    {agentInfo: {name: 'x', version: '1'}, futureField: 1},
  ])('may be answered with %j', async (initialize) => {
    const {state} = await openScripted({initialize});
    expect(state().connection.kind).toBe('ready');
  });
});

describe('what an agent did not advertise is never sent', () => {
  test('a minimal agent gets only initialize, session/new, session/prompt and session/cancel', async () => {
    const {conversation, sent, prompt, until} = await openScripted({turns: [[{cancelled: true}]]});
    prompt('go');
    conversation.cancel();
    await until(({turn}) => turn.kind === 'idle', 'the end');
    await conversation.close();
    expect(sent().map(({method}) => method)).toEqual([
      'initialize',
      'session/new',
      'session/prompt',
      'session/cancel',
    ]);
  });
});

describe('authenticate', () => {
  test.each([
    {id: 'a', name: 'A'},
    {id: 'a', name: 'A', type: 'agent'},
  ])('accepts a method written as %j', async (method) => {
    const {sent} = await openScripted({initialize: {authMethods: [method]}}, {authMethod: 'a'});
    expect(sent().map((message) => [message.method, message.params?.['methodId']])).toEqual([
      ['initialize', undefined],
      ['authenticate', 'a'],
      ['session/new', undefined],
    ]);
  });

  test('is never sent for a method that was not advertised', async () => {
    const {conversation, sent} = makeConversation(['echo'], {authMethod: 'nope'});
    expect(await conversation.open()).toMatchObject({failure: {kind: 'unknown_value', valid: []}});
    expect(sent().map(({method}) => method)).toEqual(['initialize']);
  });

  test('is requested again when a turn needs it, and the session then continues', async () => {
    const {conversation, prompt, until, state} = await openScripted({
      initialize: {authMethods: [{id: 'a', name: 'A'}]},
      turns: [
        [{fail: {code: -32_000, message: 'Authentication required'}}],
        [{stop: {stopReason: 'end_turn'}}],
      ],
    });
    prompt('go');
    await until(({connection}) => connection.kind === 'authentication_required', 'the question');
    const {sessionId} = state();
    await conversation.authenticate('a');
    expect(state()).toMatchObject({connection: {kind: 'ready'}, sessionId});
    prompt('again');
    const {lastTurn} = await until(({turn}) => turn.kind === 'idle', 'the end');
    expect(lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'end_turn'});
  });
});
