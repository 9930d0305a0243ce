import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {subagentAsker} from '../../../../src/session/subagents/names.ts';
import {subagentEntry} from '../../../../src/session/subagents/tree.ts';
import {noPermissions} from '../conversation-defaults.ts';
import {idle, openScripted} from '../open-conversation.ts';
import {edit, permissionOf, running, subagent, update} from './subagent-steps.ts';

describe('a request of a subagent', () => {
  test('for permission is shown in its name, with its tool call in its own transcript', async () => {
    const {conversation, prompt, until, answerTo} = await openScripted({
      initialize: {agentInfo: {name: 'claude', title: 'Claude', version: '1'}},
      turns: [
        [
          subagent('child', {title: 'Reviewer', ...running}),
          update({sessionUpdate: 'tool_call', toolCallId: 'call-1', title: 'Of the parent'}),
          permissionOf('child', edit('$cwd/a')),
          {answered: 'may'},
        ],
      ],
    });
    prompt('go');
    const asking = await until(({pending}) => pending.length === 1, 'the question');
    const [request] = asking.pending;
    expect(request).toMatchObject({kind: 'permission', subagent: 'child'});
    expect(subagentAsker(asking, 'child')).toBe('Reviewer, a subagent of Claude');
    void conversation.answer(request!.id, {kind: 'option', index: 0});
    expect(await answerTo('may')).toMatchObject({result: {outcome: {optionId: 'yes'}}});
    const state = await until(idle, 'the end');
    expect(state.subagents['child']?.session.entries.slice()).toMatchObject([
      {toolCallId: 'call-1', title: 'Edit it', permission: {outcome: 'allowed'}},
    ]);
    expect(state.entries.find((entry) => entry.type === 'tool_call')).toMatchObject({
      title: 'Of the parent',
      permission: undefined,
    });
  });

  test('follows the rules and the level of its parent, and is logged with the parent under its name', async () => {
    const decisions: unknown[] = [];
    const {prompt, answerTo, state} = await openScripted(
      {
        turns: [
          [
            subagent('child', {title: 'Reviewer', ...running}),
            permissionOf('child', edit('$cwd/a')),
            {answered: 'may'},
          ],
        ],
      },
      {
        approval: 'edits',
        permissions: {...noPermissions, decided: (decision) => void decisions.push(decision)},
      },
    );
    prompt('go');
    expect(await answerTo('may')).toMatchObject({result: {outcome: {optionId: 'yes'}}});
    expect(decisions).toMatchObject([
      {sessionId: state().sessionId, subagent: 'Reviewer', outcome: 'allowed', by: '--approve edits'},
    ]);
  });

  test('for files is served inside the workspace of its parent and rejected outside', async () => {
    const write = (ask: string, path: string): ScriptStep => ({
      ask,
      method: 'fs/write_text_file',
      params: {sessionId: 'child', path, content: 'by a child\n'},
    });
    const {prompt, answerTo, cwd, until} = await openScripted(
      {
        turns: [
          [
            subagent('child', running),
            write('in', '$cwd/a.txt'),
            {answered: 'in'},
            write('out', '/elsewhere/a.txt'),
            {answered: 'out'},
          ],
        ],
      },
      {approval: 'edits'},
    );
    prompt('go');
    expect(await answerTo('out')).toMatchObject({error: {code: -32_602}});
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('by a child\n');
    const state = await until(idle, 'the end');
    // What it did without a request is in its own transcript.
    expect(state.entries.some(({type}) => type === 'tool_call')).toBe(false);
    expect(state.subagents['child']?.session.entries.slice()).toMatchObject([
      {type: 'tool_call', title: 'Write a.txt', permission: {by: '--approve edits'}},
    ]);
  });

  test('is shown with paths relative to its own folder', async () => {
    const {prompt, until, cwd} = await openScripted({
      turns: [
        [
          subagent('child', {...running, cwd: '$cwd/sub'}),
          update({sessionUpdate: 'tool_call', ...edit('told.txt'), toolCallId: 'told'}, 'child'),
          permissionOf('child', edit('a.txt')),
        ],
      ],
    });
    prompt('go');
    const {pending, subagents} = await until(({pending}) => pending.length > 0, 'the request');
    expect(pending).toMatchObject([{call: {content: [{path: join(cwd, 'sub/a.txt')}]}}]);
    const [reported] = subagents['child']!.session.entries.slice();
    expect(reported).toMatchObject({content: [{path: join(cwd, 'sub/told.txt')}]});
  });

  test('for a command runs in its own folder by default', async () => {
    const {prompt, answerTo, until, cwd} = await openScripted(
      {
        turns: [
          [
            subagent('child', {...running, cwd: '$cwd/sub'}),
            {
              ask: 'made',
              method: 'fs/write_text_file',
              params: {sessionId: 'child', path: '$cwd/sub/x', content: ''},
            },
            {answered: 'made'},
            {ask: 'run', method: 'terminal/create', params: {sessionId: 'child', command: 'pwd > here'}},
            {answered: 'run'},
            {
              ask: 'ended',
              method: 'terminal/wait_for_exit',
              params: {sessionId: 'child', terminalId: '$run.terminalId'},
            },
            {answered: 'ended'},
          ],
        ],
      },
      {approval: 'all'},
    );
    prompt('go');
    expect(await answerTo('ended')).toMatchObject({result: {exitCode: 0}});
    await until(idle, 'the end');
    expect(existsSync(join(cwd, 'sub', 'here'))).toBe(true);
  });

  test.each([
    ['writes a protected file there', '$cwd/.git/hooks', 'echo x > pre-commit'],
    ['has a folder outside those of its session', '/', 'echo x'],
  ])('to run a command that %s is not allowed by --approve all', async (_, cwd, command) => {
    const opened = await openScripted(
      {
        turns: [
          [
            subagent('child', {...running, cwd}),
            permissionOf('child', {toolCallId: 'run', title: command, kind: 'execute', rawInput: {command}}),
            {answered: 'may'},
          ],
        ],
      },
      {approval: 'all'},
    );
    const {conversation, prompt, until, answerTo} = opened;
    prompt('go');
    const {pending} = await until((state) => state.pending.length === 1 || idle(state), 'the question');
    const folder = cwd.replace('$cwd', opened.cwd);
    expect(pending).toMatchObject([
      {call: {content: [{type: 'content', content: {type: 'text', text: `in ${folder}`}}]}},
    ]);
    void conversation.answer(pending[0]!.id, {kind: 'option', index: 1});
    expect(await answerTo('may')).toMatchObject({result: {outcome: {optionId: 'no'}}});
  });

  test('with a form is shown in its name, with the answer in its own transcript', async () => {
    const {conversation, prompt, until, answerTo} = await openScripted({
      turns: [
        [
          subagent('child', {title: 'Reviewer', ...running}),
          {
            ask: 'form',
            method: 'elicitation/create',
            params: {
              sessionId: 'child',
              mode: 'form',
              message: 'Which branch?',
              requestedSchema: {type: 'object', properties: {branch: {type: 'string'}}},
            },
          },
          {answered: 'form'},
        ],
      ],
    });
    prompt('go');
    const {pending} = await until((state) => state.pending.length === 1, 'the form');
    expect(pending).toMatchObject([{kind: 'form', subagent: 'child'}]);
    void conversation.answer(pending[0]!.id, {kind: 'declined'});
    expect(await answerTo('form')).toMatchObject({result: {action: 'decline'}});
    const state = await until(idle, 'the end');
    expect(state.entries.some(({type}) => type === 'elicitation')).toBe(false);
    expect(state.subagents['child']?.session.entries.slice()).toMatchObject([
      {
        type: 'elicitation',
        message: 'Which branch?',
        asker: 'Reviewer, a subagent of Fake agent',
        outcome: 'declined',
      },
    ]);
  });

  test('that was not announced is rejected and logged', async () => {
    const {prompt, answerTo, log} = await openScripted({
      turns: [[permissionOf('stranger', edit('$cwd/a')), {answered: 'may'}]],
    });
    prompt('go');
    expect(await answerTo('may')).toMatchObject({error: {code: -32_002}});
    expect(log).toContain('Refused a request of stranger, which is not open');
  });

  test('may have the ID of a waiting call of its parent, and changes only its own', async () => {
    const {prompt, until} = await openScripted({
      turns: [
        [
          subagent('child', running),
          {...permissionOf('child', edit('$cwd/a')), ask: 'of child'},
          permissionOf('$session', edit('$cwd/b')),
          update({...edit('$cwd/c'), sessionUpdate: 'tool_call_update', title: 'Changed'}, 'child'),
          {answered: 'may'},
        ],
      ],
    });
    prompt('go');
    const {pending} = await until(
      ({pending}) => pending.length === 2 && JSON.stringify(pending).includes('Changed'),
      'both questions',
    );
    expect(pending.find((request) => request.subagent === 'child')).toMatchObject({call: {title: 'Changed'}});
    expect(pending.find((request) => request.subagent === undefined)).toMatchObject({
      call: {title: 'Edit it'},
      changes: 0,
    });
  });
});

