import {expect, test, describe} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {activityLabel, subagentName} from '../../../../src/session/subagents/names.ts';
import {isSubagent, subagentEntry} from '../../../../src/session/subagents/tree.ts';
import {idle, openScripted} from '../open-conversation.ts';
import {done, edit, permissionOf, running, saidIn, says, subagent, update} from './subagent-steps.ts';

describe('the session of a subagent', () => {
  test("has its own transcript, at any depth, and one entry in its parent's", async () => {
    const {prompt, until} = await openScripted({
      turns: [
        [
          subagent('child', {title: 'Reviewer', ...running}),
          says('I review.', 'child'),
          subagent('grandchild', {title: 'Tester'}, 'child'),
          says('I test.', 'grandchild'),
          says('They work.'),
          subagent('child', done),
        ],
      ],
    });
    prompt('go');
    const state = await until(idle, 'the end');
    expect([saidIn(state, 'child'), saidIn(state, 'grandchild')]).toEqual(['I review.', 'I test.']);
    expect(state.entries.map(({type}) => type)).toEqual([
      'user_message',
      'subagent',
      'agent_message',
      'turn_end',
    ]);
    expect(subagentEntry(state, 'child')).toMatchObject({state: 'idle', stopReason: 'end_turn'});
    expect(state.subagents['grandchild']?.parent).toBe('child');
    expect(subagentName(state, 'grandchild')).toBe('Tester');
  });

  test('may get updates before it is announced, which are kept in order', async () => {
    const {prompt, until} = await openScripted({
      turns: [[says('One ', 'child'), says('two', 'child'), subagent('child'), says(' three', 'child')]],
    });
    prompt('go');
    expect(saidIn(await until(idle, 'the end'), 'child')).toBe('One two three');
  });

  test('that is never announced reaches no transcript and is logged', async () => {
    const {prompt, until, log} = await openScripted({
      turns: [[says('Who is this?', 'stranger'), says('Me.')]],
    });
    prompt('go');
    const state = await until(idle, 'the end');
    expect(Object.keys(state.subagents)).toEqual([]);
    expect(log).toContainEqual(
      expect.stringContaining('agent_message_chunk for stranger, which is not open'),
    );
  });

  test('belongs to the parent that announced it, never to itself or its descendants', async () => {
    const {prompt, until} = await openScripted({
      turns: [
        [
          subagent('child', {title: 'Child'}),
          subagent('grandchild', {title: 'Grandchild'}, 'child'),
          subagent('child', {title: 'Circle'}, 'grandchild'),
          subagent('grandchild', {title: 'Stolen'}),
          subagent('session-1', {title: 'Root'}),
          says('still here', 'grandchild'),
        ],
      ],
    });
    prompt('go');
    const state = await until(idle, 'the end');
    expect(state.subagents['child']?.parent).toBeUndefined();
    expect(subagentName(state, 'child')).toBe('Child');
    expect(subagentName(state, 'grandchild')).toBe('Grandchild');
    expect(Object.keys(state.subagents)).toEqual(['child', 'grandchild']);
  });

  test.each(['constructor', '__proto__', 'toString'])('may have the ID %s', async (id) => {
    const {prompt, until} = await openScripted({turns: [[subagent(id, {title: 'Odd'}), says('Hi', id)]]});
    prompt('go');
    const state = await until(idle, 'the end');
    expect(isSubagent(state, id)).toBe(true);
    expect(saidIn(state, id)).toBe('Hi');
  });

  test("continues after its parent's turn, and can be given more work", async () => {
    const {prompt, until} = await openScripted({
      turns: [
        [subagent('child', running), {send: later(says('Late.', 'child'))}],
        [subagent('child', done), subagent('child', running)],
      ],
    });
    prompt('go');
    await until((state) => idle(state) && saidIn(state, 'child') === 'Late.', 'what it says after the turn');
    prompt('again');
    const state = await until(
      ({lastTurn, turn}) => turn.kind === 'idle' && lastTurn?.turn === 2,
      'the second end',
    );
    expect(subagentEntry(state, 'child')).toMatchObject({state: 'running', stopReason: undefined});
  });

  test('is unknown after its agent exited', async () => {
    const {prompt, until, conversation} = await openScripted({turns: [[subagent('child', running)]]});
    prompt('go');
    await until(idle, 'the end');
    await conversation.close();
    const state = await until(({connection}) => connection.kind === 'closed', 'its end');
    expect(subagentEntry(state, 'child')).toMatchObject({state: 'unknown', since: undefined});
  });
});

/** A message that arrives after the response to the prompt: the script does not wait for it. */
function later(step: ScriptStep): Record<string, unknown> {
  const {update: reported, of} = step as {update: Record<string, unknown>; of?: string};
  return {jsonrpc: '2.0', method: 'session/update', params: {sessionId: of, update: reported}};
}

