import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {isProcessRunning} from '../../../support/program/running.ts';
import {idle, notices} from '../open-conversation.ts';
import {ask} from '../steps.ts';
import {hook, LASTING, logging, openWithHooks} from './open-with-hooks.ts';

const GO: Script = {turns: [[]]};
const LOADS: Script = {
  ...GO,
  results: {'session/load': null},
  initialize: {agentCapabilities: {loadSession: true}},
};

describe('a prompt', () => {
  test('gets what hooks print: as text, or as JSON, each with its name on the screen', async () => {
    const {go, prompts, state} = await openWithHooks(GO, {
      hooks: [
        hook('SessionStart', 'echo The branch is main.'),
        hook('UserPromptSubmit', 'printf \'{"hookSpecificOutput": {"additionalContext": "It is Friday."}}\''),
        hook('UserPromptSubmit', 'printf \'{"systemMessage": "Be nice."}\''),
      ],
    });
    await go();
    const said = (event: string, text: string) => ({
      type: 'text',
      text: `From a ${event} hook of the user's client:\n${text}`,
    });
    expect(prompts()[0]).toEqual([
      {type: 'text', text: 'go'},
      said('SessionStart', 'The branch is main.'),
      said('UserPromptSubmit', 'It is Friday.'),
    ]);
    const shown = notices(state()).join('\n');
    expect(shown).toContain('The branch is main.');
    expect(shown).toContain('It is Friday.');
    expect(shown).toContain('Be nice.');
    await go('again');
    expect(JSON.stringify(prompts()[1])).not.toContain('branch');
  });

  test('that is a command of the agent stays as it is; what was for it waits for the next one', async () => {
    const {go, prompts} = await openWithHooks(GO, {hooks: [hook('SessionStart', 'echo It is Friday.')]});
    await go('/compact');
    expect(prompts()).toEqual([[{type: 'text', text: '/compact'}]]);
    await go('hello');
    expect(JSON.stringify(prompts()[1])).toContain('It is Friday.');
  });

  test.each([
    ['exit code 2', 'echo No secrets, please. >&2; exit 2'],
    ['a decision', `printf '{"decision": "block", "reason": "No secrets, please."}'`],
  ])('is blocked by %s, with the reason; nothing is sent, and the next one is', async (_how, command) => {
    const {go, prompts, decisions} = await openWithHooks(GO, {
      hooks: [hook('UserPromptSubmit', `grep -q secret || exit 0; ${command}`)],
    });
    const {lastTurn} = await go('the secret\nis x');
    const by = expect.stringMatching(/^hook: grep -q secret .* \(user\)$/) as string;
    expect(lastTurn!.outcome).toEqual({
      kind: 'failed',
      failure: {kind: 'prompt_blocked', by, reason: 'No secrets, please.'},
    });
    expect(prompts()).toEqual([]);
    expect(decisions).toEqual([
      {
        sessionId: 'session-1',
        method: 'session/prompt',
        title: 'the secret',
        kind: 'other',
        outcome: 'rejected',
        by,
      },
    ]);
    await go('hello');
    expect(prompts()).toHaveLength(1);
  });

  test('is not sent if the turn is cancelled while its hook runs, which is named on the screen and stopped', async () => {
    const {conversation, prompt, until, prompts} = await openWithHooks(GO, {
      hooks: [hook('UserPromptSubmit', 'sleep 300; echo late')],
    });
    prompt('go');
    await until(
      (state) => notices(state).join().includes('Waiting for the hook: sleep 300; echo late'),
      'its name',
    );
    conversation.cancel();
    const {lastTurn} = await until(idle, 'the end');
    expect(lastTurn!.outcome).toEqual({kind: 'stopped', stopReason: 'cancelled'});
    expect(prompts()).toEqual([]);
  });
});

