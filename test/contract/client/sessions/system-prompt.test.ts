import {expect, test} from 'vitest';
import type {ClientOptions} from '../../../../src/client/options.ts';
import {failureSentence} from '../../../../src/shared/failure-messages.ts';
import {makeClient, type OpenedClient} from '../open-client.ts';

const methods = ({sent}: OpenedClient) => sent().flatMap(({method}) => method ?? []);

function withPrompt(
  systemPrompt: ClientOptions['systemPrompt'],
  capability: object | undefined,
): OpenedClient {
  const agentCapabilities = {loadSession: true, sessionCapabilities: {systemPrompt: capability}};
  const script = JSON.stringify({initialize: {agentCapabilities}});
  return makeClient(['script', script], systemPrompt ? {systemPrompt} : {});
}

test.each([
  [{append: 'Be terse.'}, {}, 'append'],
  [{override: 'You are terse.'}, {mode: {override: {}}}, 'override'],
])('%j goes to an agent with %j', async (systemPrompt, capability, mode) => {
  const opened = withPrompt(systemPrompt, capability);
  expect((await opened.client.open()).ok).toBe(true);
  await opened.client.actions.openSession({kind: 'continue', sessionId: 'session-1'});
  const text = Object.values(systemPrompt).join('');
  const sent = {systemPrompt: {mode, content: [{type: 'text', text}]}};
  expect(opened.sent().slice(1)).toMatchObject([
    {method: 'session/new', params: sent},
    {method: 'session/load', params: sent},
  ]);
});

test.each([
  [{append: 'Be terse.'}, undefined, 'this agent does not support it'],
  [{override: 'You are terse.'}, undefined, 'this agent does not support it'],
  [{override: 'You are terse.'}, {}, '--append-system-prompt'],
])('%j is refused for an agent with %j, and no session is opened', async (systemPrompt, capability, why) => {
  const opened = withPrompt(systemPrompt, capability);
  const result = await opened.client.open();
  expect(result).toMatchObject({ok: false, failure: {kind: 'not_offered'}});
  const sentence = result.ok ? '' : failureSentence(result.failure).toLowerCase();
  expect(sentence).toContain('the system prompt is not available');
  expect(sentence).toContain(why);
  expect(methods(opened)).toEqual(['initialize']);
});

test('without one, nothing of it is sent', async () => {
  const opened = withPrompt(undefined, {mode: {override: {}}});
  await opened.client.open();
  expect(opened.sent()[1]?.params).not.toHaveProperty('systemPrompt');
});
