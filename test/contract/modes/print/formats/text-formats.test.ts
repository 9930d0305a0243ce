import {describe, expect, test} from 'vitest';
import {cancelledStep} from '../../../../support/session/build.ts';
import {everything, USAGE} from '../everything.ts';
import type {FakeAgent} from '../fake-conversation.ts';
import {runFake} from '../run-fake.ts';

describe('text', () => {
  test('prints the messages, one empty line between them and one newline at the end', async () => {
    const run = await runFake(['x'], everything);
    expect(run.stdout).toBe('I will read it.\n\nIt says\u001b[31m second.\n');
  });

  test('prints nothing of the conversation that the agent replays', async () => {
    const say = (text: string) =>
      ({sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}) as const;
    const call = {
      sessionUpdate: 'tool_call',
      toolCallId: 'old',
      title: 'Old call',
      status: 'completed',
    } as const;
    const replayed = [
      {type: 'session_update', update: say('Said before.')},
      {type: 'session_update', update: call},
      {
        type: 'session_update',
        update: {sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Old child'},
      },
      {type: 'subagent_updated', sessionId: 'child', update: call},
      {type: 'subagent_updated', sessionId: 'child', update: say('Said by the child.')},
    ] as const;
    const speaks = async (agent: FakeAgent) => {
      agent.say('Said now.');
      return 'end_turn' as const;
    };
    const {stdout, stderr} = await runFake(['x'], speaks, {replayed});
    expect({stdout, stderr}).toEqual({stdout: 'Said now.\n', stderr: ''});
    const events = await runFake(['x', '--output-format', 'stream-json'], speaks, {replayed});
    expect(events.stdout).toContain('Said now.');
    expect(events.stdout.slice(0, events.stdout.indexOf('"type":"result"'))).not.toMatch(
      /Old|Said (?:before|by)/,
    );
  });

  test('prints tools and notices to stderr, one line each', async () => {
    const run = await runFake(['x'], everything);
    expect(run.stderr).toBe('tool: Read a.txt (done)\nwarning: Slow today\n');
  });

  test('prints more to stderr with --include', async () => {
    const run = await runFake(['x', '--include', 'thoughts,tools,plan,usage'], everything, {usage: USAGE});
    expect(run.stderr.split('\n')).toEqual([
      'thought: Let me',
      'thought: look.',
      'tool: Read a.txt (running)',
      'tool: Read a.txt (done)',
      '  first',
      '  second',
      'plan: [x] Read',
      'plan: [>] Answer',
      'warning: Slow today',
      'usage: 1.5k tokens in, 200 out, context 1.2k of 200k, $0.25',
      '',
    ]);
    expect(run.stdout).toBe('I will read it.\n\nIt says\u001b[31m second.\n');
  });

  test('prints the output of a tool without the code fence around it', async () => {
    const run = await runFake(['x', '--include', 'tools'], async (agent) => {
      const content = [
        {type: 'content' as const, content: {type: 'text' as const, text: '```console\none\n```'}},
      ];
      agent.update({
        sessionUpdate: 'tool_call',
        toolCallId: 'c',
        title: 'echo',
        status: 'completed',
        content,
      });
      return 'end_turn';
    });
    expect(run.stderr).toBe('tool: echo (done)\n  one\n');
  });

  test('on a terminal has no control sequences, and no tool line inside a line of the answer', async () => {
    const run = await runFake(['x'], everything, {terminal: true});
    expect(run.stdout).toBe('I will read it.\n\nIt says second.\n');
  });

  test('leaves out messages outside of the turn and shows them as a notice', async () => {
    const run = await runFake(['x'], everything, {banner: 'Welcome\nto fake agent'});
    expect(run.stdout).not.toContain('Welcome');
    expect(run.stderr).toMatch(/^notice: Welcome\nnotice: to fake agent\n/);
  });

  test('reports a tool call that the agent never ended', async () => {
    const run = await runFake(['x'], async (agent) => {
      agent.update({sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Wait\u001b]0;x\u0007 for it'});
      return 'refusal';
    });
    expect(run.stderr).toContain('tool: Wait␛]0;x␇ for it (pending)\n');
  });

  test('reports the command if only the permission request had it, as Codex does', async () => {
    const run = await runFake(['x'], async (agent) => {
      const call = {toolCallId: 'c', title: 'List files'};
      agent.update({sessionUpdate: 'tool_call', ...call, kind: 'read', status: 'in_progress'});
      const toolCall = {
        ...call,
        kind: 'execute' as const,
        rawInput: {command: 'echo hi && ls', cwd: '/project'},
      };
      const request = {sessionId: 's', toolCall, options: []};
      agent.emit({type: 'permission_requested', id: '1', request});
      agent.update({sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed'});
      return 'end_turn';
    });
    expect(run.stderr).toContain('tool: List files: echo hi && ls (done)\n');
  });

  test('shows a link as markdown and hides content meant for the model', async () => {
    const run = await runFake(['x'], async (agent) => {
      agent.update({
        sessionUpdate: 'agent_message_chunk',
        content: {type: 'resource_link', name: 'a.txt', uri: 'file:///project/a.txt'},
      });
      agent.update({
        sessionUpdate: 'agent_message_chunk',
        content: {type: 'text', text: 'secret', annotations: {audience: ['assistant']}},
      });
      return 'end_turn';
    });
    expect(run.stdout).toBe('[a.txt](file:///project/a.txt)\n');
  });

  test('warns of an empty turn and exits with 0', async () => {
    const run = await runFake(['x'], async () => 'end_turn');
    expect(run).toMatchObject({exitCode: 0, stdout: ''});
    expect(run.stderr).toBe('acp-tui: warning: The agent ended the turn without an answer.\n');
  });
});

test("acp prints the agent's lines unchanged, and nothing of acp-tui's", async () => {
  const run = await runFake(['x', '--output-format', 'acp'], async (agent) => {
    agent.wire('{"jsonrpc":"2.0","method":"session/update"}\n');
    agent.wire('{"jsonrpc":"2.0","id":3}', 'to_agent');
    agent.wire('a banner');
    agent.say('not shown');
    return 'end_turn';
  });
  expect(run.stdout).toBe('{"jsonrpc":"2.0","method":"session/update"}\na banner\n');
});

test('quiet prints only the last message', async () => {
  const run = await runFake(['x', '--output-format', 'quiet'], everything);
  expect(run).toMatchObject({stdout: 'It says\u001b[31m second.\n', stderr: ''});
});

test('a step of a plan that was cancelled is printed as such', async () => {
  const plan = async (agent: FakeAgent) => {
    agent.update({sessionUpdate: 'plan', entries: [cancelledStep('Drop')]});
    return 'end_turn' as const;
  };
  expect((await runFake(['x', '--include', 'plan'], plan)).stderr).toContain('plan: [-] Drop\n');
  const {stdout} = await runFake(['x', '--output-format', 'stream-json'], plan);
  expect(stdout).toContain('{"content":"Drop","priority":"high","status":"cancelled"}');
});

test('--include plan prints a plan in prose line by line', async () => {
  const run = await runFake(['x', '--include', 'plan'], async (agent) => {
    agent.update({
      sessionUpdate: 'plan_update',
      plan: {type: 'markdown', planId: 'p', content: '# First\n\n- this\n'},
    });
    agent.say('Done.');
    return 'end_turn';
  });
  expect(run.stderr).toBe('plan: # First\nplan: - this\n');
});
