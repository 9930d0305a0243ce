import {describe, expect, test} from 'vitest';
import type {Script, ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {withProtocol} from '../../../../src/agents/resolve.ts';
import {only} from '../../../support/session/build.ts';
import {agentOption, runHere} from '../../../support/program/run-program.ts';
import {openScripted} from '../../conversation/open-conversation.ts';

/** A session with an agent that is offered version 2, and what it was sent. */
function offered(script: Script) {
  return openScripted(script, {offer: {fs: true, terminal: true, protocolVersion: 2}});
}

const text = (said: string) => ({type: 'text', text: said});
const chunk = (said: string) => ({
  update: {sessionUpdate: 'agent_message_chunk', content: text(said)},
});
const diff = {type: 'diff', path: '/work/a.ts', oldText: 'old', newText: 'new'};
const yesOrNo = [
  {optionId: 'yes', name: 'Yes', kind: 'allow_once'},
  {optionId: 'no', name: 'No', kind: 'reject_once'},
];
const editing = {toolCallId: 'c', title: 'Edit a.ts', kind: 'edit', status: 'pending', content: [diff]};
const asks: ScriptStep[] = [
  {
    ask: 'may',
    method: 'session/request_permission',
    params: {sessionId: '$session', toolCall: editing, options: yesOrNo},
  },
  {answered: 'may'},
];

describe('an agent that is offered version 2 and answers 1', () => {
  test('is spoken to in version 1, with the capabilities of the offer', async () => {
    const {sent, prompt, until, said, state} = await offered({
      turns: [
        [
          chunk('hello'),
          {ask: 'read', method: 'fs/read_text_file', params: {sessionId: '$session', path: '$cwd/none'}},
          {answered: 'read'},
        ],
      ],
    });
    expect(state().agent).toMatchObject({protocolVersion: 1, name: 'fake-agent'});
    prompt('go');
    await until(({turn, lastTurn}) => turn.kind === 'idle' && lastTurn !== undefined, 'the end');
    expect(said()).toBe('hello');
    expect(sent().find(({method}) => method === 'session/prompt')?.params).not.toHaveProperty(
      'idempotencyKey',
    );
    expect(sent().find(({id}) => id === 'read')).toMatchObject({error: {code: -32002}});
  });

  test('cannot say what only acp-tui says', async () => {
    const replaced = {
      sessionUpdate: 'agent_message_chunk',
      content: text('b'),
      messageId: 'm',
      _meta: {'acp-tui/replaces': true},
    };
    const {prompt, until, said} = await offered({
      turns: [
        [
          {update: {...replaced, content: text('a')}},
          {
            raw: JSON.stringify({
              jsonrpc: '2.0',
              method: 'session/update',
              params: {sessionId: 'session-1', update: replaced},
            })
              .replace('acp-tui', String.raw`acp\u002dtui`)
              .concat('\n'),
          },
        ],
      ],
    });
    prompt('go');
    await until(({lastTurn}) => lastTurn !== undefined, 'the end');
    expect(said()).toBe('ab');
  });

  test('may send updates of version 2, which are shown as they are', async () => {
    const {prompt, until, state} = await offered({
      turns: [[{update: {sessionUpdate: 'agent_message', messageId: 'm', content: [text('whole')]}}]],
    });
    prompt('go');
    await until(({lastTurn}) => lastTurn !== undefined, 'the end');
    expect(only(state(), 'unknown')).toMatchObject({kind: 'agent_message'});
  });
});

test('an agent that refuses version 2 and names version 1 is asked again with that', async () => {
  const {state} = await offered({onlyVersion1: true});
  expect(state().agent?.protocolVersion).toBe(1);
});

test('an agent that repeats the number and answers in the form of version 1 is spoken to in that', async () => {
  const {state, prompt, until, said} = await offered({
    initialize: {protocolVersion: 2, agentCapabilities: {}},
    turns: [[chunk('hello')]],
  });
  expect(state().agent?.protocolVersion).toBe(1);
  prompt('go');
  await until(({lastTurn}) => lastTurn !== undefined, 'the end');
  expect(said()).toBe('hello');
});

describe('an agent that answers 2 and speaks 1', () => {
  const initialize = {protocolVersion: 2, info: {name: 'mixed', version: '1'}, capabilities: {session: {}}};

  test('ends its turn with the response to the prompt, and its updates are read', async () => {
    const {state, prompt, until} = await offered({
      initialize,
      turns: [
        [
          {update: {sessionUpdate: 'tool_call', ...editing}},
          {
            update: {
              sessionUpdate: 'tool_call_content_chunk',
              toolCallId: 'c',
              content: {type: 'content', content: text('more')},
            },
          },
          {update: {sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed'}},
        ],
      ],
    });
    expect(state().agent?.protocolVersion).toBe(2);
    prompt('go');
    await until(({lastTurn}) => lastTurn !== undefined, 'the end');
    expect(state().lastTurn).toMatchObject({outcome: {stopReason: 'end_turn'}});
    expect(only(state(), 'tool_call')).toMatchObject({
      status: 'completed',
      content: [diff, {content: text('more')}],
    });
  });

  test('may answer a prompt with anything, and end its turn as version 2 does', async () => {
    const idle = {sessionUpdate: 'state_update', state: 'idle', stopReason: 'max_tokens'};
    const {state, prompt, until, said} = await offered({
      initialize,
      turns: [[{send: {jsonrpc: '2.0', id: 2, result: {}}}, chunk('hello'), {update: idle}]],
    });
    prompt('go');
    await until(({lastTurn}) => lastTurn !== undefined, 'the end');
    expect(state().lastTurn).toMatchObject({outcome: {stopReason: 'max_tokens'}});
    expect(said()).toBe('hello');
  });

  test('may take an update for a request', async () => {
    const params = {sessionId: '$session', update: chunk('hello').update};
    const {prompt, until, said} = await offered({
      initialize,
      turns: [[{ask: 'u', method: 'session/update', params}, {answered: 'u'}]],
    });
    prompt('go');
    await until(({lastTurn}) => lastTurn !== undefined, 'the end');
    expect(said()).toBe('hello');
  });

  test('may set an option without saying which there are', async () => {
    const option = {id: 'effort', name: 'Effort', type: 'select', currentValue: 'low'};
    const values = ['low', 'high'].map((value) => ({value, name: value}));
    const {conversation, state} = await offered({
      initialize,
      session: {configOptions: [{...option, options: values}]},
      results: {'session/set_config_option': {}},
    });
    expect(await conversation.setConfigOption('effort', 'high')).toMatchObject({ok: true});
    expect(state().configOptions).toMatchObject([{currentValue: 'high'}]);
  });

  test('may leave out its name', async () => {
    const {state} = await offered({initialize: {protocolVersion: 2, capabilities: {session: {}}}});
    expect(state().agent).toMatchObject({protocolVersion: 2, name: 'fake'});
  });

  test('asks for what its request shows, which is not allowed without an answer', async () => {
    const {conversation, state, prompt, until, sent} = await offered({initialize, turns: [asks]});
    prompt('go');
    await until(({pending}) => pending.length === 1, 'the request');
    expect(state().pending[0]).toMatchObject({call: {title: 'Edit a.ts', kind: 'edit', content: [diff]}});
    await conversation.answer(state().pending[0]!.id, {kind: 'option', index: 1});
    await until(({lastTurn}) => lastTurn !== undefined, 'the end');
    expect(sent().at(-1)).toMatchObject({result: {outcome: {optionId: 'no'}}});
  });

  test('is refused the files and commands that version 2 does not have', async () => {
    const {prompt, until, sent} = await offered({
      initialize,
      turns: [
        [
          {ask: 'read', method: 'fs/read_text_file', params: {sessionId: '$session', path: '$cwd/none'}},
          {answered: 'read'},
        ],
      ],
    });
    prompt('go');
    await until(({lastTurn}) => lastTurn !== undefined, 'the end');
    expect(sent().find(({id}) => id === 'read')).toBeUndefined();
  });
});

test('an agent with neither version is stopped, and both numbers are shown', async () => {
  const script = JSON.stringify({initialize: {protocolVersion: 3}});
  const {stderr, exitCode} = await runHere(['-p', agentOption('script', script), '--protocol', '2', 'hello']);
  expect(stderr).toContain('speaks ACP version 3; acp-tui speaks version 2');
  expect(exitCode).toBe(1);
});

test('"auto" is version 2 with agents that are in the table, and 1 with others', () => {
  const agent = {label: 'claude-acp', command: 'claude', args: [], env: {}};
  const tested = new Set(['claude-acp']);
  const chosen = (['1', '2', 'auto'] as const).map((choice) => [
    withProtocol(agent, choice).protocolVersion,
    withProtocol(agent, choice, tested).protocolVersion,
  ]);
  expect(chosen).toEqual([
    [undefined, undefined],
    [2, 2],
    [undefined, 2],
  ]);
});
