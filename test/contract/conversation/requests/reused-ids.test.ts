import {describe, expect, test} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {ruleOf} from '../../../../src/session/requests/permission-rules.ts';
import {entriesOf} from '../../../support/session/build.ts';
import {agentOption, runHere} from '../../../support/program/run-program.ts';
import {noPermissions} from '../conversation-defaults.ts';
import {idle, makeConversation, openScripted} from '../open-conversation.ts';
import {running, subagent, update} from '../turns/subagent-steps.ts';

/* Models that use the ID of a tool call again, behind agents that pass it on. */

const lists: ScriptStep[] = [
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 'call_0',
    title: 'ls -la',
    kind: 'execute',
    rawInput: {command: 'ls -la'},
    locations: [{path: '$cwd/src'}],
  }),
  update({sessionUpdate: 'tool_call_update', toolCallId: 'call_0', status: 'completed'}),
];

const reads = (status: 'completed' | 'in_progress'): ScriptStep[] => [
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 'call_0',
    title: 'Read notes.md',
    kind: 'read',
    locations: [{path: '$cwd/notes.md'}],
    status,
  }),
];

const asks = (title: string): ScriptStep[] => [
  {
    ask: 'may',
    method: 'session/request_permission',
    params: {
      sessionId: '$session',
      toolCall: {toolCallId: 'call_0', title},
      options: [
        {optionId: 'yes', name: 'Allow', kind: 'allow_once'},
        {optionId: 'no', name: 'Reject', kind: 'reject_once'},
      ],
    },
  },
  {answered: 'may'},
];

const allows = {...noPermissions, rules: () => [ruleOf('allow', 'execute ls*', 'user')!]};

