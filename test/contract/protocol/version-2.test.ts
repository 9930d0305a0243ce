import type {AgentApp, SessionUpdate} from '@agentclientprotocol/sdk/experimental/v2';
import {describe, expect, test} from 'vitest';
import {v2Agent} from '../../../fixtures/v2-agent/main.ts';
import {agentOption, runHere} from '../../support/program/run-program.ts';
import {openScripted} from '../conversation/open-conversation.ts';
import {valueOf} from './connect-fake.ts';
import {agentWith, noRoots} from './connect-sdk-agent.ts';
import {
  connectTo,
  nothing,
  openVersion2,
  text,
  turnOf,
  version2Offer,
  withoutTurn,
} from './connect-version-2.ts';

describe('version 2', () => {
  test('is negotiated, with the capabilities known to version 1', async () => {
    const {connection} = connectTo(v2Agent(nothing));
    expect(valueOf(await connection.initialize(version2Offer))).toMatchObject({
      protocolVersion: 2,
      agentInfo: {name: 'v2-agent'},
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: {image: true, audio: false},
        mcpCapabilities: {http: true, sse: false},
        sessionCapabilities: {list: {}, resume: {}, close: {}},
        auth: {logout: {}},
      },
      authMethods: [{id: 'sso', name: 'SSO'}],
    });
    expect(await connection.authenticate('sso')).toMatchObject({ok: true});
    expect(await connection.logout()).toMatchObject({ok: true});
  });

  test('is offered in the form of both versions, and an agent of version 1 is spoken to in that', async () => {
    const {connection, requests} = connectTo(agentWith({loadSession: true}) as unknown as AgentApp);
    expect(valueOf(await connection.initialize(version2Offer))).toMatchObject({
      protocolVersion: 1,
      agentCapabilities: {loadSession: true},
    });
    expect(requests('initialize')).toMatchObject([
      {
        protocolVersion: 2,
        info: {name: 'acp-tui-test'},
        clientInfo: {name: 'acp-tui-test'},
        capabilities: {session: {}},
        clientCapabilities: {fs: {readTextFile: true}},
      },
    ]);
  });

  test('has sessions with options and commands', async () => {
    const {connection, updates} = connectTo(v2Agent(nothing));
    valueOf(await connection.initialize(version2Offer));
    const session = valueOf(await connection.newSession(noRoots));
    expect(session.configOptions).toMatchObject([
      {
        id: 'effort',
        type: 'select',
        currentValue: 'low',
        options: [{group: 'g', options: [{value: 'low'}, {}]}],
      },
    ]);
    await expect
      .poll(() => updates)
      .toMatchObject([
        {
          sessionUpdate: 'available_commands_update',
          availableCommands: [{name: 'plan', input: {hint: 'what'}}],
        },
      ]);
    expect(await connection.setConfigOption(session.sessionId, 'effort', 'high')).toMatchObject({
      value: [{id: 'effort', currentValue: 'high'}],
    });
    expect(await connection.listSessions({})).toMatchObject({value: {sessions: [{title: 'Earlier'}]}});
    expect(await connection.closeSession(session.sessionId)).toMatchObject({ok: true});
  });

  test('replays a session that is loaded, but not one that is resumed', async () => {
    const {connection, updates} = connectTo(v2Agent(nothing));
    valueOf(await connection.initialize(version2Offer));
    valueOf(await connection.resumeSession('old', noRoots));
    expect(updates).toEqual([{sessionUpdate: 'state_update', state: 'idle'}]);
    valueOf(await connection.loadSession('old', noRoots));
    expect(updates.slice(1)).toMatchObject([
      {sessionUpdate: 'user_message_chunk', content: text('before')},
      {sessionUpdate: 'agent_message_chunk', content: text('I replied')},
      {sessionUpdate: 'state_update', state: 'idle'},
    ]);
  });

  test('leaves out MCP servers that are programs for an agent without stdio support, and says so', async () => {
    const {connection, updates} = connectTo(v2Agent(nothing));
    valueOf(await connection.initialize(version2Offer));
    const files = {name: 'files', command: '/bin/files', args: [], env: []};
    valueOf(await connection.newSession({...noRoots, mcpServers: [files]}));
    await expect
      .poll(() => updates)
      .toContainEqual(
        expect.objectContaining({
          sessionUpdate: 'notice',
          title: expect.stringContaining('does not get files'),
        }),
      );
  });
});