describe('cancelling a subagent', () => {
  const cancelled = (state: SessionState) => subagentEntry(state, 'child')?.stopReason === 'cancelled';
  const waiting: readonly ScriptStep[] = [
    permissionOf('child', edit('$cwd/a')),
    {received: 'session/cancel'},
    subagent('child', {state: {state: 'idle', stopReason: 'cancelled'}}),
  ];

  test('is sent to its session, answers its requests, and leaves its parent working', async () => {
    const {conversation, prompt, until, answerTo, sent} = await openScripted({
      turns: [[subagent('child', {...running, capabilities: {cancel: {}}}), ...waiting, {cancelled: true}]],
    });
    prompt('go');
    await until(({pending}) => pending.length === 1, 'the question');
    conversation.cancelSubagent('child');
    expect(await answerTo('may')).toMatchObject({result: {outcome: {outcome: 'cancelled'}}});
    const state = await until(cancelled, 'its end');
    expect(sent().filter(({method}) => method === 'session/cancel')).toMatchObject([
      {params: {sessionId: 'child'}},
    ]);
    expect(state.turn.kind).toBe('running');
    expect(state.subagents['child']?.session.entries.slice()).toMatchObject([{status: 'cancelled'}]);
  });

  test.each<[string, acp.SubagentSessionCapabilities | null | undefined]>([
    ['which was never advertised', undefined],
    ['which was withdrawn', null],
  ])('needs its capability, %s', async (_how, capabilities) => {
    const {conversation, prompt, until, sent} = await openScripted({
      turns: [
        [
          subagent('child', {...running, ...(capabilities === null && {capabilities: {cancel: {}}})}),
          subagent('child', {...(capabilities === null && {capabilities})}),
        ],
      ],
    });
    prompt('go');
    await until(idle, 'the end');
    conversation.cancelSubagent('child');
    prompt('again');
    await until(({lastTurn}) => lastTurn?.turn === 2, 'the second end');
    expect(sent().some(({method}) => method === 'session/cancel')).toBe(false);
  });
});
