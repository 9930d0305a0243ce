import {methods} from '@agentclientprotocol/sdk/experimental/v2';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {mergeToolCall} from '../../../src/host/permissions/tool-call-facts.ts';
import type {PendingPermission} from '../../../src/session/state.ts';
import {ruleOf} from '../../../src/session/requests/permission-rules.ts';
import {only} from '../../support/session/build.ts';
import {noPermissions} from '../conversation/conversation-defaults.ts';
import {openScripted} from '../conversation/open-conversation.ts';
import {openVersion2, text} from './connect-version-2.ts';

describe('a permission request of version 2', () => {
  const options = [{optionId: 'yes', name: 'Yes', kind: 'allow_once'}] as const;

  test.each<[asked: object, toolCall: object]>([
    [
      {
        title: 'Sure?',
        description: 'It writes.',
        subject: {type: 'tool_call', toolCall: {toolCallId: 'c', title: 'Write a'}},
      },
      {toolCallId: 'c', title: 'Write a', content: [{content: text('Sure?')}, {content: text('It writes.')}]},
    ],
    [
      {title: 'Run?', subject: {type: 'command', command: 'make', cwd: '/w'}},
      {title: 'Run?', kind: 'execute', rawInput: {command: 'make', cwd: '/w'}},
    ],
    [
      {title: 'May I?', subject: {type: '_moon', phase: 'full'}},
      {title: 'May I?', rawInput: {phase: 'full'}},
    ],
    [{title: 'May I?'}, {title: 'May I?', kind: 'other'}],
  ])('%j is shown, and its answer is sent back', async (asked, toolCall) => {
    let got: unknown;
    const {prompt} = await openVersion2(
      async ({client, sessionId}) => {
        got = await client.request(methods.client.session.requestPermission, {
          sessionId,
          options: [...options],
          ...(asked as {title: string}),
        });
      },
      {
        requestPermission: async ({request}) => {
          expect(request).toMatchObject({toolCall, options});
          return {outcome: {outcome: 'selected', optionId: 'yes'}};
        },
      },
    );
    expect(await prompt('go')).toMatchObject({ok: true});
    expect(got).toEqual({outcome: {outcome: 'selected', optionId: 'yes'}});
  });

  test('shows what its call has shown, also if the agent was idle since', async () => {
    const shown: unknown[] = [];
    let turns = 0;
    const {prompt} = await openVersion2(
      async ({client, sessionId, say}) => {
        const toolCall = {toolCallId: 'c', title: 'Clean up'};
        const content = [{type: 'diff' as const, changes: [{operation: 'delete', path: '/w/a'} as const]}];
        if (++turns === 1)
          return say({sessionUpdate: 'tool_call_update', ...toolCall, status: 'in_progress', content});
        const asked = {title: 'Sure?', description: 'It cleans up.', options: [...options]};
        const subject = {type: 'tool_call' as const, toolCall: {toolCallId: 'c'}};
        await client.request(methods.client.session.requestPermission, {sessionId, ...asked, subject});
      },
      {
        requestPermission: async ({request}) => {
          shown.push(request.toolCall.content);
          return {outcome: {outcome: 'cancelled'}};
        },
      },
    );
    await prompt('go');
    await prompt('go on');
    const deleted = {content: text('Deleted /w/a'), _meta: {change: {does: 'delete', path: '/w/a'}}};
    expect(shown).toMatchObject([[{content: text('Sure?')}, {content: text('It cleans up.')}, deleted]]);
  });

  test.each<[name: string, inRequest: boolean]>([
    ['that it has', true],
    ['that its tool call has', false],
  ])('shows its description beside the content %s', async (_, inRequest) => {
    const change = {operation: 'delete', path: '/w/a'} as const;
    const content = [{type: 'diff' as const, changes: [change]}];
    const toolCall = {toolCallId: 'c', title: 'Clean up'};
    const shown: unknown[] = [];
    const {prompt} = await openVersion2(
      async ({client, sessionId, say}) => {
        await say({sessionUpdate: 'tool_call_update', ...toolCall, content});
        await client.request(methods.client.session.requestPermission, {
          sessionId,
          title: 'Clean up',
          description: 'It is old.',
          subject: {type: 'tool_call', toolCall: {...toolCall, ...(inRequest && {content})}},
          options: [...options],
        });
      },
      {
        requestPermission: async ({request}) => {
          shown.push(request.toolCall.content);
          return {outcome: {outcome: 'selected', optionId: 'yes'}};
        },
      },
    );
    await prompt('go');
    const deleted = {content: text('Deleted /w/a'), _meta: {change: {does: 'delete', path: '/w/a'}}};
    expect(shown).toMatchObject([[{content: text('It is old.')}, deleted]]);
  });

  test.each([
    ['yes', 'completed'],
    ['no', 'failed'],
  ])('without a tool call of the agent has one that ends with the answer: %s', async (optionId, status) => {
    const no = {optionId: 'no', name: 'No', kind: 'reject_once'} as const;
    const asked: unknown[] = [];
    const {prompt, updates} = await openVersion2(
      async ({client, sessionId}) => {
        const request = {sessionId, title: 'May I?', options: [...options, no]};
        await client.request(methods.client.session.requestPermission, request);
      },
      {
        requestPermission: async ({request}) => {
          asked.push(request.toolCall.toolCallId);
          return {outcome: {outcome: 'selected', optionId}};
        },
      },
    );
    await prompt('go');
    const ended = updates.filter(({sessionUpdate}) => sessionUpdate === 'tool_call_update');
    expect(ended).toMatchObject([{toolCallId: asked[0], status}]);
  });

  test('shows nothing of what its tool call clears', async () => {
    const shown: acp.RequestPermissionRequest[] = [];
    const {prompt} = await openVersion2(
      async ({client, sessionId}) => {
        await client.request(methods.client.session.requestPermission, {
          sessionId,
          title: 'Clean up',
          subject: {type: 'tool_call', toolCall: {toolCallId: 'c', rawInput: null}},
          options: [...options],
        });
      },
      {
        requestPermission: async ({request}) => {
          shown.push(request);
          return {outcome: {outcome: 'selected', optionId: 'yes'}};
        },
      },
    );
    await prompt('go');
    const known = {title: 'Run it', rawInput: {command: 'rm -rf build'}};
    expect(mergeToolCall(shown[0]!.toolCall, known)).toMatchObject({title: 'Clean up', rawInput: undefined});
  });

  test('is withdrawn with its request', async () => {
    let withdrawn = false;
    const {prompt, updates} = await openVersion2(
      async ({client, sessionId}) => {
        const withdrawal = new AbortController();
        const asked = client.request(
          methods.client.session.requestPermission,
          {sessionId, title: 'x', options: [...options]},
          {cancellationSignal: withdrawal.signal},
        );
        withdrawal.abort();
        await asked.catch(() => {});
      },
      {
        requestPermission: (_, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              withdrawn = true;
              reject(new Error('withdrawn'));
            });
          }),
      },
    );
    expect(await prompt('go')).toMatchObject({ok: true});
    expect(withdrawn).toBe(true);
    const ofCalls = () => updates.filter(({sessionUpdate}) => sessionUpdate === 'tool_call_update');
    await expect.poll(ofCalls).toMatchObject([{status: 'failed'}]);
  });
});