test('an agent of version 2 that nobody can sign in to has no sign-out', async () => {
  const {state} = await openScripted(
    {initialize: {protocolVersion: 2, info: {name: 'v2', version: '1'}, capabilities: {session: {}}}},
    {offer: {fs: true, terminal: true, protocolVersion: 2}},
  );
  expect(state().agent?.capabilities.auth).toEqual({});
});

describe('a turn of version 2', () => {
  test('ends when the agent is idle, not when the prompt is accepted', async () => {
    const {promise: goOn, resolve} = Promise.withResolvers<void>();
    const {prompt, updates} = await openVersion2(async ({say}) => {
      await say({sessionUpdate: 'agent_message_chunk', messageId: 'a', content: text('one')});
      await goOn;
      await say({sessionUpdate: 'agent_message_chunk', messageId: 'a', content: text('two')});
    });
    let hasEnded = false;
    const ended = prompt('go').finally(() => (hasEnded = true));
    await expect
      .poll(() => updates.some(({sessionUpdate}) => sessionUpdate === 'agent_message_chunk'))
      .toBe(true);
    expect(hasEnded).toBe(false);
    resolve();
    expect(await ended).toEqual({ok: true, value: {stopReason: 'end_turn'}});
    expect(withoutTurn(updates).at(-1)).toMatchObject({content: text('two')});
  });

  test('can be cancelled, and can fail', async () => {
    const {prompt, connection, sessionId, updates} = await openVersion2(() => new Promise(() => {}));
    const asked = prompt('go');
    await expect
      .poll(() => updates.some(({sessionUpdate}) => sessionUpdate === 'user_message_chunk'))
      .toBe(true);
    connection.cancel(sessionId);
    expect(await asked).toEqual({ok: true, value: {stopReason: 'cancelled'}});
    const failing = await openVersion2(() => Promise.reject(new Error('no')));
    expect(await failing.prompt('go')).toMatchObject({failure: {kind: 'agent_error', message: 'broke'}});
  });

  test('does not end with a state that the agent sent before the prompt', async () => {
    const {prompt, updates} = await openVersion2(async ({say}) => {
      await say({sessionUpdate: 'state_update', state: 'requires_action'});
      await say({sessionUpdate: 'agent_message', messageId: 'a', content: [text('done')]});
    });
    expect(await prompt('one')).toMatchObject({value: {stopReason: 'end_turn'}});
    expect(await prompt('two')).toMatchObject({value: {stopReason: 'end_turn'}});
    expect(updates.filter(({sessionUpdate}) => sessionUpdate === 'user_message_chunk')).toHaveLength(2);
  });

  test('that is cut off by the connection is a failure', async () => {
    const {prompt, cut, updates} = await openVersion2(() => new Promise(() => {}));
    const asked = prompt('go');
    await expect
      .poll(() => updates.some(({sessionUpdate}) => sessionUpdate === 'user_message_chunk'))
      .toBe(true);
    cut();
    expect(await asked).toMatchObject({ok: false, failure: {kind: 'connection_lost'}});
  });
});

/** A session whose agent can say something when it is idle. */
async function openIdle() {
  const sayIdle = Promise.withResolvers<(update: SessionUpdate) => Promise<void>>();
  const opened = await openVersion2(async ({say}) => sayIdle.resolve(say));
  return {...opened, say: async (update: SessionUpdate) => (await sayIdle.promise)(update)};
}

