import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, it} from 'vitest';
import {pendingRequest, toolCall} from '../../../../src/session/selectors.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {
  callUpdate,
  calls,
  reduceEvents,
  reduceUpdates,
  opened,
  prompted,
  type UntimedEvent,
} from '../../../support/session/build.ts';

const options = [{optionId: 'a', name: 'Allow', kind: 'allow_once' as const}];

const running = reduceEvents(opened, prompted('go'));

describe('a call that acp-tui asks about by itself', () => {
  const callsOf = ({entries}: SessionState) => entries.filter(({type}) => type === 'tool_call');
  const terminal = {type: 'terminal' as const, terminalId: 'term'};
  const decided = (toolCallId: string): UntimedEvent => ({
    type: 'permission_resolved',
    id: 'p',
    toolCallId,
    decision: {outcome: 'allowed', option: 'Allow', by: 'user'},
  });
  const asked = (toolCallId: string): UntimedEvent => ({
    type: 'permission_requested',
    id: 'p',
    isOfHost: true,
    request: {
      sessionId: 's1',
      toolCall: {toolCallId, title: 'npm test', kind: 'execute', rawInput: {command: 'npm test'}},
      options,
    },
  });

  describe('of the agent', () => {
    const reported = reduceUpdates(
      running,
      callUpdate('t', {title: 'Run the tests', rawInput: {cmd: 'npm test'}}),
    );
    const waiting = reduceEvents(reported, asked('t'));

    it('shows what will run, which the agent cannot change', () => {
      const changed = reduceUpdates(waiting, callUpdate('t', {title: 'ls', content: [terminal]}));
      for (const state of [waiting, changed])
        expect(pendingRequest(state, 'p')).toMatchObject({
          call: {title: 'npm test', content: []},
          changes: 0,
        });
      expect(toolCall(changed, 't')?.title).toBe('ls');
    });

    it('stays as the agent reports it, with the decision', () => {
      const after = reduceEvents(waiting, decided('t'));
      expect(callsOf(after)).toMatchObject([{title: 'Run the tests', permission: {outcome: 'allowed'}}]);
    });
  });

  it.each([
    ['command', [terminal]],
    ['write', [{type: 'diff' as const, path: '/project/a.txt', oldText: null, newText: 'a\n'}]],
  ])('becomes that of the agent also if nothing asked about its %s', (_what, content) => {
    const own = calls('acp-tui-1', {title: 'npm test', status: 'in_progress', content});
    const level = {...decided('acp-tui-1'), decision: {outcome: 'allowed', option: undefined, by: 'a level'}};
    const shown = reduceEvents(reduceUpdates(running, own), level as UntimedEvent);
    const reported = calls('agents', {title: 'Do it', status: 'in_progress', content});
    const both = reduceUpdates(shown, reported, callUpdate('acp-tui-1', {status: 'failed'}));
    expect(callsOf(both)).toMatchObject([
      {toolCallId: 'agents', title: 'Do it', status: 'in_progress', permission: {by: 'a level'}},
    ]);
  });

  describe('before the agent reports it', () => {
    const runs = reduceUpdates(
      reduceEvents(running, asked('acp-tui-own'), decided('acp-tui-own')),
      callUpdate('acp-tui-own', {status: 'in_progress', content: [terminal]}),
    );
    const reported = reduceUpdates(
      runs,
      calls('agents', {title: 'Run the tests', status: 'in_progress', content: [terminal]}),
    );

    it('becomes the call of the agent that has its terminal', () => {
      expect(callsOf(reported)).toMatchObject([
        {toolCallId: 'agents', title: 'Run the tests', permission: {outcome: 'allowed'}},
      ]);
      const ended = reduceUpdates(reported, callUpdate('agents', {status: 'failed'}));
      expect(callsOf(ended)).toMatchObject([{toolCallId: 'agents', status: 'failed'}]);
    });

    it('goes on as the agent says, also if the command was faster', () => {
      expect(
        callsOf(reduceUpdates(reported, callUpdate('acp-tui-own', {status: 'completed'}))),
      ).toMatchObject([{status: 'in_progress'}]);
      const fast = reduceUpdates(runs, callUpdate('acp-tui-own', {status: 'completed'}));
      const late = calls('a', {title: 'Run', status: 'in_progress', content: [terminal]});
      expect(callsOf(reduceUpdates(fast, late))).toMatchObject([
        {toolCallId: 'a', title: 'Run', status: 'in_progress'},
      ]);
    });

    it('is another one than a call with another terminal, or none', () => {
      const other = {type: 'terminal' as const, terminalId: 'other'};
      for (const content of [[other], []])
        expect(callsOf(reduceUpdates(runs, callUpdate('agents', {content})))).toHaveLength(2);
    });
  });

  describe('which is a write', () => {
    const path = '/project/a.txt';
    const diff = (oldText: string | null, newText: string, at = path) => ({
      type: 'diff' as const,
      path: at,
      oldText,
      newText,
    });
    const request: UntimedEvent = {
      type: 'permission_requested',
      id: 'p',
      isOfHost: true,
      request: {
        sessionId: 's1',
        toolCall: {
          toolCallId: 'acp-tui-own',
          title: 'Write a.txt',
          kind: 'edit',
          content: [diff('a\nb\n', 'a\nc\n')],
        },
        options,
      },
    };
    const done = reduceUpdates(
      reduceEvents(running, request, decided('acp-tui-own')),
      callUpdate('acp-tui-own', {status: 'completed'}),
    );
    const reported = (content: acp.ToolCallContent[]) =>
      calls('agents', {title: 'Edit it', status: 'completed', content});

    it.each([
      ['of the whole file', diff('a\nb\n', 'a\nc\n')],
      ['of a part', diff('b', 'c')],
    ])('becomes the call of the agent with that change, %s', (_what, content) => {
      expect(callsOf(reduceUpdates(done, reported([content])))).toMatchObject([
        {
          toolCallId: 'agents',
          title: 'Edit it',
          permission: {outcome: 'allowed'},
          content: [diff('a\nb\n', 'a\nc\n')],
        },
      ]);
    });

    it.each([
      ['another change', [diff('b', 'd')]],
      ['the same change of another file', [diff('b', 'c', '/project/b.txt')]],
      ['more changes', [diff('b', 'c'), diff('b', 'c', '/project/b.txt')]],
    ])('is another one than a call with %s', (_what, content) => {
      expect(callsOf(reduceUpdates(done, reported(content)))).toHaveLength(2);
    });

    it('keeps what is being asked, and is another one in another turn', () => {
      const asking = reduceEvents(running, request);
      expect(callsOf(reduceUpdates(asking, reported([diff('b', 'c')])))).toHaveLength(2);
      const next = reduceEvents(done, {type: 'prompt_started', turn: 9, content: []});
      expect(callsOf(reduceUpdates(next, reported([diff('b', 'c')])))).toHaveLength(2);
    });
  });
});