describe('what a permission request of version 2 says', () => {
  const diff = {type: 'diff', path: '/work/a.ts', oldText: 'old', newText: 'new'};
  const editing = {toolCallId: 'c', title: 'Edit a.ts', kind: 'edit', status: 'in_progress'};

  const [ofCall, ofCommand] = [
    {type: 'tool_call', toolCall: {toolCallId: 'c'}},
    {type: 'command', command: 'make', cwd: '/w', toolCallId: 'c'},
  ];

  test.each<[name: string, subject: object, words: readonly string[]]>([
    ['about its call', ofCall, ['Run it?', 'As planned.']],
    ['about a command of its call', ofCommand, ['Run it?']],
  ])('%s is shown beside what the call shows, and not part of that', async (_, subject, words) => {
    const [title, description] = words;
    const {conversation, state, prompt, until} = await openScripted(
      {
        initialize: {protocolVersion: 2, info: {name: 'v2', version: '1'}, capabilities: {session: {}}},
        turns: [
          [
            {update: {sessionUpdate: 'tool_call_update', ...editing, content: [diff]}},
            {
              ask: 'may',
              method: 'session/request_permission',
              params: {
                sessionId: '$session',
                title,
                description,
                subject,
                options: [{optionId: 'yes', name: 'Yes', kind: 'allow_once'}],
              },
            },
            {update: {sessionUpdate: 'tool_call_update', ...editing, status: 'pending', content: [diff]}},
            {answered: 'may'},
          ],
        ],
      },
      {offer: {fs: true, terminal: true, protocolVersion: 2}},
    );
    prompt('go');
    await until(({pending}) => pending.length === 1, 'the request');
    await until((session) => only(session, 'tool_call').status === 'pending', 'the repeated content');
    const request = state().pending[0] as PendingPermission;
    expect(request.call.content).toMatchObject([...words.map((said) => ({content: text(said)})), diff]);
    expect(only(state(), 'tool_call')).toMatchObject({title: 'Edit a.ts', content: [diff]});
    await conversation.answer(request.id, {kind: 'option', index: 0});
    await until(({lastTurn}) => lastTurn !== undefined, 'the end');
    expect(only(state(), 'tool_call')).toMatchObject({title: 'Edit a.ts', content: [diff]});
  });
});