describe('an update of version 2', () => {
  test('is shown once as a message, streamed or whole', async () => {
    const updates = await turnOf(
      {sessionUpdate: 'agent_message_chunk', messageId: 'a', content: text('Hel')},
      {sessionUpdate: 'agent_message_chunk', messageId: 'a', content: text('lo')},
      {sessionUpdate: 'agent_message', messageId: 'a', content: [text('Hello')]},
      {sessionUpdate: 'agent_thought', messageId: 't', content: [text('Hm')]},
      {sessionUpdate: 'agent_message', messageId: 'a', content: [text('Bye')]},
    );
    expect(updates).toMatchObject([
      {messageId: 'a', content: text('Hel')},
      {messageId: 'a', content: text('lo')},
      {sessionUpdate: 'agent_thought_chunk', content: text('Hm')},
      {messageId: 'a', content: text('Bye'), _meta: {'acp-tui/replaces': true}},
    ]);
  });

  test('with a whole message continues what it said before', async () => {
    const updates = await turnOf(
      {sessionUpdate: 'agent_message', messageId: 'a', content: [text('Hel')]},
      {sessionUpdate: 'agent_message', messageId: 'a', content: [text('Hello')]},
      {sessionUpdate: 'agent_message', messageId: 'a', content: [text('Bye')]},
      {sessionUpdate: 'agent_message_chunk', messageId: 'a', content: text(' bye')},
      {sessionUpdate: 'agent_message', messageId: 'a', content: [text('Bye bye!')]},
    );
    expect(updates).toMatchObject([
      {messageId: 'a', content: text('Hel')},
      {messageId: 'a', content: text('lo')},
      {messageId: 'a', content: text('Bye'), _meta: {'acp-tui/replaces': true}},
      {messageId: 'a', content: text(' bye')},
      {messageId: 'a', content: text('!')},
    ]);
  });

  test('of a tool call is merged, with diffs as files before and after', async () => {
    const patch = [
      'diff --git a/src/a.ts b/src/a.ts',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -1,2 +1,2 @@',
      ' same',
      '-old',
      '+new',
      '',
    ].join('\n');
    const updates = await turnOf(
      {sessionUpdate: 'tool_call_update', toolCallId: 'c', title: 'Edit', kind: 'edit', status: 'paused'},
      {
        sessionUpdate: 'tool_call_content_chunk',
        toolCallId: 'c',
        content: {
          type: 'diff',
          changes: [
            {operation: 'modify', path: '/w/src/a.ts'},
            {operation: 'move', oldPath: '/w/b', path: '/w/c'},
          ],
          patch: {format: 'git_patch', text: patch},
        },
      },
      {
        sessionUpdate: 'tool_call_content_chunk',
        toolCallId: 'c',
        content: {type: 'content', content: text('ok')},
      },
      {sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed'},
    );
    const diff = {type: 'diff', path: '/w/src/a.ts', oldText: 'same\nold\n', newText: 'same\nnew\n'};
    const moved = {type: 'content', content: text('Moved /w/b to /w/c')};
    expect(updates).toMatchObject([
      {sessionUpdate: 'tool_call_update', title: 'Edit', kind: 'edit', status: 'in_progress'},
      {content: [diff, moved]},
      {content: [{content: text('ok')}], _meta: {'acp-tui/appends': true}},
      {status: 'completed'},
    ]);
  });

  test('of a terminal is in the tool call that shows it, or in a separate one', async () => {
    const bytes = (said: string) => Buffer.from(said).toString('base64');
    const updates = await turnOf(
      {sessionUpdate: 'terminal_update', terminalId: 't', command: 'make', cwd: '/w'},
      {sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: bytes('building')},
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'c',
        title: 'make',
        content: [{type: 'terminal', terminalId: 't'}],
      },
      {sessionUpdate: 'terminal_update', terminalId: 't', exitStatus: {exitCode: 2}},
      {sessionUpdate: 'terminal_update', terminalId: 'u', command: 'sleep 1', output: {data: bytes('zzz')}},
    );
    expect(updates).toMatchObject([
      {toolCallId: 'c', content: [{type: 'terminal', terminalId: 't'}]},
      {toolCallId: 'c', _meta: {terminal_info: {terminal_id: 't', cwd: '/w'}}},
      {toolCallId: 'c', _meta: {terminal_output: {data: 'building'}}},
      {toolCallId: 'c', _meta: {terminal_exit: {exit_code: 2}}},
      {sessionUpdate: 'tool_call', toolCallId: 'terminal-u', title: 'sleep 1', kind: 'execute'},
      {toolCallId: 'terminal-u', _meta: {terminal_info: {command: 'sleep 1'}}},
      {toolCallId: 'terminal-u', _meta: {terminal_output: {data: 'zzz'}}},
    ]);
  });

  test('of a terminal of which nobody asked while the agent is idle is in a call of its own', async () => {
    const {prompt, updates, say} = await openIdle();
    await prompt('go');
    await say({sessionUpdate: 'terminal_update', terminalId: 't', command: 'npm start'});
    await expect
      .poll(() => withoutTurn(updates))
      .toMatchObject([
        {sessionUpdate: 'tool_call', toolCallId: 'terminal-t', title: 'npm start'},
        {toolCallId: 'terminal-t', _meta: {terminal_info: {command: 'npm start'}}},
      ]);
  });

  test('of a terminal that is a new snapshot adds what is new in it, or replaces the output', async () => {
    const bytes = (said: string) => Buffer.from(said).toString('base64');
    const of = {sessionUpdate: 'terminal_update', terminalId: 't'} as const;
    const updates = await turnOf(
      {...of, command: 'make', output: {data: bytes('one')}},
      {sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: bytes(' two')},
      {...of, output: {data: bytes('one two')}},
      {...of, output: {data: bytes('one two three')}},
      {...of, output: {data: bytes('four')}},
    );
    const written = updates.flatMap((update) =>
      '_meta' in update ? ((update._meta?.['terminal_output'] as {data: string})?.data ?? []) : [],
    );
    expect(written).toEqual(['one', ' two', ' three', '\r\n\x1b[H\x1b[2J\x1b[3J', 'four']);
  });

  test('of another kind is passed on: plans, titles, usage, notices and unknown ones', async () => {
    const entry = {content: 'a', priority: 'high', status: 'pending'} as const;
    const updates = await turnOf(
      {sessionUpdate: 'plan_update', plan: {type: 'items', planId: 'p', entries: [entry]}},
      {sessionUpdate: 'session_info_update', title: 'Title'},
      {sessionUpdate: 'usage_update', used: 1, size: 2},
      {sessionUpdate: 'notice', severity: 'info', title: 'Note'},
      {sessionUpdate: '_confetti', amount: 3},
    );
    expect(updates.map(({sessionUpdate}) => sessionUpdate)).toEqual([
      'plan_update',
      'session_info_update',
      'usage_update',
      'notice',
      expect.anything(),
    ]);
    expect(JSON.stringify(updates.at(-1))).toContain('_confetti');
  });
});

test('-p speaks version 2 with --protocol 2', async () => {
  const program = `${import.meta.dirname}/../../../fixtures/v2-agent/main.ts`;
  const v2 = ['--agent', `${process.execPath} ${program}`, '--protocol', '2'];
  const {stdout, exitCode} = await runHere(['-p', ...v2, 'hello there']);
  expect(stdout).toContain('hello there');
  expect(exitCode).toBe(0);
  const other = await runHere(['-p', agentOption('echo'), '--protocol', '2', 'hello']);
  expect(other).toMatchObject({stdout: 'hello\n', exitCode: 0});
});