describe('a subagent reported in its parent’s session', () => {
  const meta = {claudeCode: {parentToolUseId: 'task'}};
  const nestedCall = {...edit('$cwd/a'), toolCallId: 'nested', _meta: meta};

  test('is nested below the tool call that started it', async () => {
    const {conversation, prompt, until, answerTo} = await openScripted({
      turns: [
        [
          update({
            sessionUpdate: 'tool_call',
            toolCallId: 'task',
            title: 'Review it',
            kind: 'think',
            status: 'in_progress',
            rawInput: {subagent_type: 'reviewer'},
          }),
          update({...nestedCall, sessionUpdate: 'tool_call', title: 'Edit it'}),
          permissionOf('$session', nestedCall),
          {answered: 'may'},
          update({sessionUpdate: 'tool_call_update', toolCallId: 'nested', status: 'completed', _meta: meta}),
          update({sessionUpdate: 'tool_call_update', toolCallId: 'task', status: 'completed'}),
        ],
      ],
    });
    prompt('go');
    const asking = await until(({pending}) => pending.length === 1, 'the question');
    const id = asking.pending[0]!.subagent!;
    expect(subagentName(asking, id)).toBe('Review it');
    void conversation.answer(asking.pending[0]!.id, {kind: 'option', index: 0});
    expect(await answerTo('may')).toMatchObject({result: {outcome: {optionId: 'yes'}}});
    const state = await until(idle, 'the end');
    expect(state.entries.map(({type}) => type)).toEqual([
      'user_message',
      'tool_call',
      'subagent',
      'turn_end',
    ]);
    expect(state.subagents[id]?.session.entries.slice()).toMatchObject([
      {toolCallId: 'nested', status: 'completed', permission: {outcome: 'allowed'}},
    ]);
    expect(subagentEntry(state, id)).toMatchObject({state: 'idle', description: 'reviewer'});
  });

  test('stays in its own session if the agent gave it one', async () => {
    const {prompt, until} = await openScripted({
      turns: [
        [
          subagent('child', running),
          update({...nestedCall, sessionUpdate: 'tool_call', title: 'Edit it'}, 'child'),
        ],
      ],
    });
    prompt('go');
    const state = await until(idle, 'the end');
    expect(Object.keys(state.subagents)).toEqual(['child']);
  });
});

describe('a loaded session', () => {
  test('restores its subagents, even if their updates precede the announcement', async () => {
    const story: readonly ScriptStep[] = [
      update({sessionUpdate: 'user_message_chunk', content: {type: 'text', text: 'Go'}}),
      says('I review.', 'child'),
      subagent('child', {title: 'Reviewer', ...done}),
      says('It is done.'),
    ];
    const {until} = await openScripted(
      {initialize: {agentCapabilities: {loadSession: true}}, loading: story},
      {opening: {kind: 'continue', sessionId: 'old'}},
    );
    const state = await until(({connection}) => connection.kind === 'ready', 'the session');
    expect(saidIn(state, 'child')).toBe('I review.');
    expect(subagentEntry(state, 'child')).toMatchObject({title: 'Reviewer', state: 'idle'});
    expect(isSubagent(state, 'child')).toBe(true);
  });

  test('merges what its subagents replay with what is stored', async () => {
    const story: readonly ScriptStep[] = [
      update({sessionUpdate: 'user_message_chunk', content: {type: 'text', text: 'go'}}),
      subagent('child', {title: 'Reviewer', ...done}),
      says('I review.', 'child'),
      says('It is done.'),
    ];
    const {conversation, prompt, until} = await openScripted({
      initialize: {agentCapabilities: {loadSession: true}},
      loading: story,
      turns: [story.slice(1)],
    });
    prompt('go');
    await until(idle, 'the end');
    await conversation.restart();
    const state = await until(({connection}) => connection.kind === 'ready', 'the session');
    expect(saidIn(state, 'child')).toBe('I review.');
    expect(state.entries.filter(({type}) => type === 'subagent')).toHaveLength(1);
  });

  test('shows a subagent that works again as working, however it had ended before', async () => {
    const {conversation, prompt, until} = await openScripted({
      initialize: {agentCapabilities: {loadSession: true}},
      loading: [
        update({sessionUpdate: 'user_message_chunk', content: {type: 'text', text: 'go'}}),
        subagent('child', {title: 'Reviewer', ...running}),
      ],
      turns: [[subagent('child', {title: 'Reviewer', ...done})]],
    });
    prompt('go');
    await until(idle, 'the end');
    await conversation.restart();
    const state = await until(({connection}) => connection.kind === 'ready', 'the session');
    expect(activityLabel(subagentEntry(state, 'child')!)).toBe('working');
  });
});
