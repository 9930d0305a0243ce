import type {SessionUpdate} from '@agentclientprotocol/sdk/experimental/v2';
import {describe, expect, test} from 'vitest';
import {contentItems} from '../../../src/session/content/content-items.ts';
import {stateLabel} from '../../../src/session/labels/tool-labels.ts';
import {messageText} from '../../../src/session/selectors.ts';
import {fileChangeOf} from '../../../src/session/transcript/diffs.ts';
import {only, opened, entriesOf, reduceUpdates} from '../../support/session/build.ts';
import {connect} from '../../../src/protocol/connect.ts';
import {v2Transport} from '../../../src/protocol/v2/v2-transport.ts';
import type {Update} from '../../../src/session/events.ts';
import {clientInfo, recordingHandlers, textOf} from './connect-fake.ts';
import {noRoots} from './connect-sdk-agent.ts';
import {openVersion2, text, turnOf, withoutTurn} from './connect-version-2.ts';

/** The session after the agent has sent these updates. */
async function sessionAfter(...sent: readonly object[]) {
  return reduceUpdates(opened, ...(await turnOf(...(sent as readonly SessionUpdate[]))));
}

const call = {sessionUpdate: 'tool_call_update', toolCallId: 'c'} as const;
const message = (content: unknown, messageId = 'm') => ({
  sessionUpdate: 'agent_message',
  messageId,
  content,
});

describe('a tool call of version 2', () => {
  const full = {
    ...call,
    title: 'Secret title',
    kind: 'edit',
    content: [{type: 'content', content: text('secret')}],
    locations: [{path: '/w/secret'}],
    rawInput: {path: 'secret'},
    rawOutput: {said: 'secret'},
  };
  const cleared = {title: null, content: null, locations: null, rawInput: null, rawOutput: null};

  test.each<[string, object[]]>([
    ['while it runs', [{...call, ...cleared}]],
    [
      'after its end',
      [
        {...call, status: 'completed'},
        {...call, ...cleared, content: []},
      ],
    ],
  ])('is cleared %s', async (_, later) => {
    const entry = only(await sessionAfter(full, ...later), 'tool_call');
    expect(JSON.stringify(entry)).not.toMatch(/secret/i);
    expect(entry).toMatchObject({content: [], locations: [], rawInput: undefined, rawOutput: undefined});
  });

  test('names the session of its subagent', async () => {
    const {content} = only(
      await sessionAfter({...call, title: 'Ask', content: [{type: 'session', sessionId: 's2'}]}),
      'tool_call',
    );
    expect(content).toMatchObject([{type: 'content', content: text('Subagent: session s2')}]);
  });

  test('is not cleared by what only acp-tui says in `_meta`', async () => {
    const _meta = {'acp-tui/cleared': ['rawInput'], 'acp-tui/status': 'paused'};
    const entry = only(await sessionAfter({...full, _meta}), 'tool_call');
    expect(entry).toMatchObject({status: 'pending', rawInput: {path: 'secret'}});
  });

  test('can be paused and cancelled', async () => {
    const paused = await sessionAfter({...call, title: 'Run', status: 'paused'});
    expect(stateLabel(only(paused, 'tool_call'))).toBe('paused');
    const cancelled = await sessionAfter({...call, title: 'Run', status: 'cancelled'});
    expect(stateLabel(only(cancelled, 'tool_call'))).toBe('cancelled');
  });

  test('shows the patch of a file in it, not in another of the same name', async () => {
    const text = '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old\n+new\n';
    const changes = ['/w/sub/a.ts', '/w/a.ts'].map((path) => ({operation: 'modify', path}));
    const {content} = only(
      await sessionAfter({
        ...call,
        content: [{type: 'diff', changes, patch: {format: 'git_patch', text}}],
      }),
      'tool_call',
    );
    expect(content).toMatchObject([
      {type: 'diff', path: '/w/a.ts'},
      {type: 'content', content: {text: 'Modified /w/sub/a.ts'}},
    ]);
  });

  test('shows a patch whose text is called as in the proposal', async () => {
    const diff = '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old\n+new\n';
    const changes = [{operation: 'modify', path: '/w/a.ts'}];
    const {content} = only(
      await sessionAfter({
        ...call,
        content: [{type: 'diff', changes, patch: {format: 'git_patch', diff}}],
      }),
      'tool_call',
    );
    expect(content).toMatchObject([{type: 'diff', path: '/w/a.ts', oldText: 'old\n', newText: 'new\n'}]);
  });
});

