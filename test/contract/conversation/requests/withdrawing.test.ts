import {describe, expect, test} from 'vitest';
import {idle, openScripted} from '../open-conversation.ts';
import {permission, run, terminal, withdraw} from '../steps.ts';

describe('$/cancel_request from the agent', () => {
  test.each(['text', 7, 0])('with the ID %j withdraws only that request', async (id) => {
    const {conversation, prompt, until, answerTo} = await openScripted({
      turns: [[permission(id), permission('other'), withdraw(id), {answered: id}, {answered: 'other'}]],
    });
    prompt('go');
    expect(await answerTo(id)).toMatchObject({error: {code: -32_800}});
    const {pending} = await until((state) => state.pending.length === 1, 'one question less');
    void conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 1});
    expect(await answerTo('other')).toMatchObject({
      result: {outcome: {outcome: 'selected', optionId: 'no'}},
    });
  });

  test('withdraws a wait for a command, which keeps running', async () => {
    const {prompt, answerTo} = await openScripted(
      {
        turns: [
          [
            ...run,
            {ask: 'wait', method: 'terminal/wait_for_exit', params: terminal},
            withdraw('wait'),
            {answered: 'wait'},
            {ask: 'output', method: 'terminal/output', params: terminal},
          ],
        ],
      },
      {approval: 'all'},
    );
    prompt('go');
    expect(await answerTo('wait')).toMatchObject({error: {code: -32_800}});
    const output = await answerTo('output');
    expect(output.result).not.toHaveProperty('exitStatus');
  });

  test('withdraws a write that waits for the user, and writes nothing', async () => {
    const {prompt, until, answerTo} = await openScripted({
      turns: [
        [
          {
            ask: 'write',
            method: 'fs/write_text_file',
            params: {sessionId: '$session', path: '$cwd/a.txt', content: 'x'},
          },
          {update: {sessionUpdate: 'session_info_update', title: 'asked'}},
          withdraw('write'),
          {answered: 'write'},
          {ask: 'read', method: 'fs/read_text_file', params: {sessionId: '$session', path: '$cwd/a.txt'}},
          {answered: 'read'},
        ],
      ],
    });
    prompt('go');
    expect(await answerTo('write')).toMatchObject({error: {code: -32_800}});
    expect(await answerTo('read')).toMatchObject({error: {code: -32_002}});
    expect((await until(idle, 'the end')).pending).toEqual([]);
  });

  test('for a finished or unknown request changes nothing', async () => {
    const {prompt, until, sent} = await openScripted({
      turns: [
        [
          {ask: 'read', method: 'fs/read_text_file', params: {sessionId: '$session', path: '$cwd/none'}},
          {answered: 'read'},
          withdraw('read'),
          withdraw('nobody'),
          {send: {jsonrpc: '2.0', method: '$/cancel_request', params: {}}},
        ],
      ],
    });
    prompt('go');
    const {lastTurn} = await until(idle, 'the end');
    expect(lastTurn?.outcome).toMatchObject({stopReason: 'end_turn'});
    expect(sent().filter(({method, id}) => method === undefined && id === 'read')).toHaveLength(1);
    expect(sent().filter((message) => 'error' in message && message.id !== 'read')).toEqual([]);
  });
});

describe('closing the session', () => {
  test("answers waiting requests before it closes the agent's input", async () => {
    const {conversation, prompt, until, sent} = await openScripted(
      {
        turns: [
          [
            ...run,
            {ask: 'wait', method: 'terminal/wait_for_exit', params: terminal},
            permission('permission'),
            {received: 'nothing'},
          ],
        ],
      },
      {approval: 'reads'},
    );
    prompt('go');
    const {pending} = await until((state) => state.pending.length === 1, 'the command to be asked about');
    void conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 0});
    await until((state) => state.pending.length === 1 && state.pending[0] !== pending[0], 'the question');
    await conversation.close();
    expect(sent().find(({id}) => id === 'permission')).toMatchObject({
      result: {outcome: {outcome: 'cancelled'}},
    });
    expect(sent().find(({id}) => id === 'wait')).toMatchObject({error: {code: -32_800}});
  });
});
