import {realpathSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {idle, openScripted} from '../open-conversation.ts';
import {run, terminal} from '../steps.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

function anotherFolder(): string {
  const folder = realpathSync(temporaryFolder());
  return folder;
}

const chunk = (text: string) => ({
  sessionUpdate: 'agent_message_chunk',
  content: {type: 'text', text},
});

describe('session/new', () => {
  test('sends the absolute working folder and no MCP servers', async () => {
    const {sent, cwd} = await openScripted({});
    expect(sent()[1]).toEqual({jsonrpc: '2.0', id: 1, method: 'session/new', params: {cwd, mcpServers: []}});
  });

  test.each([{}, {sessionCapabilities: {additionalDirectories: null}}, {sessionCapabilities: null}])(
    'sends no additional directories to an agent with %j, and reports it',
    async (agentCapabilities) => {
      const additionalDirectories = [anotherFolder()];
      const {sent, state} = await openScripted({initialize: {agentCapabilities}}, {additionalDirectories});
      expect(sent()[1]?.params).not.toHaveProperty('additionalDirectories');
      expect(state().additionalDirectories).toEqual([]);
      expect(state().entries).toContainEqual(
        expect.objectContaining({
          type: 'notice',
          level: 'warning',
          text: expect.stringContaining(additionalDirectories[0] ?? ''),
        }),
      );
    },
  );

  test('sends them as absolute paths to one that supports them, and serves files there', async () => {
    const folder = anotherFolder();
    const path = join(folder, 'a.txt');
    writeFileSync(path, 'over there');
    const {sent, answerTo} = await openScripted(
      {
        initialize: {agentCapabilities: {sessionCapabilities: {additionalDirectories: {}}}},
        opened: [{ask: 'read', method: 'fs/read_text_file', params: {sessionId: '$session', path}}],
      },
      {additionalDirectories: [folder]},
    );
    expect(sent()[1]?.params).toMatchObject({additionalDirectories: [folder]});
    expect(await answerTo('read')).toMatchObject({result: {content: 'over there'}});
  });

  test('may be answered after the first updates of its session', async () => {
    const {until, said} = await openScripted({opening: [{update: chunk('welcome')}]});
    await until(() => said() !== '', 'what came early');
    expect(said()).toBe('welcome');
  });

  test('may return modes and config options: the options win', async () => {
    const {conversation, sent} = await openScripted({
      session: {
        modes: {
          currentModeId: 'a',
          availableModes: [
            {id: 'a', name: 'A'},
            {id: 'b', name: 'B'},
          ],
        },
        configOptions: [
          {
            id: 'manner',
            name: 'Manner',
            category: 'mode',
            type: 'select',
            currentValue: 'x',
            options: [
              {value: 'x', name: 'X'},
              {value: 'y', name: 'Y'},
            ],
          },
        ],
      },
      results: {'session/set_config_option': {configOptions: []}},
    });
    expect(await conversation.setMode('b')).toMatchObject({ok: false, failure: {kind: 'unknown_value'}});
    await conversation.setMode('y');
    expect(sent().at(-1)).toMatchObject({
      method: 'session/set_config_option',
      params: {configId: 'manner', value: 'y'},
    });
  });

  test('with modes and an empty list of options has modes', async () => {
    const modes = {currentModeId: 'a', availableModes: ['a', 'b'].map((id) => ({id, name: id}))};
    const {conversation, sent} = await openScripted({session: {modes, configOptions: []}});
    expect(await conversation.setMode('b')).toEqual({ok: true, value: undefined});
    expect(sent().at(-1)).toMatchObject({
      method: 'session/set_mode',
      params: {sessionId: 'session-1', modeId: 'b'},
    });
  });

  test('leaves out config options of an unknown type and keeps the order of the others', async () => {
    const select = (id: string) => ({
      id,
      name: id,
      category: `_${id}`,
      type: 'select',
      currentValue: '1',
      options: [{value: '1', name: 'One'}],
    });
    const {state} = await openScripted({
      session: {
        configOptions: [select('b'), {id: 'dial', name: 'Dial', type: 'dial', currentValue: 7}, select('a')],
      },
    });
    expect(state().connection.kind).toBe('ready');
    expect(state().configOptions?.map(({id}) => id)).toEqual(['b', 'a']);
  });

  test('a boolean is set with its type, a choice with its value', async () => {
    const configOptions = [{id: 'web', name: 'Web', type: 'boolean', currentValue: false}];
    const {conversation, sent} = await openScripted({
      session: {configOptions},
      results: {'session/set_config_option': {configOptions}},
    });
    await conversation.setConfigOption('web', true);
    expect(sent().at(-1)?.params).toEqual({
      sessionId: 'session-1',
      configId: 'web',
      type: 'boolean',
      value: true,
    });
  });
});

describe('a second session', () => {
  test('has the same folder, gets its own prompts, and no updates of the first', async () => {
    const late = {jsonrpc: '2.0', method: 'session/update'};
    const {conversation, sent, prompt, until, said, log} = await openScripted({
      turns: [
        [
          {send: {...late, params: {sessionId: 'session-1', update: chunk('from the first')}}},
          {update: chunk('from the second')},
        ],
      ],
    });
    await conversation.openSession({kind: 'new'});
    expect(sent()[2]).toMatchObject({method: 'session/new', params: sent()[1]?.params});
    prompt('go');
    await until(idle, 'the end');
    expect(sent()[3]).toMatchObject({method: 'session/prompt', params: {sessionId: 'session-2'}});
    expect(said()).toBe('from the second');
    expect(log).toContainEqual(expect.stringContaining('session-1, which is not open'));
  });

  test('ends the turn, requests and commands of the first', async () => {
    const ask = {sessionId: '$session', toolCall: {toolCallId: 't', title: 'T'}, options: []};
    const {conversation, sent, prompt, until, answerTo, state} = await openScripted(
      {
        turns: [
          [
            ...run,
            {ask: 'wait', method: 'terminal/wait_for_exit', params: terminal},
            {ask: 'permission', method: 'session/request_permission', params: ask},
            {received: 'nothing'},
          ],
        ],
      },
      {approval: 'all'},
    );
    prompt('go');
    await until(({pending}) => pending.length === 1, 'the question');
    await conversation.openSession({kind: 'new'});
    expect(sent()).toContainEqual({
      jsonrpc: '2.0',
      method: 'session/cancel',
      params: {sessionId: 'session-1'},
    });
    expect(await answerTo('permission')).toMatchObject({result: {outcome: {outcome: 'cancelled'}}});
    expect(await answerTo('wait')).toMatchObject({error: {code: -32_800}});
    expect(state()).toMatchObject({turn: {kind: 'idle'}, pending: [], sessionId: 'session-2'});
  });

  test('also ends a request that came outside of a turn', async () => {
    const {conversation, until, answerTo} = await openScripted({
      opened: [
        {
          ask: 'permission',
          method: 'session/request_permission',
          params: {
            sessionId: '$session',
            toolCall: {toolCallId: 't', title: 'T'},
            options: [{optionId: 'y', name: 'Y', kind: 'allow_once'}],
          },
        },
      ],
    });
    await until(({pending}) => pending.length === 1, 'the question');
    await conversation.openSession({kind: 'new'});
    expect(await answerTo('permission')).toMatchObject({result: {outcome: {outcome: 'cancelled'}}});
  });
});