describe('a request with the ID of a call that has ended', () => {
  test.each([
    ['of the same turn', [[...lists, ...asks('rm -rf build')]]],
    ['of the turn before', [lists, asks('rm -rf build')]],
    ['that runs', [[...lists.slice(0, 1), ...asks('rm -rf build'), ...lists.slice(1)]]],
  ])('is not allowed by a rule for that call %s', async (_of, turns) => {
    const {conversation, prompt, until, state} = await openScripted({turns}, {permissions: allows});
    for (const [index] of turns.entries()) {
      prompt('go');
      if (index < turns.length - 1) await until(idle, 'the end of a turn');
    }
    const [request] = (await until(({pending}) => pending.length === 1, 'the question')).pending;
    expect(request).toMatchObject({
      call: {title: 'rm -rf build', kind: 'other', rawInput: undefined, locations: []},
    });
    void conversation.answer(request!.id, {kind: 'option', index: 1});
    await until(({pending, turn}) => pending.length === 0 && turn.kind === 'idle', 'the end');
    expect(entriesOf(state(), 'tool_call')).toMatchObject([
      {title: 'ls -la', rawInput: {command: 'ls -la'}, permission: undefined},
      {title: 'rm -rf build', permission: {outcome: 'rejected'}},
    ]);
  });

  test('is not allowed by a rule for a call that was only replayed', async () => {
    const script = {
      initialize: {agentCapabilities: {loadSession: true}},
      loading: [lists[0], ...asks('rm -rf build').slice(0, 1)],
      loaded: [{...asks('rm -rf all')[0], ask: 'then'}],
    };
    const {conversation, until} = makeConversation(['script', JSON.stringify(script)], {
      opening: {kind: 'continue', sessionId: 'old'},
      permissions: allows,
    });
    await conversation.open();
    const {pending} = await until(({pending}) => pending.length === 2, 'both questions');
    expect(pending).toMatchObject([
      {toolCallId: 'call_0', call: {title: 'rm -rf build', kind: 'other', rawInput: undefined}},
      {toolCallId: 'call_0 #2', call: {title: 'rm -rf all', kind: 'other', rawInput: undefined}},
    ]);
  });

  test("is not allowed by a rule for a subagent's call of the turn before", async () => {
    const of = (steps: ScriptStep[]) =>
      steps.map((step) =>
        'update' in step
          ? {...step, of: 'child'}
          : 'params' in step
            ? {...step, params: {...step.params, sessionId: 'child'}}
            : step,
      );
    const begun = [subagent('child', running), ...of(lists.slice(0, 1))];
    const turns = [begun, of(asks('rm -rf build'))];
    const {prompt, until} = await openScripted({turns}, {permissions: allows});
    prompt('go');
    await until(idle, 'the end of a turn');
    prompt('go on');
    const {pending} = await until(({pending}) => pending.length === 1, 'the question');
    expect(pending).toMatchObject([
      {subagent: 'child', toolCallId: 'call_0 #2', call: {kind: 'other', rawInput: undefined}},
    ]);
  });

  test('is not allowed by a rule for another call that runs under it', async () => {
    const removes = update({
      sessionUpdate: 'tool_call',
      toolCallId: 'call_0',
      title: 'rm -rf build',
      kind: 'execute',
    });
    const steps = [lists[0]!, removes, ...asks('rm -rf build')];
    const {conversation, prompt, until, state} = await openScripted({turns: [steps]}, {permissions: allows});
    prompt('go');
    const [request] = (await until(({pending}) => pending.length === 1, 'the question')).pending;
    expect(request).toMatchObject({call: {title: 'rm -rf build', kind: 'other', rawInput: undefined}});
    void conversation.answer(request!.id, {kind: 'option', index: 1});
    await until(({pending, turn}) => pending.length === 0 && turn.kind === 'idle', 'the end');
    expect(entriesOf(state(), 'tool_call')).toMatchObject([
      {title: 'ls -la', rawInput: {command: 'ls -la'}, permission: undefined},
      {title: 'rm -rf build', rawInput: undefined, permission: undefined},
      {title: 'rm -rf build', permission: {outcome: 'rejected'}},
    ]);
  });

  test('shows nothing of that call, nor its decision', async () => {
    const change = (newText: string): ScriptStep =>
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 'call_0',
        status: 'completed',
        content: [{type: 'diff', path: '$cwd/a', oldText: null, newText}],
      });
    const steps = [...asks('Write a'), change('one'), ...asks('Write b')];
    const {conversation, prompt, until} = await openScripted({turns: [steps]});
    prompt('go');
    const [first] = (await until(({pending}) => pending.length === 1, 'a question')).pending;
    void conversation.answer(first!.id, {kind: 'option', index: 0});
    const isNext = ({pending}: {pending: readonly {id: string}[]}) =>
      pending.some(({id}) => id !== first!.id);
    const [second] = (await until(isNext, 'another question')).pending;
    expect(second).toMatchObject({call: {title: 'Write b', content: [], permission: undefined}});
  });

  test.each(['completed', 'in_progress'] as const)(
    'is not allowed by -p for what that call was, %s',
    async (status) => {
      const script = JSON.stringify({turns: [[...reads(status), ...asks('Overwrite everything')]]});
      const agent = `${agentOption('script')} '${script}'`;
      const run = await runHere(['-p', 'go', agent, '--output-format', 'json']);
      expect(run).toMatchObject({exitCode: 5});
      const {toolCalls, denied} = JSON.parse(run.stdout) as Record<string, unknown>;
      expect(toolCalls).toMatchObject([
        {toolCallId: 'call_0', title: 'Read notes.md', status, permission: null},
        {toolCallId: 'call_0 #2', title: 'Overwrite everything', permission: {outcome: 'rejected'}},
      ]);
      expect(denied).toMatchObject([{title: 'Overwrite everything', toolCallId: 'call_0 #2'}]);
    },
  );
});

test('calls with one ID are told apart in stream-json', async () => {
  const script = JSON.stringify({turns: [[...reads('completed'), ...asks('Overwrite everything')]]});
  const agent = `${agentOption('script')} '${script}'`;
  const {stdout} = await runHere(['-p', 'go', agent, '--output-format', 'stream-json']);
  const told = Map.groupBy(stdout.match(/"toolCallId":"call_0[^"]*"/g) ?? [], (id) => id);
  expect([...told.keys()]).toEqual(['"toolCallId":"call_0"', '"toolCallId":"call_0 #2"']);
});
