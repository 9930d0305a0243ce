import {describe, expect, test} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {idle, openScripted, type OpenedConversation} from '../open-conversation.ts';
import {permission} from '../steps.ts';

const status = (toolCallId: string, status: string): ScriptStep => ({
  update: {sessionUpdate: 'tool_call_update', toolCallId, status},
});
const CANCELLED: ScriptStep = {stop: {stopReason: 'cancelled'}};
const statusOf = ({state}: OpenedConversation, id: string) =>
  state().entries.find((entry) => entry.type === 'tool_call' && entry.toolCallId === id);

describe('session/cancel', () => {
  test('is a notification for the session, sent once', async () => {
    const {conversation, prompt, until, sent} = await openScripted({turns: [[{cancelled: true}, CANCELLED]]});
    prompt('go');
    conversation.cancel();
    await until(idle, 'the end');
    expect(sent().filter(({method}) => method === 'session/cancel')).toEqual([
      {jsonrpc: '2.0', method: 'session/cancel', params: {sessionId: 'session-1'}},
    ]);
  });

  test('is not sent without a turn', async () => {
    const {conversation, prompt, until, sent} = await openScripted({});
    conversation.cancel();
    prompt('go');
    await until(idle, 'the end');
    conversation.cancel();
    expect(sent().map(({method}) => method)).not.toContain('session/cancel');
  });

  test('answers every waiting and later request with "cancelled"', async () => {
    const {conversation, prompt, until, answerTo} = await openScripted({
      turns: [
        [permission('a'), permission('b'), {cancelled: true}, permission('c'), {answered: 'c'}, CANCELLED],
      ],
    });
    prompt('go');
    await until(({pending}) => pending.length === 2, 'both questions');
    conversation.cancel();
    for (const id of ['a', 'b', 'c'])
      expect(await answerTo(id)).toEqual({
        jsonrpc: '2.0',
        id,
        result: {outcome: {outcome: 'cancelled'}},
      });
    expect((await until(idle, 'the end')).pending).toEqual([]);
  });

  test('marks unfinished tool calls at once; a late end counts, a late start does not', async () => {
    const calls = ['done', 'broken', 'waiting', 'running'];
    const opened = await openScripted({
      turns: [
        [
          ...calls.map((toolCallId): ScriptStep => ({
            update: {sessionUpdate: 'tool_call', toolCallId, title: toolCallId, status: 'in_progress'},
          })),
          permission('sync'),
          {cancelled: true},
          status('done', 'completed'),
          status('broken', 'failed'),
          status('waiting', 'pending'),
          status('running', 'in_progress'),
          CANCELLED,
        ],
      ],
    });
    opened.prompt('go');
    await opened.until(({pending}) => pending.length === 1, 'all calls');
    opened.conversation.cancel();
    for (const id of calls) expect(statusOf(opened, id)).toMatchObject({status: 'cancelled'});
    await opened.until(idle, 'the end');
    expect(calls.map((id) => (statusOf(opened, id) as {status: string}).status)).toEqual([
      'completed',
      'failed',
      'cancelled',
      'cancelled',
    ]);
  });

  test.each([
    {code: -32_603, message: 'Internal error', data: 'AbortError'},
    {code: -32_800, message: 'Request cancelled'},
  ])('answered with the error $code counts as cancelled', async (fail) => {
    const {conversation, prompt, until} = await openScripted({turns: [[{cancelled: true}, {fail}]]});
    prompt('go');
    conversation.cancel();
    const {lastTurn, connection} = await until(idle, 'the end');
    expect(lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'cancelled'});
    expect(connection.kind).toBe('ready');
  });

  test('keeps commands running that the agent still waits for and releases', async () => {
    const terminal = {sessionId: '$session', terminalId: '$run.terminalId'};
    const {conversation, prompt, until, answerTo} = await openScripted(
      {
        turns: [
          [
            {
              ask: 'run',
              method: 'terminal/create',
              params: {sessionId: '$session', command: 'sh', args: ['-c', 'read x < gate; echo $x']},
            },
            {answered: 'run'},
            {ask: 'wait', method: 'terminal/wait_for_exit', params: terminal},
            {update: {sessionUpdate: 'tool_call', toolCallId: 'x', title: 'x'}},
            {cancelled: true},
            {ask: 'kill', method: 'terminal/kill', params: terminal},
            {answered: 'wait'},
            {ask: 'output', method: 'terminal/output', params: terminal},
            {ask: 'release', method: 'terminal/release', params: terminal},
            {answered: 'release'},
            CANCELLED,
          ],
        ],
      },
      {approval: 'all'},
    );
    prompt('go');
    await until(({entries}) => entries.some(({type}) => type === 'tool_call'), 'the command');
    conversation.cancel();
    expect(await answerTo('kill')).toMatchObject({result: {}});
    expect(await answerTo('wait')).toHaveProperty('result');
    expect(await answerTo('output')).toMatchObject({result: {exitStatus: {}}});
    expect(await answerTo('release')).toMatchObject({result: {}});
    await until(idle, 'the end');
  });

  test('does not affect the next prompt', async () => {
    const {conversation, prompt, until, answerTo} = await openScripted({
      turns: [
        [{cancelled: true}, CANCELLED],
        [permission('later'), {answered: 'later'}],
      ],
    });
    prompt('one');
    conversation.cancel();
    await until(idle, 'the end');
    prompt('two');
    const {pending} = await until((state) => state.pending.length === 1, 'the question');
    void conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 0});
    expect(await answerTo('later')).toMatchObject({
      result: {outcome: {outcome: 'selected', optionId: 'yes'}},
    });
  });
});