describe('a request of version 2 is decided by what the updates of its call have said', () => {
  const call = {toolCallId: 'c', title: 'Tidy up', kind: 'edit', status: 'in_progress'};
  const changes = (operation: string, path: string) => ({type: 'diff', changes: [{operation, path}]});
  const hidden = changes('delete', '$cwd/.env');
  const reports = (content: object[]) => ({update: {sessionUpdate: 'tool_call_update', ...call, content}});
  const adds = {update: {sessionUpdate: 'tool_call_content_chunk', toolCallId: 'c', content: hidden}};
  const asks = {
    ask: 'may',
    method: 'session/request_permission',
    params: {
      sessionId: '$session',
      title: 'Tidy up',
      subject: {type: 'tool_call', toolCall: {toolCallId: 'c'}},
      options: [
        {optionId: 'yes', name: 'Yes', kind: 'allow_once'},
        {optionId: 'no', name: 'No', kind: 'reject_once'},
      ],
    },
  };
  const harmless = changes('modify', '$cwd/a');

  test.each([
    ['in its content', [reports([hidden]), asks]],
    ['in a chunk', [reports([harmless]), adds, asks]],
    ['in a chunk while it waits', [reports([harmless]), asks, adds]],
  ])('%s', async (_, steps) => {
    const {prompt, until} = await openScripted(
      {
        initialize: {protocolVersion: 2, info: {name: 'v2', version: '1'}, capabilities: {session: {}}},
        turns: [[...steps, {answered: 'may'}]],
      },
      {
        offer: {fs: true, terminal: true, protocolVersion: 2},
        permissions: {...noPermissions, rules: () => [ruleOf('deny', 'any .env*', 'user')!]},
      },
    );
    prompt('go');
    const ended = await until(({lastTurn}) => lastTurn !== undefined, 'the end');
    expect(only(ended, 'tool_call').permission).toEqual({
      outcome: 'rejected',
      option: 'No',
      by: 'rule: any .env* (user)',
    });
  });
});
