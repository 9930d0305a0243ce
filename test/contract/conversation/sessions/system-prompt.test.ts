import {expect, test} from 'vitest';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import {failureSentence} from '../../../../src/shared/failure-messages.ts';
import {FIRST, openWindow} from '../open-window.ts';
import {makeConversation, type OpenedConversation} from '../open-conversation.ts';

const methods = ({sent}: OpenedConversation) => sent().flatMap(({method}) => method ?? []);

function withPrompt(
  systemPrompt: ConversationOptions['systemPrompt'],
  capability: object | undefined,
): OpenedConversation {
  const agentCapabilities = {loadSession: true, sessionCapabilities: {systemPrompt: capability}};
  const script = JSON.stringify({initialize: {agentCapabilities}});
  return makeConversation(['script', script], systemPrompt ? {systemPrompt} : {});
}

test.each([
  [{append: 'Be terse.'}, {}, 'append'],
  [{override: 'You are terse.'}, {mode: {override: {}}}, 'override'],
])('%j is sent to an agent with %j', async (systemPrompt, capability, mode) => {
  const opened = withPrompt(systemPrompt, capability);
  expect((await opened.conversation.open()).ok).toBe(true);
  await opened.conversation.openSession({kind: 'continue', sessionId: 'session-1'});
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
])('%j is rejected for an agent with %j, and no session is opened', async (systemPrompt, capability, why) => {
  const opened = withPrompt(systemPrompt, capability);
  const result = await opened.conversation.open();
  expect(result).toMatchObject({ok: false, failure: {kind: 'not_offered'}});
  const sentence = result.ok ? '' : failureSentence(result.failure).toLowerCase();
  expect(sentence).toContain('the system prompt is not available');
  expect(sentence).toContain(why);
  expect(methods(opened)).toEqual(['initialize']);
});

test('without one, nothing is sent', async () => {
  const opened = withPrompt(undefined, {mode: {override: {}}});
  await opened.conversation.open();
  expect(opened.sent()[1]?.params).not.toHaveProperty('systemPrompt');
});

test('the system prompt of one agent is not sent to another whose session is resumed', async () => {
  const says = (text: string, of?: string) => [
    [{update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}, of}],
  ];
  const plain = {initialize: {agentCapabilities: {loadSession: true}}, turns: says('plain')};
  const able = {
    initialize: {agentCapabilities: {sessionCapabilities: {systemPrompt: {}}}},
    session: {sessionId: 'of-another'},
    turns: says('able', 'of-another'),
  };
  const window = await openWindow('script', JSON.stringify(plain));
  await window.converse(FIRST, 'plain');
  const second = await window.openWith({systemPrompt: {append: 'Be terse.'}}, 'script', JSON.stringify(able));
  await window.converse(second, 'able');
  window.sessions.close(FIRST);
  window.sessions.perform({kind: 'resume_session', row: 'session-1', fork: false});
  const isResumed = () => ![FIRST, second].includes(window.store.latest().active);
  await window.until(() => isResumed());
  const {active} = window.store.latest();
  await window.until(() => window.session(active)?.session.connection.kind !== 'starting');
  expect(window.session(active)?.session).toMatchObject({
    connection: {kind: 'ready'},
    sessionId: 'session-1',
  });
  expect(window.sessions.optionsOf(second).systemPrompt).toEqual({append: 'Be terse.'});
  expect(window.sessions.optionsOf(active).systemPrompt).toBeUndefined();
});
