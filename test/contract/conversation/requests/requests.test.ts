import {describe, expect, test} from 'vitest';
import {answerOf, idle, openScripted} from '../open-conversation.ts';
import {ask, permission} from '../steps.ts';

describe('a request', () => {
  test.each(['_example.com/ask', 'ask', 'session/fly', 'mcp/connect', 'session/prompt', ''])(
    'with the method "%s", which clients do not have, is answered with -32601',
    async (method) => {
      expect(await answerOf(ask(method, {}))).toMatchObject({error: {code: -32_601}});
    },
  );

  test.each([
    ['fs/read_text_file', {}],
    ['fs/read_text_file', {path: 7}],
    ['fs/write_text_file', {path: '$cwd/a'}],
    ['terminal/create', {command: ['ls']}],
    ['terminal/output', {}],
    ['session/request_permission', {options: 'yes'}],
  ])('%s with the parameters %j is answered with -32602', async (method, params) => {
    expect(await answerOf(ask(method, params))).toMatchObject({error: {code: -32_602}});
  });

  test.each([
    ['fs/read_text_file', {path: '$cwd/a'}],
    ['fs/write_text_file', {path: '$cwd/a', content: ''}],
    ['terminal/create', {command: 'true'}],
    ['terminal/output', {terminalId: 'term_1'}],
  ])('%s for an unknown session is answered with an error', async (method, params) => {
    const answer = await answerOf(ask(method, {...params, sessionId: 'session-99'}));
    expect(answer).toMatchObject({error: {code: -32_002}});
  });

  test.each([0, 7, -1, 'text', '', '0'])('with the ID %j is answered with the same ID', async (id) => {
    const {prompt, answerTo} = await openScripted({turns: [ask('_ask', {}, id)]});
    prompt('go');
    expect(await answerTo(id)).toMatchObject({jsonrpc: '2.0', id, error: {code: -32_601}});
  });
});

describe('a notification', () => {
  test.each(['_example.com/told', 'told', '$/progress', 'session/prompt', 'fs/read_text_file'])(
    'with the method "%s" is ignored and logged, and never answered',
    async (method) => {
      const {prompt, until, sent, log, state} = await openScripted({
        turns: [[{send: {jsonrpc: '2.0', method, params: {path: '/etc/passwd'}}}, ...ask('_ask', {})]],
      });
      prompt('go');
      await until(idle, 'the end');
      expect(
        sent()
          .filter((message) => message.method === undefined)
          .map(({id}) => id),
      ).toEqual(['it']);
      expect(log).toContainEqual(expect.stringContaining(method));
      expect(state().lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'end_turn'});
    },
  );
});

describe('session/request_permission', () => {
  test("is answered with the option's ID, byte for byte", async () => {
    const optionId = ' odd\u001b[31m‮ id\n';
    const options = [{optionId, name: 'Odd', kind: 'allow_once'}];
    const {conversation, prompt, until, answerTo} = await openScripted({
      turns: [ask('session/request_permission', {toolCall: {toolCallId: 't'}, options})],
    });
    prompt('go');
    const {pending} = await until((state) => state.pending.length === 1, 'the question');
    void conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 0});
    expect(await answerTo('it')).toMatchObject({result: {outcome: {outcome: 'selected', optionId}}});
  });

  test('for an unknown tool call shows it; a later update belongs to the same call', async () => {
    const {conversation, prompt, until} = await openScripted({
      turns: [
        [
          permission('it'),
          {answered: 'it'},
          {update: {sessionUpdate: 'tool_call_update', toolCallId: 'call-it', status: 'completed'}},
        ],
      ],
    });
    prompt('go');
    const {pending} = await until((state) => state.pending.length === 1, 'the question');
    void conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 0});
    const {entries} = await until(idle, 'the end');
    expect(entries.filter(({type}) => type === 'tool_call')).toMatchObject([
      {toolCallId: 'call-it', title: 'Delete it', kind: 'delete', status: 'completed'},
    ]);
  });

  test('is queued behind others, and each gets its own answer', async () => {
    const ids = ['a', 'b', 'c'];
    const {conversation, prompt, until, answerTo} = await openScripted({
      turns: [[...ids.map((id) => permission(id)), ...ids.map((answered) => ({answered}))]],
    });
    prompt('go');
    const {pending} = await until((state) => state.pending.length === 3, 'all questions');
    for (const [index, {id}] of [...pending.entries()].toReversed())
      void conversation.answer(id, {kind: 'option', index: index % 2});
    const chosen = await Promise.all(ids.map(answerTo));
    expect(chosen.map(({result}) => (result as {outcome: {optionId: string}}).outcome.optionId)).toEqual([
      'yes',
      'no',
      'yes',
    ]);
  });
});
