import {describe, expect, test} from 'vitest';
import {
  resultSchema,
  streamEventSchema,
  type RunResult,
  type StreamEvent,
} from '../../../../../src/modes/print/schema.ts';
import type {Update} from '../../../../../src/session/events.ts';
import {withAppended} from '../../../../../src/session/transcript/patches.ts';
import {everything, USAGE} from '../everything.ts';
import {exactly} from '../../../../support/program/exactly.ts';
import {runFake} from '../run-fake.ts';

function resultIn(stdout: string): RunResult {
  return exactly(resultSchema, stdout);
}

function eventsIn(stdout: string): StreamEvent[] {
  expect(stdout.endsWith('\n')).toBe(true);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => exactly(streamEventSchema, line));
}

describe('json', () => {
  test('prints one object at the end that follows the schema', async () => {
    const run = await runFake(['x', '--output-format', 'json'], everything, {usage: USAGE});
    const result = resultIn(run.stdout);
    expect(result).toMatchObject({
      v: 1,
      agent: {name: 'fake-agent', title: 'Fake Agent', version: '1.2.3'},
      sessionId: 'session-1',
      stopReason: 'end_turn',
      text: 'I will read it.\n\nIt says\u001b[31m second.',
      toolCalls: [
        {
          toolCallId: 'call-1',
          title: 'Read a.txt',
          name: null,
          kind: 'read',
          status: 'completed',
          locations: [{path: '/project/a.txt', line: 3}],
          permission: {outcome: 'allowed', option: 'Allow', by: '--approve reads'},
        },
      ],
      denied: [],
      usage: {
        tokens: {total: 1700, input: 1500, output: 200, thought: null, cachedRead: 100, cachedWrite: null},
        context: {used: 1200, size: 200_000},
        cost: {amount: 0.25, currency: 'USD'},
      },
      notices: [{level: 'warning', text: 'Slow today', source: 'agent'}],
      error: null,
      exitCode: 0,
    });
    expect(run.stderr).toBe('');
  });

  test('reports a failure as an error, and on stderr, too', async () => {
    const run = await runFake(['x', '--output-format', 'json'], everything, {
      opening: {kind: 'not_acp', command: 'cat', sample: 'meow'},
    });
    const result = resultIn(run.stdout);
    expect(result).toMatchObject({agent: null, sessionId: null, stopReason: null, exitCode: 1});
    expect(result.error?.kind).toBe('not_acp');
    expect(run.stderr).toBe(`acp-tui: ${result.error?.message}\n`);
  });

  test('lists what was rejected', async () => {
    const run = await runFake(['x', '--output-format', 'json'], async (agent) => {
      agent.deny({
        method: 'session/request_permission',
        title: 'rm -rf',
        kind: 'delete',
        toolCallId: 'c',
        allowedBy: 'all',
      });
      return 'end_turn';
    });
    expect(resultIn(run.stdout)).toMatchObject({
      exitCode: 5,
      denied: [
        {
          method: 'session/request_permission',
          title: 'rm -rf',
          kind: 'delete',
          toolCallId: 'c',
          allowedBy: 'all',
        },
      ],
      error: {kind: 'denied'},
    });
  });
});

describe('stream-json', () => {
  test.each([
    ['of the session', undefined],
    ['of a subagent', 'session-2'],
  ])(
    'has the output of a call %s that grows by many pieces as often as it has grown by a quarter',
    async (_of, subagent) => {
      const run = await runFake(['x', '--output-format', 'stream-json'], async (agent) => {
        const send = (update: Update) =>
          subagent === undefined
            ? agent.update(update)
            : agent.emit({type: 'subagent_updated', sessionId: subagent, update});
        if (subagent !== undefined)
          agent.update({sessionUpdate: 'subagent_update', sessionId: subagent, title: 'Reviewer'});
        send({sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Test'});
        for (let index = 0; index < 1000; index++) {
          const content = {type: 'text', text: `test ${index} passed`} as const;
          send(
            withAppended({
              sessionUpdate: 'tool_call_update' as const,
              toolCallId: 'c',
              content: [{type: 'content' as const, content}],
            }),
          );
        }
        return 'end_turn';
      });
      const updates = eventsIn(run.stdout).flatMap((event) => {
        const own = event.type === 'subagent' ? event.event : event;
        return own.type === 'tool_call_update' ? [own] : [];
      });
      expect(updates.length).toBeLessThan(50);
      expect(updates.at(-1)?.content).toHaveLength(1000);
    },
  );

  test('prints one event per line, each following the schema, the result last', async () => {
    const run = await runFake(['x', '--output-format', 'stream-json'], everything, {usage: USAGE});
    const events = eventsIn(run.stdout);
    expect(events.map(({type}) => type)).toEqual([
      'init',
      'thought',
      'text',
      'text',
      'tool_call',
      'permission',
      'tool_call_update',
      'plan',
      'usage',
      'notice',
      'other',
      'text',
      'result',
    ]);
    expect(new Set(events.map(({sessionId}) => sessionId))).toEqual(new Set(['session-1']));
    const texts = events.filter((event) => event.type === 'text');
    expect(texts.map(({message}) => message)).toEqual([1, 1, 2]);
    expect(texts.map(({text}) => text).join('')).toBe('\nI will read it.\n\nIt says\u001b[31m second.');
  });

  test('contains no control characters, whatever the agent sends, and loses none', async () => {
    const hostile = 'a\u001b]0;x\u0007\u009b31m\u202eb\u2028c\u007f';
    const run = await runFake(['x', '--output-format', 'stream-json'], async (agent) => {
      agent.say(hostile);
      return 'end_turn';
    });
    expect(run.stdout.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
    const texts = eventsIn(run.stdout).filter((event) => event.type === 'text');
    expect(texts.map(({text}) => text)).toEqual([hostile]);
  });

  test('marks text outside of the turn as other, not as part of the answer', async () => {
    const run = await runFake(['x', '--output-format', 'stream-json'], everything, {banner: 'Welcome'});
    const events = eventsIn(run.stdout);
    expect(events[1]).toMatchObject({type: 'other', kind: 'agent_message_chunk'});
    expect(JSON.stringify(events[1])).toContain('Welcome');
  });

  test('ends with a result when there never was a session', async () => {
    const run = await runFake(['x', '--output-format', 'stream-json'], everything, {
      opening: {kind: 'protocol_version', ours: 1, theirs: 9},
    });
    expect(eventsIn(run.stdout).map(({type}) => type)).toEqual(['result']);
  });
});
