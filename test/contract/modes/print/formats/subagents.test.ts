import type * as acp from '@agentclientprotocol/sdk/unstable';
import {expect, onTestFinished, test, vi} from 'vitest';
import {resultSchema, streamEventSchema} from '../../../../../src/modes/print/schema.ts';
import type {Turn} from '../fake-conversation.ts';
import {exactly} from '../../../../support/program/exactly.ts';
import {runFake, startFake} from '../run-fake.ts';

const LOST = {kind: 'connection_lost', exit: {code: 3, signal: null}, stderrTail: ''} as const;

/** A reviewer that reads a file, and its own tester; the reviewer is done, or continues after the turn. */
function reviewing(after: 'done' | 'goes on' | 'never ends' | 'is lost'): Turn {
  return async (agent) => {
    const of = (sessionId: string, reported: acp.SessionUpdate) =>
      agent.emit({type: 'subagent_updated', sessionId, update: reported});
    const subagent = (sessionId: string, reported: Partial<acp.SubagentUpdate>): acp.SessionUpdate => ({
      sessionUpdate: 'subagent_update',
      sessionId,
      ...reported,
    });
    const finish = () => {
      of('child', {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'It is good.'}});
      of('child', {
        sessionUpdate: 'agent_message_chunk',
        content: {type: 'image', data: 'AAAA', mimeType: 'image/png'},
        messageId: 'picture',
      });
      const usage = {totalTokens: 900, inputTokens: 800, outputTokens: 100};
      agent.update(subagent('child', {state: {state: 'idle', stopReason: 'end_turn', usage}}));
    };
    agent.update(subagent('child', {title: 'Reviewer', state: {state: 'running'}}));
    agent.update(subagent('child', {state: {state: 'requires_action'}}));
    agent.update(subagent('child', {state: {state: 'running'}}));
    of('child', {sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Read a.txt', kind: 'read'});
    of('child', {sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed'});
    of('child', subagent('tester', {title: 'Tester'}));
    agent.say('All is well.');
    if (after === 'done') finish();
    else if (after === 'goes on') setTimeout(finish, 50);
    else if (after === 'is lost')
      setTimeout(
        () => agent.emit({type: 'connection_changed', connection: {kind: 'lost', failure: LOST}}),
        50,
      );
    return 'end_turn';
  };
}

test('text reports what subagents do on stderr, and none of it in the answer', async () => {
  const run = await runFake(['x'], reviewing('done'));
  expect(run.stdout).toBe('All is well.\n');
  expect(run.stderr.split('\n')).toEqual([
    'subagent Reviewer: working',
    'subagent Reviewer: tool: Read a.txt (done)',
    'subagent Reviewer: done, 900 tokens, 1 tool call',
    '',
  ]);
});

test('json lists them, each with its messages and tool calls', async () => {
  const run = await runFake(['x', '--output-format', 'json'], reviewing('done'));
  const {subagents, text, toolCalls} = exactly(resultSchema, run.stdout);
  expect({text, toolCalls}).toEqual({text: 'All is well.', toolCalls: []});
  expect(subagents).toMatchObject([
    {
      sessionId: 'child',
      parent: null,
      title: 'Reviewer',
      state: 'idle',
      stopReason: 'end_turn',
      text: 'It is good.',
      toolCalls: [{toolCallId: 'c', status: 'completed'}],
      tokens: 900,
    },
    {sessionId: 'tester', parent: 'child', title: 'Tester', state: null, text: ''},
  ]);
});

test('stream-json marks each of their events as theirs', async () => {
  const run = await runFake(['x', '--output-format', 'stream-json'], reviewing('done'));
  const events = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => exactly(streamEventSchema, line));
  expect(events.filter(({type}) => type === 'subagent')).toMatchObject([
    {subagent: 'child', title: 'Reviewer', event: {type: 'tool_call', toolCallId: 'c'}},
    {subagent: 'child', event: {type: 'tool_call_update', status: 'completed'}},
    {subagent: 'child', event: {type: 'other', kind: 'subagent_update'}},
    {subagent: 'child', event: {type: 'text', text: 'It is good.'}},
    {subagent: 'child', event: {type: 'other', kind: 'agent_message_chunk'}},
  ]);
  expect(events.filter(({type}) => type === 'text')).toHaveLength(1);
});

test('a run waits for subagents that continue after its turn', async () => {
  const run = await runFake(['x', '--output-format', 'json'], reviewing('goes on'));
  expect(exactly(resultSchema, run.stdout).subagents).toMatchObject([
    {state: 'idle', text: 'It is good.'},
    {title: 'Tester'},
  ]);
});

test('a run waits for subagents as long as they are active, and gives up after 30 s of silence', async () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => void vi.useRealTimers());
  const run = startFake(['x'], async (agent) => {
    agent.update({
      sessionUpdate: 'subagent_update',
      sessionId: 'child',
      title: 'Reviewer',
      state: {state: 'running'},
    });
    for (const seconds of [20, 40, 60])
      setTimeout(
        () =>
          agent.emit({
            type: 'subagent_updated',
            sessionId: 'child',
            update: {sessionUpdate: 'agent_thought_chunk', content: {type: 'text', text: 'Hm.'}},
          }),
        seconds * 1000,
      );
    return 'end_turn';
  });
  await vi.advanceTimersByTimeAsync(89_000);
  expect(run.io.err()).not.toContain('had not finished');
  await vi.advanceTimersByTimeAsync(1000);
  expect(await run.exitCode).toBe(0);
  expect(run.io.err()).toContain('A subagent had not finished when the turn was over.');
});

test('a run that times out while it waits for them says so, and how its turn ended', async () => {
  const run = await runFake(['x', '--output-format', 'json', '--timeout', '1'], reviewing('never ends'));
  expect(run.exitCode).toBe(3);
  expect(exactly(resultSchema, run.stdout)).toMatchObject({
    stopReason: 'end_turn',
    text: 'All is well.',
    error: {
      kind: 'timeout',
      message: 'Timed out after 1 s (--timeout); subagents were still working.',
    },
  });
});

test('a run whose agent exits while it waits for them fails', async () => {
  const run = await runFake(['x', '--output-format', 'json'], reviewing('is lost'));
  expect(run.exitCode).toBe(1);
  expect(exactly(resultSchema, run.stdout)).toMatchObject({
    stopReason: 'end_turn',
    text: 'All is well.',
    subagents: [{state: 'unknown'}, {}],
    error: {kind: 'connection_lost'},
  });
});

test('what was rejected for a subagent is reported with its name', async () => {
  const run = await runFake(['x'], (agent) => {
    const update = {sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Reviewer'} as const;
    agent.emit({type: 'session_update', update});
    agent.deny({
      method: 'fs/write_text_file',
      title: 'Write notes.md',
      sessionId: 'child',
      allowedBy: 'edits',
    });
    return Promise.resolve('end_turn');
  });
  expect(run.exitCode).toBe(5);
  expect(run.stderr).toContain('"Write notes.md" (Reviewer)');
});
