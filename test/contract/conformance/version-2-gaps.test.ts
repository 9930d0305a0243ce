import {methods} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import {expect, test} from 'vitest';
import {v2Agent} from '../../../fixtures/v2-agent/main.ts';
import {createVersion2Side} from '../../../src/protocol/agent-side/version-2-side.ts';
import {createSessionUpdates} from '../../../src/protocol/v2/v2-updates.ts';
import type {Update} from '../../../src/session/events.ts';
import {opened, only, reduceUpdates} from '../../support/session/build.ts';
import {valueOf} from '../protocol/connect-fake.ts';
import {noRoots} from '../protocol/connect-sdk-agent.ts';
import {connectTo, nothing, version2Offer} from '../protocol/connect-version-2.ts';

// The SDK's agent does not know it.
const asSent = (params: unknown) => params;

test('a fork of a session has its options, and gets programs as MCP servers', async () => {
  const option = {type: 'select' as const, configId: 'effort', name: 'Effort', currentValue: 'low'};
  const app = v2Agent(nothing, {mcp: {stdio: {}}}).onRequest(
    methods.agent.session.fork as '_x',
    asSent,
    () => ({
      sessionId: 'copy',
      configOptions: [{...option, options: [{value: 'low', name: 'Low'}]}],
    }),
  );
  const {connection, requests} = connectTo(app);
  valueOf(await connection.initialize(version2Offer));
  const server = {name: 'tools', command: '/bin/tools', args: [], env: []};
  const copy = valueOf(await connection.forkSession('s1', {...noRoots, mcpServers: [server]}));
  expect(requests('session/fork')).toMatchObject([{mcpServers: [{type: 'stdio', name: 'tools'}]}]);
  expect(copy.configOptions).toMatchObject([{id: 'effort', currentValue: 'low'}]);
});

test('content that a tool call gets in pieces is sent on once', () => {
  const pieces = Array.from({length: 2000}, (_, index) => `line ${index}\n`);
  const session = createSessionUpdates();
  const updates = pieces.flatMap((text) =>
    session.translate({
      sessionUpdate: 'tool_call_content_chunk',
      toolCallId: 'c',
      content: {type: 'content', content: {type: 'text', text}},
    }),
  );
  const bytesEach = 250;
  expect(JSON.stringify(updates).length).toBeLessThan(bytesEach * pieces.length);
  const {content} = only(reduceUpdates(opened, ...(updates as Update[])), 'tool_call');
  expect(content.map((part) => (part as {content: {text: string}}).content.text)).toEqual(pieces);
});

test('an answer in a client of version 2 is a message of its own, though its agent gives it no ID', () => {
  const sent: unknown[] = [];
  const side = createVersion2Side({deliver: () => undefined, send: (message) => sent.push(message)});
  const say = (update: object) => side.sent({method: 'session/update', params: {sessionId: 's', update}});
  const answer = (text: string) => say({sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}});
  const messages = [
    ...answer('one'),
    ...answer(' more'),
    ...say({sessionUpdate: 'user_message', messageId: 'u', content: []}),
    ...answer('two'),
  ];
  const ids = messages.flatMap(({params}) => {
    const {update} = params as {update: {sessionUpdate: string; messageId: string}};
    return update.sessionUpdate === 'agent_message_chunk' ? [update.messageId] : [];
  });
  expect(ids).toEqual([ids[0], ids[0], ids[2]]);
  expect(ids[2]).not.toBe(ids[0]);
});

test.each([
  [
    'a request',
    {id: 1, method: 'session/request_permission', params: {sessionId: 's', toolCall: {toolCallId: 'c'}}},
  ],
  ['the end of a turn', {id: 7, result: {stopReason: 'end_turn'}}],
])('a tool call is sent as a whole to a client of version 2 after %s', (_, between) => {
  const side = createVersion2Side({deliver: () => undefined, send: () => undefined});
  const content = ['one', 'two'].map((text) => ({type: 'content', content: {type: 'text', text}}));
  const say = (parts: number) => {
    const update = {sessionUpdate: 'tool_call_update', toolCallId: 'c', content: content.slice(0, parts)};
    return side.sent({method: 'session/update', params: {sessionId: 's', update}});
  };
  side.received({id: 7, method: 'session/prompt', params: {sessionId: 's', prompt: []}});
  say(1);
  side.sent(between);
  expect(say(2)).toMatchObject([{params: {update: {sessionUpdate: 'tool_call_update', content}}}]);
  expect(say(2)).toEqual([]);
});