describe('a message of version 2', () => {
  test('is replaced where it is, with a line that says so', async () => {
    const session = await sessionAfter(
      message([text('Wrong')]),
      message([text('A')], 'n'),
      message([text('Right')]),
    );
    expect(entriesOf(session, 'agent_message').map(messageText)).toEqual(['Right', 'A']);
    expect(only(session, 'notice').text).toBe('The agent has changed a message.');
  });

  test.each([[null], [[]]])('is withdrawn with %j', async (content) => {
    const session = await sessionAfter(message([text('Secret')]), message(content));
    expect(JSON.stringify([...session.entries])).not.toContain('Secret');
    expect(only(session, 'notice').text).toBe('The agent has withdrawn a message.');
  });

  test('stays as it is if only the space at its end differs, or only its metadata', async () => {
    const session = await sessionAfter(message([text('Same \n')]), message([text('Same')]), {
      ...message(undefined),
      _meta: {a: 1},
    });
    expect(session.entries).toHaveLength(1);
  });

  test('is also withdrawn long after it was sent', async () => {
    const others = Array.from({length: 80}, (_, index) => message([text(`m${index}`)], `m${index}`));
    const session = await sessionAfter(message([text('Secret')]), ...others, message([]));
    expect(JSON.stringify([...session.entries])).not.toContain('Secret');
  });
});

test('a message of version 2 is known by its kind and its ID', async () => {
  const thought = {sessionUpdate: 'agent_thought_chunk', messageId: 'm', content: text('Hello')};
  const updates = await turnOf(thought as SessionUpdate, message([text('Hello world')]) as SessionUpdate);
  expect(updates).toMatchObject([{content: text('Hello')}, {content: text('Hello world')}]);
});

test.each([[0], [1]])(
  'a call of version 2 has no content of an earlier one, %i turns before',
  async (turns) => {
    const diff = {type: 'content', content: text('of the first')};
    const chunk = {type: 'content', content: text('of the second')};
    const first = [
      {...call, title: 'A', content: [diff]},
      {...call, status: 'completed'},
    ];
    const second = [
      {...call, title: 'B', status: 'pending'},
      {sessionUpdate: 'tool_call_content_chunk', toolCallId: 'c', content: chunk},
    ];
    const sent = turns === 0 ? [[...first, ...second]] : [first, second];
    const {prompt, updates} = await openVersion2(async ({say}) => {
      for (const update of sent.shift() ?? []) await say(update as SessionUpdate);
    });
    for (const words of sent.map(() => 'go')) await prompt(words);
    expect(updates.findLast(({sessionUpdate}) => sessionUpdate === 'tool_call_update')).toMatchObject({
      content: [chunk],
    });
  },
);

test('a session of version 2 that is loaded again is told from its beginning', async () => {
  const {connection, updates} = await openVersion2(async () => {});
  const load = async () => {
    updates.length = 0;
    await connection.loadSession('old', noRoots);
    return withoutTurn(updates);
  };
  const once = await load();
  expect(once).not.toEqual([]);
  expect(await load()).toEqual(once);
});