test('the end of a tool call, of a turn and of the session run hooks, once each', async () => {
  const {command, got} = logging();
  const call = {toolCallId: 'c', title: 'Write a.txt', kind: 'edit'};
  const diff = [{type: 'diff', path: '/x/a.txt', oldText: null, newText: 'new'}];
  const turn = [
    {update: {sessionUpdate: 'tool_call', ...call, status: 'pending'}},
    {update: {sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed', content: diff}},
    {update: {sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed', title: 'Wrote it'}},
    {update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'Done.'}}},
  ];
  const events = ['SessionStart', 'PostToolUse', 'Stop', 'SessionEnd'] as const;
  const {go, conversation} = await openWithHooks(
    {turns: [turn]},
    {hooks: events.map((event) => hook(event, command))},
  );
  await go();
  await conversation.close();
  expect(got()).toMatchObject([
    {hook_event_name: 'SessionStart', source: 'startup'},
    {
      hook_event_name: 'PostToolUse',
      tool_name: 'Edit',
      tool_input: {file_path: '/x/a.txt'},
      tool_response: {status: 'completed'},
    },
    {hook_event_name: 'Stop', stop_reason: 'end_turn', last_assistant_message: 'Done.'},
    {hook_event_name: 'SessionEnd', reason: 'exit'},
  ]);
});

test('a session that is loaded runs none for what is replayed', async () => {
  const {command, got} = logging();
  const loading = [
    {update: {sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Old', status: 'completed'}},
  ];
  const {conversation} = await openWithHooks(
    {loading, initialize: {agentCapabilities: {loadSession: true}}},
    {
      opening: {kind: 'continue', sessionId: 'old'},
      hooks: [hook('PostToolUse', command), hook('SessionStart', command)],
    },
  );
  await conversation.close();
  expect(got()).toMatchObject([{hook_event_name: 'SessionStart', source: 'resume'}]);
});

test('the answer of a hook counts behind a byte order mark', async () => {
  const {go, prompts} = await openWithHooks(GO, {
    hooks: [hook('UserPromptSubmit', String.raw`printf '\357\273\277{"decision": "block"}'`)],
  });
  await go('one');
  expect(prompts()).toEqual([]);
});

test.each([
  ['is missing', 'no-such-program-at-all', 'exited with code 127', {}],
  ['fails', 'echo broken >&2; exit 3', 'exited with code 3: broken', {}],
  ['prints garbage', "echo '{oops'", 'not an answer of a hook', {}],
  ['prints an unknown decision', `echo '{"decision": "maybe"}'`, 'unknown decision: maybe', {}],
  ['floods', 'yes flood', 'more than 64 KiB', {}],
  ['hangs', 'sleep 300', 'did not end within 0.1 s', {seconds: 0.1}],
])('a hook that %s is reported once, and the turn goes on', async (_how, command, problem, limit) => {
  const {go, prompts, state} = await openWithHooks(GO, {
    hooks: [hook('UserPromptSubmit', command, limit)],
  });
  await go('one');
  await go('two');
  expect(prompts()).toEqual([[{type: 'text', text: 'one'}], [{type: 'text', text: 'two'}]]);
  const failures = notices(state()).filter((text) => text.includes('failed, and was ignored'));
  expect(failures).toHaveLength(1);
  expect(failures[0]).toContain(problem);
});

/** Has left its session, cleared its environment and closed the files that it inherited, so that nothing tells where it comes from. */
const AWAY = `(setsid env -i /bin/bash -c 'exec 20<&-; : > away; exec /bin/sleep 20' &); until [ -e away ]; do sleep 0.01; done;`;

test.runIf(process.platform === 'linux').each([
  ['ends', `${AWAY} echo It is Friday.`, {}, {said: true}],
  ['runs too long', `${AWAY} sleep 300`, {seconds: 1}, {said: false}],
])('what a hook that %s leaves behind unfound is not waited for', async (_how, command, limit, {said}) => {
  const {go, prompts} = await openWithHooks(GO, {hooks: [hook('UserPromptSubmit', command, limit)]});
  const before = performance.now();
  await go();
  expect(performance.now() - before).toBeLessThan(15_000);
  expect(JSON.stringify(prompts()[0]).includes('It is Friday.')).toBe(said);
});

test('what a hook leaves behind ends with it, also if it holds the output open', async () => {
  const {go, prompts, state} = await openWithHooks(GO, {
    hooks: [hook('UserPromptSubmit', 'sleep 300 & echo It is Friday.')],
  });
  await go();
  expect(JSON.stringify(prompts()[0])).toContain('It is Friday.');
  expect(notices(state()).join()).not.toContain('failed');
});

describe('cancelling', () => {
  test.runIf(process.platform === 'linux')(
    'ends what a hook has started, also what has left its session and cleared its environment',
    async () => {
      const {conversation, cwd, prompt, until, hookRuns} = await openWithHooks(GO, {
        hooks: [
          hook(
            'UserPromptSubmit',
            `(setsid env -i sh -c 'echo $$ > pid; mv pid left; exec sleep 300' &); until [ -e left ]; do sleep 0.01; done; ${LASTING}`,
          ),
        ],
      });
      prompt('go');
      await hookRuns();
      const left = Number(readFileSync(path.join(cwd, 'left'), 'utf8'));
      expect(isProcessRunning(left)).toBe(true);
      conversation.cancel();
      await until(idle, 'the end');
      await expect.poll(() => isProcessRunning(left)).toBe(false);
    },
  );

  test.runIf(process.platform === 'linux')(
    'does not wait for what a hook leaves behind unfound',
    async () => {
      const {conversation, prompt, until, hookRuns} = await openWithHooks(GO, {
        hooks: [hook('UserPromptSubmit', `${AWAY} ${LASTING}`)],
      });
      prompt('go');
      await hookRuns();
      const before = performance.now();
      conversation.cancel();
      await until(idle, 'the end');
      expect(performance.now() - before).toBeLessThan(15_000);
    },
  );

  test('stops a hook of an earlier turn for which the prompt waits', async () => {
    const ran = path.join(temporaryFolder(), 'ran');
    const {conversation, go, prompt, until, hookRuns} = await openWithHooks(GO, {
      hooks: [hook('Stop', `test -e ${ran} && exit; touch ${ran}; ${LASTING}`)],
    });
    await go('one');
    prompt('two');
    await hookRuns();
    conversation.cancel();
    await until(idle, 'the end');
    expect((await go('three')).lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'end_turn'});
  });

  test('keeps what was for the agent for the next prompt', async () => {
    const {conversation, prompt, until, go, prompts, hookRuns} = await openWithHooks(GO, {
      hooks: [
        hook('SessionStart', 'echo It is Friday.'),
        hook('UserPromptSubmit', `grep -q slow && { ${LASTING}; }; exit 0`),
      ],
    });
    prompt('slow');
    await hookRuns();
    conversation.cancel();
    await until(idle, 'the end');
    expect(prompts()).toEqual([]);
    await go('again');
    expect(JSON.stringify(prompts()[0])).toContain('It is Friday.');
  });

  test('a prompt that waits for its hooks does not reach the agent, although those of a turn before a restart end', async () => {
    const wait =
      'n=1; while ! mkdir run$n; do n=$((n+1)); done; until [ -e end$n ]; do sleep 0.01; done; mkdir ended$n';
    const {conversation, cwd, prompt, until, sent} = await openWithHooks(LOADS, {
      hooks: [hook('UserPromptSubmit', wait)],
    });
    const there = async (name: string) => {
      await expect.poll(() => existsSync(path.join(cwd, name))).toBe(true);
    };
    prompt('one');
    await there('run1');
    await conversation.restart();
    await until(idle, 'the end of the first turn');
    prompt('two');
    await there('run2');
    writeFileSync(path.join(cwd, 'end1'), '');
    await there('ended1');
    await setImmediate();
    conversation.cancel();
    await until(idle, 'the end');
    expect(sent().map(({method}) => method)).not.toContain('session/cancel');
  });

  test('a prompt for a turn that is over when its hooks have ended is refused, and not sent', async () => {
    const {conversation, prompt, until, state, sent, hookRuns} = await openWithHooks(
      {turns: [[{cancelled: true}]], initialize: {_meta: {steering: {supported: true}}}},
      {hooks: [hook('UserPromptSubmit', `grep -q steered && { ${LASTING}; }; exit 0`)]},
    );
    prompt('go');
    await until(() => sent().some(({method}) => method === 'session/prompt'), 'the prompt');
    const steered = conversation.steer([{type: 'text', text: 'steered'}]);
    await hookRuns();
    conversation.cancel();
    expect(await steered).toEqual({ok: true, value: 'refused'});
    await until(() => state().turn.kind === 'idle', 'the end');
    expect(sent().map(({method}) => method)).not.toContain('_session/steering');
  });
});

test('what a hook has for the first prompt is in the one that is sent again after a sign-in', async () => {
  const {conversation, prompts, until} = await openWithHooks(
    {
      initialize: {authMethods: [{id: 'token', name: 'Access token'}]},
      results: {authenticate: {}},
      turns: [[{fail: {code: -32_000, message: 'Authentication required'}}], []],
    },
    {hooks: [hook('SessionStart', 'echo be nice')]},
  );
  const prompt = {text: 'go', content: [{type: 'text', text: 'go'} as const]};
  await conversation.changeQueue({kind: 'submit', prompt, place: 'last'});
  await until(({connection}) => connection.kind === 'authentication_required', 'the sign-in');
  await conversation.authenticate('token');
  await until(({lastTurn}) => lastTurn?.turn === 2, 'the prompt to be sent again');
  const [first, second] = prompts();
  expect(JSON.stringify(first)).toContain('be nice');
  expect(second).toEqual(first);
});

test('what a hook says after a tool call reaches an agent that takes prompts during a turn', async () => {
  const turn = [
    {update: {sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit', kind: 'edit', status: 'completed'}},
    {received: '_session/steering'},
  ];
  const {go, sent} = await openWithHooks(
    {
      turns: [turn],
      initialize: {_meta: {steering: {supported: true}}},
      results: {'_session/steering': {outcome: 'injected'}},
    },
    {hooks: [hook('PostToolUse', 'echo The linter found two problems. >&2; exit 2')]},
  );
  await go();
  const steered = sent().find(({method}) => method === '_session/steering');
  expect(JSON.stringify(steered?.params)).toContain('The linter found two problems.');
});

test('what a hook says that ends after another session was opened is not for that one', async () => {
  const {command, got} = logging();
  const slow = 'touch runs; until [ -e end ]; do sleep 0.01; done; echo >&2 Lint failed.; exit 2';
  const {conversation, cwd, go, prompts, hookRuns, state} = await openWithHooks(GO, {
    hooks: [hook('Stop', slow), hook('SessionEnd', command), hook('SessionEnd', 'echo Bye.')],
  });
  const {sessionId} = state();
  await go();
  await hookRuns();
  await conversation.openSession({kind: 'new'});
  writeFileSync(path.join(cwd, 'end'), '');
  await go('in the other');
  expect(prompts()[1]).toEqual([{type: 'text', text: 'in the other'}]);
  expect(got()).toMatchObject([{hook_event_name: 'SessionEnd', session_id: sessionId}]);
});

test('the text of a hook cannot control the terminal', async () => {
  const {go, state} = await openWithHooks(GO, {
    hooks: [hook('UserPromptSubmit', String.raw`printf '\033]0;owned\007\033[2Jhello'`)],
  });
  await go();
  expect(JSON.stringify(state())).not.toContain('\\u001b');
  expect(notices(state()).join()).toContain('hello');
});

test('its environment has the folder, the file and the message', async () => {
  const file = path.join(temporaryFolder(), 'places');
  const write = (name: string) => `echo "$${name} $PWD" >> ${file}`;
  const {cwd, go, conversation} = await openWithHooks(
    {turns: [ask('fs/write_text_file', {path: '$cwd/a.txt', content: 'x'})]},
    {
      approval: 'all',
      hooks: [
        hook('SessionStart', write('CLAUDE_PROJECT_DIR')),
        hook('PermissionRequest', write('ACP_TUI_FILE')),
        hook('Notification', write('ACP_TUI_MESSAGE')),
      ],
    },
  );
  await go();
  conversation.notified('demo is done');
  const lines = [`${cwd} ${cwd}`, `${cwd}/a.txt ${cwd}`, `demo is done ${cwd}`, ''];
  await expect.poll(() => readFileSync(file, 'utf8')).toBe(lines.join('\n'));
});
