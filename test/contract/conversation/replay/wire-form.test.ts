import * as zod from '../../../../node_modules/@agentclientprotocol/sdk/dist/v1/schema/zod.gen.js';
import {expect, test} from 'vitest';
import {idle, openScripted, type SentMessage} from '../open-conversation.ts';

/** The stable schema of a client's messages; unknown fields are stripped, so that a comparison finds them. */
const PARAMS: Readonly<Record<string, {parse(value: unknown): unknown}>> = {
  initialize: zod.zInitializeRequest,
  authenticate: zod.zAuthenticateRequest,
  'session/new': zod.zNewSessionRequest,
  'session/prompt': zod.zPromptRequest,
  'session/cancel': zod.zCancelNotification,
  'session/set_mode': zod.zSetSessionModeRequest,
  'session/set_config_option': zod.zSetSessionConfigOptionRequest,
};
/** Draft fields that `initialize` advertises. */
const DRAFTS = new Set(['plan', 'subagents', 'session']);

function withoutDrafts({method, params}: SentMessage): unknown {
  if (method !== 'initialize') return params;
  const capabilities = Object.entries(params?.['clientCapabilities'] ?? {});
  return {
    ...params,
    clientCapabilities: Object.fromEntries(capabilities.filter(([name]) => !DRAFTS.has(name))),
  };
}

test('every message is JSON-RPC 2.0 with only stable-schema parameters and IDs counted from 0', async () => {
  const configOptions = [
    {id: 'o', name: 'O', type: 'select', currentValue: 'a', options: [{value: 'a', name: 'A'}]},
  ];
  const {conversation, prompt, until, sent} = await openScripted(
    {
      initialize: {authMethods: [{id: 'a', name: 'A'}]},
      session: {configOptions},
      results: {'session/set_config_option': {configOptions}},
      turns: [[{cancelled: true}]],
    },
    {authMethod: 'a'},
  );
  await conversation.setConfigOption('o', 'a');
  prompt('line one\nline two \u2028 and "quotes" 🙂');
  conversation.cancel();
  await until(idle, 'the end');

  expect(sent().map(({method}) => method)).toEqual([
    'initialize',
    'authenticate',
    'session/new',
    'session/set_config_option',
    'session/prompt',
    'session/cancel',
  ]);
  for (const message of sent()) {
    expect(message.jsonrpc).toBe('2.0');
    expect(Object.keys(message).toSorted()).toEqual(
      ['jsonrpc', 'method', 'params', ...('id' in message ? ['id'] : [])].toSorted(),
    );
    const params = withoutDrafts(message);
    expect(PARAMS[message.method ?? '']?.parse(params)).toMatchObject(params as object);
  }
  expect(sent().flatMap((message) => ('id' in message ? [message.id] : []))).toEqual([0, 1, 2, 3, 4]);
});