describe('malformed version 2', () => {
  const changesOf = async (content: unknown) => {
    const {content: parts} = only(await sessionAfter({...call, kind: 'edit', content}), 'tool_call');
    return parts.map((part) => fileChangeOf(part, 'edit'));
  };

  test.each<[unknown]>([
    [[{type: 'diff', changes: 'all'}]],
    [[{type: 'diff', changes: [{operation: 'delete'}]}]],
    [[{type: 'diff', changes: [7]}]],
    [{type: 'diff'}],
  ])('changes count as changes of any file: %j', async (content) => {
    expect(await changesOf(content)).toEqual([{does: 'other', path: '/'}]);
  });

  test('changes beside others are kept', async () => {
    const content = [
      {
        type: 'diff',
        changes: [
          {operation: 'delete', path: 5},
          {operation: 'delete', path: '/w/a'},
        ],
      },
    ];
    expect(await changesOf(content)).toEqual([
      {does: 'other', path: '/'},
      {does: 'delete', path: '/w/a'},
    ]);
  });

  test.each<[object]>([
    [{sessionUpdate: 'terminal_update', terminalId: 5}],
    [{sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: 5}],
    [{sessionUpdate: 'tool_call_content_chunk', toolCallId: 'c', content: 'x'}],
    [{sessionUpdate: 'tool_call_update', title: 'no id'}],
    [{sessionUpdate: 'state_update'}],
    [{sessionUpdate: 'cursor_update'}],
    [{sessionUpdate: 5}],
  ])('updates are shown, and the turn goes on: %j', async (update) => {
    expect(await turnOf(update as SessionUpdate)).toMatchObject([{sessionUpdate: '_unknown'}]);
  });

  /** Cannot be converted to a string or a number. */
  const odd = {toString: 1, valueOf: 1};

  test('names and errors that are no text do not end the connection', async () => {
    const {prompt} = await openVersion2(async ({say}) => {
      await say({...message([{type: 'skill', name: odd}])} as SessionUpdate);
      const error = {code: odd, message: odd};
      await say({sessionUpdate: 'state_update', state: 'idle', stopReason: 'error', error} as never);
    });
    expect(await prompt('go')).toMatchObject({failure: {kind: 'agent_error', message: 'The turn failed'}});
    expect(await prompt('go')).toMatchObject({failure: {kind: 'agent_error'}});
  });

  test('requests are refused, and never allowed', async () => {
    const answers: unknown[] = [];
    const {prompt} = await openVersion2(async ({client, sessionId}) => {
      const ask = (params: object) =>
        client.request('session/request_permission' as '_x', params).then(
          (answer) => answers.push(answer),
          (error: unknown) => answers.push((error as {code: number}).code),
        );
      await ask({sessionId, title: 'Sure?', options: 'all'});
      await ask({title: 'Sure?'});
      await ask({sessionId, title: 5, subject: 7, options: [{optionId: 5}]});
      await client
        .request('fs/read_text_file' as '_x', {sessionId, path: '/etc/passwd'})
        .catch((error: unknown) => answers.push((error as {code: number}).code));
    });
    expect(await prompt('go')).toMatchObject({ok: true});
    expect(answers).toEqual([-32602, -32602, -32602, -32601]);
  });
});

test('bookkeeping of version 2 is not shown', async () => {
  const anchor = {type: 'agent_message', messageId: 'm', position: 'after'};
  const session = await sessionAfter(
    message([text('Hello')]),
    {sessionUpdate: 'cursor_update', cursorId: 'k', capabilities: {fork: {}}, anchor},
    {sessionUpdate: 'replay_complete'},
    {sessionUpdate: 'prompt_suggestions_update', suggestions: [{prompt: [text('Run the tests')]}]},
  );
  expect(session.entries).toHaveLength(1);
  expect(session.live).toMatchObject({
    cursors: {cursorId: 'k', canFork: true, anchor: {messageId: 'm', position: 'after'}},
    suggestion: 'Run the tests',
  });
});

