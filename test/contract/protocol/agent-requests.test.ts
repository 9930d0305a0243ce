import {methods, RequestError, type AgentApp, type AgentContext} from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import type {ClientHandlers} from '../../../src/protocol/handlers-interface.ts';
import {textOf} from './connect-fake.ts';
import {agentWith, openSdkAgent} from './connect-sdk-agent.ts';

const {session} = methods.agent;

/** The agent's turn; its result is the answer as text. */
function promptedWith(turn: (client: AgentContext) => Promise<unknown>): AgentApp {
  return agentWith().onRequest(session.prompt, async ({client}) => {
    const result = await turn(client).catch((error: unknown) =>
      error instanceof RequestError
        ? {code: error.code, message: error.message}
        : Promise.reject(error as Error),
    );
    await client.notify(methods.client.session.update, {
      sessionId: 's',
      update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: JSON.stringify(result)}},
    });
    return {stopReason: 'end_turn'};
  });
}

const {requestPermission} = methods.client.session;
const {fs, terminal} = methods.client;
const place = {sessionId: 's', terminalId: 't'};
const toolCall = {toolCallId: 'c', title: 'Run'};
const options = [{optionId: 'a', name: 'Allow', kind: 'allow_once'}] as const;

const CASES: readonly [keyof ClientHandlers, (client: AgentContext) => Promise<unknown>, answer: object][] = [
  [
    'requestPermission',
    (client) => client.request(requestPermission, {sessionId: 's', toolCall, options: [...options]}),
    {outcome: {outcome: 'selected', optionId: 'a'}},
  ],
  [
    'readTextFile',
    (client) => client.request(fs.readTextFile, {sessionId: 's', path: '/a'}),
    {content: 'text'},
  ],
  [
    'writeTextFile',
    (client) => client.request(fs.writeTextFile, {sessionId: 's', path: '/a', content: ''}),
    {},
  ],
  [
    'createTerminal',
    (client) => client.request(terminal.create, {sessionId: 's', command: 'ls'}),
    {terminalId: 't'},
  ],
  ['terminalOutput', (client) => client.request(terminal.output, place), {output: '', truncated: false}],
  [
    'waitForTerminalExit',
    (client) => client.request(terminal.waitForExit, place),
    {exitCode: 0, signal: null},
  ],
  ['killTerminal', (client) => client.request(terminal.kill, place), {}],
  ['releaseTerminal', (client) => client.request(terminal.release, place), {}],
];

test.each(CASES)('%s is answered with the result of its handler', async (name, ask, answer) => {
  const {connection, updates} = await openSdkAgent(promptedWith(ask), {
    [name]: () => Promise.resolve(answer),
  });
  await connection.prompt('s', []);
  expect(JSON.parse(textOf(updates))).toEqual(answer);
});

test.each(CASES)('%s: an error thrown by its handler is the response', async (name, ask) => {
  const refuse = () => Promise.reject(new RequestError(-32002, 'no such thing', {path: '/a'}));
  const {connection, updates} = await openSdkAgent(promptedWith(ask), {[name]: refuse});
  await connection.prompt('s', []);
  expect(JSON.parse(textOf(updates))).toEqual({code: -32002, message: 'no such thing'});
});

test('updates before a request are handled before it, later ones are not', async () => {
  const say = (client: AgentContext, text: string) =>
    client.notify(methods.client.session.update, {
      sessionId: 's',
      update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}},
    });
  let seen = '';
  const connected = await openSdkAgent(
    promptedWith(async (client) => {
      await say(client, 'before ');
      const answer = client.request(fs.readTextFile, {sessionId: 's', path: '/a'});
      await say(client, 'after ');
      return answer;
    }),
    {
      readTextFile: () => {
        seen = textOf(connected.updates);
        return Promise.resolve({content: ''});
      },
    },
  );
  await connected.connection.prompt('s', []);
  expect(seen).toBe('before ');
  expect(textOf(connected.updates)).toBe('before after {"content":""}');
});

test('an agent cannot say what only acp-tui says in `_meta`', async () => {
  const _meta = {
    'acp-tui/cleared': ['rawInput'],
    'acp-tui/status': 'paused',
    'acp-tui/replaces': true,
    own: 1,
  };
  const got: unknown[] = [];
  const app = promptedWith(async (client) => {
    const sessionUpdate = 'tool_call_update' as const;
    const update = {sessionUpdate, toolCallId: 'c', title: 'List files', _meta};
    await client.notify(methods.client.session.update, {sessionId: 's', update});
    const asked = {...toolCall, _meta};
    return client.request(requestPermission, {sessionId: 's', toolCall: asked, options: [...options]});
  });
  const {connection, updates} = await openSdkAgent(app, {
    async requestPermission({request}) {
      got.push(request.toolCall._meta);
      return {outcome: {outcome: 'cancelled'}};
    },
  });
  await connection.prompt('s', []);
  expect(got).toEqual([{own: 1}]);
  expect(updates[0]).toMatchObject({_meta: {own: 1}});
  expect(JSON.stringify(updates)).not.toContain('acp-tui/');
});