test('the usage of a turn of version 2 comes with the idle state', async () => {
  const usage = {totalTokens: 3, inputTokens: 1, outputTokens: 2};
  const {prompt} = await openVersion2(async ({say}) => {
    await say({sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn', usage});
  });
  expect(await prompt('go')).toMatchObject({value: {stopReason: 'end_turn', usage}});
});

test('a skill of version 2 is called as a command, named in a block of its own, and echoed as it is typed', async () => {
  const skill = {type: 'skill', name: 'review', description: 'Reviews'};
  const echo = {type: 'skill', name: 'review'};
  const {prompt, requests, updates} = await openVersion2(async ({say}) => {
    await say({sessionUpdate: 'available_commands_update', availableCommands: [skill]} as SessionUpdate);
    await say({sessionUpdate: 'agent_message', messageId: 'a', content: [echo]} as SessionUpdate);
  });
  await prompt('hello');
  expect(updates).toContainEqual(
    expect.objectContaining({availableCommands: [expect.objectContaining({name: 'review'})]}),
  );
  expect(updates).toContainEqual(expect.objectContaining({content: text('/review ')}));
  await prompt('/review the last commit');
  await prompt('/reviewer');
  expect(requests('session/prompt').map((params) => params['prompt'])).toEqual([
    [text('hello')],
    [{type: 'skill', name: 'review'}, text('the last commit')],
    [text('/reviewer')],
  ]);
});

test('each prompt of version 2 has a key of its own, so that the agent takes it once', async () => {
  const {prompt, requests} = await openVersion2(async () => {});
  await prompt('one');
  await prompt('two');
  const keys = requests('session/prompt').map((params) => params['idempotencyKey']);
  expect(new Set(keys.filter((key) => typeof key === 'string')).size).toBe(2);
});

test('what can be cancelled alone in version 2 is asked for by its session and ID', async () => {
  const cancel = {capabilities: {cancel: {}}};
  const {prompt, updates, connection, sessionId, requests} = await openVersion2(async ({say}) => {
    await say({sessionUpdate: 'tool_call_update', toolCallId: 'c', title: 'Index', ...cancel});
    await say({sessionUpdate: 'terminal_update', terminalId: 't', command: 'npm run watch', ...cancel});
    await say({sessionUpdate: 'tool_call_update', toolCallId: 'c', capabilities: null});
  });
  await prompt('go');
  expect(withoutTurn(updates)).toMatchObject([
    {_meta: {'acp-tui/cancel': true}},
    {_meta: {'acp-tui/cancel': false}},
    {sessionUpdate: 'tool_call'},
    {_meta: {terminal_info: {terminal_id: 't', command: 'npm run watch', capabilities: {cancel: {}}}}},
  ]);
  await connection.cancelToolCall(sessionId, 'c');
  await connection.cancelTerminal(sessionId, 't');
  expect(requests('tool_call/cancel')).toEqual([{sessionId, toolCallId: 'c'}]);
  expect(requests('terminal/cancel')).toEqual([{sessionId, terminalId: 't'}]);
});

test('a Markdown plan is opened as its file, and without one as a text', async () => {
  const plan = {type: 'markdown', planId: 'p', content: '# Plan'};
  const items = async (own: object) =>
    contentItems(await sessionAfter({sessionUpdate: 'plan_update', plan: {...plan, ...own}}));
  expect(await items({path: '/work/plan.md'})).toMatchObject([{kind: 'location', target: '/work/plan.md'}]);
  expect(await items({})).toMatchObject([{kind: 'text', name: 'plan.md'}]);
  expect(await items({_meta: {'acp-tui/path': '/etc/passwd'}})).toMatchObject([{kind: 'text'}]);
});

test('a batch of version 2 is handled message by message', async () => {
  const toClient = new TransformStream<readonly string[], readonly string[]>();
  const lines = toClient.writable.getWriter();
  const updates: Update[] = [];
  const transport = v2Transport({lines: toClient.readable, send: () => Promise.resolve()});
  const connection = connect(transport, recordingHandlers(updates), {clientInfo});
  const said = (part: string) => ({
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId: 's',
      update: {sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text(part)},
    },
  });
  await lines.write([JSON.stringify([said('one'), said('two')])]);
  await expect.poll(() => textOf(updates)).toBe('onetwo');
  connection.close();
});
