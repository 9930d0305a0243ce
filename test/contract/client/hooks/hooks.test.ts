import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import type {ClientOptions} from '../../../../src/client/options.ts';
import {ruleOf, type DecisionRecord} from '../../../../src/session/requests/permission-rules.ts';
import type {HookEvent, Hook} from '../../../../src/session/settings/hooks.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {ask, permission} from '../steps.ts';
import {noPermissions} from '../client-defaults.ts';
import {idle, openScripted} from '../open-client.ts';

const GO: Script = {turns: [[]]};

function hook(event: HookEvent, command: string, more: Partial<Hook> = {}): Hook {
  return {event, command, matcher: undefined, seconds: 30, source: 'user', ...more};
}

interface Opening extends Partial<ClientOptions> {
  readonly hooks: readonly Hook[];
  /** Texts of rules by effect. */
  readonly rules?: readonly (readonly ['allow' | 'ask' | 'deny', string])[];
}

/** A session with hooks; `decisions` is the log of decisions. */
async function open(script: Script, {hooks, rules = [], ...options}: Opening) {
  const decisions: Omit<DecisionRecord, 'at'>[] = [];
  const parsed = rules.map(([effect, text]) => ruleOf(effect, text, 'user')!);
  const permissions = {
    ...noPermissions,
    rules: () => parsed,
    hooks: () => hooks,
    decided: (decision: Omit<DecisionRecord, 'at'>) => void decisions.push(decision),
  };
  const opened = await openScripted(script, {permissions, ...options});
  const prompts = () =>
    opened
      .sent()
      .filter(({method}) => method === 'session/prompt')
      .map(({params}) => params!['prompt']);
  const go = async (text = 'go') => {
    const before = opened.state().lastTurn?.turn ?? 0;
    opened.prompt(text);
    return opened.until(
      (state) => idle(state) && (state.lastTurn?.turn ?? 0) > before,
      `the end of the turn "${text}"`,
    );
  };
  return {...opened, decisions, prompts, go};
}

const notices = ({entries}: SessionState) =>
  entries.flatMap((entry) => (entry.type === 'notice' ? [entry.text] : []));

/** A command that appends what it gets to a file, and the JSON in it so far. */
function logging() {
  const file = path.join(temporaryFolder(), 'log');
  writeFileSync(file, '');
  return {
    command: `cat >> ${file}`,
    got: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe('a prompt', () => {
  test('gets what hooks print: as text, or as JSON, each with its name on the screen', async () => {
    const {go, prompts, state} = await open(GO, {
      hooks: [
        hook('SessionStart', 'echo The branch is main.'),
        hook('UserPromptSubmit', 'printf \'{"hookSpecificOutput": {"additionalContext": "It is Friday."}}\''),
        hook('UserPromptSubmit', 'printf \'{"systemMessage": "Be nice."}\''),
      ],
    });
    await go();
    const said = (event: string, command: string, text: string) => ({
      type: 'text',
      text: `From the user's ${event} hook (${command}):\n${text}`,
    });
    expect(prompts()[0]).toEqual([
      {type: 'text', text: 'go'},
      said('SessionStart', 'echo The branch is main.', 'The branch is main.'),
      said(
        'UserPromptSubmit',
        'printf \'{"hookSpecificOutput": {"additionalContext": "It is Friday."}}\'',
        'It is Friday.',
      ),
    ]);
    const shown = notices(state()).join('\n');
    expect(shown).toContain('The branch is main.');
    expect(shown).toContain('It is Friday.');
    expect(shown).toContain('Be nice.');
    await go('again');
    expect(JSON.stringify(prompts()[1])).not.toContain('branch');
  });

  test('that is a command of the agent stays as it is; what was for it waits for the next one', async () => {
    const {go, prompts} = await open(GO, {hooks: [hook('SessionStart', 'echo It is Friday.')]});
    await go('/compact');
    expect(prompts()).toEqual([[{type: 'text', text: '/compact'}]]);
    await go('hello');
    expect(JSON.stringify(prompts()[1])).toContain('It is Friday.');
  });

  test.each([
    ['exit code 2', 'echo No secrets, please. >&2; exit 2'],
    ['a decision', `printf '{"decision": "block", "reason": "No secrets, please."}'`],
  ])('is blocked by %s, with the reason; nothing is sent, and the next one is', async (_how, command) => {
    const {go, prompts, decisions} = await open(GO, {
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

  test('is not sent if the turn is cancelled while its hook runs, which is stopped', async () => {
    const {client, prompt, until, prompts} = await open(GO, {
      hooks: [hook('UserPromptSubmit', 'sleep 300; echo late')],
    });
    prompt('go');
    await until(
      (state) => notices(state).some((text) => text.includes('Waiting for the hook')),
      'the notice',
    );
    client.cancel();
    const {lastTurn} = await until(idle, 'the end');
    expect(lastTurn!.outcome).toEqual({kind: 'stopped', stopReason: 'cancelled'});
    expect(prompts()).toEqual([]);
  });
});

describe('a permission request', () => {
  const request: Script = {
    turns: [
      [
        {
          update: {
            sessionUpdate: 'tool_call',
            toolCallId: 'call-may',
            title: 'Delete it',
            kind: 'delete',
            locations: [{path: '$cwd/a.txt'}],
          },
        },
        permission('may'),
        {answered: 'may'},
      ],
    ],
  };
  const selected = (optionId: string) => ({outcome: {outcome: 'selected', optionId}});
  const answers = (behavior: string, message?: string) =>
    `printf '${JSON.stringify({hookSpecificOutput: {decision: {behavior, message}}})}'`;

  test('is allowed by a hook, which stands in the transcript and in the log', async () => {
    const {go, answerTo, state, decisions} = await open(request, {
      hooks: [hook('PermissionRequest', answers('allow'))],
    });
    await go();
    expect((await answerTo('may')).result).toEqual(selected('yes'));
    const by = expect.stringContaining('hook: printf') as string;
    expect(state().entries.find(({type}) => type === 'tool_call')).toMatchObject({
      permission: {outcome: 'allowed', by},
    });
    expect(decisions).toMatchObject([{method: 'session/request_permission', outcome: 'allowed', by}]);
  });

  test('is denied with a reason, which the agent gets with the next prompt', async () => {
    const {go, answerTo, prompts} = await open(request, {
      approval: 'all',
      hooks: [hook('PermissionRequest', answers('deny', 'Not on Fridays.'))],
    });
    await go();
    expect((await answerTo('may')).result).toEqual(selected('no'));
    await go('again');
    expect(JSON.stringify(prompts()[1])).toContain('Not on Fridays.');
  });

  test.each([
    ['a deny rule beats its yes', [['deny', 'delete']], 'allow', 'no'],
    ['its no beats an allow rule', [['allow', 'delete']], 'deny', 'no'],
    ['an ask rule beats its yes', [['ask', 'delete']], 'allow', 'asks'],
    ['its question beats an allow rule', [['allow', 'delete']], 'ask', 'asks'],
  ] as const)('%s', async (_name, rules, behavior, expected) => {
    const {prompt, until, answerTo, client} = await open(request, {
      rules,
      hooks: [hook('PermissionRequest', answers(behavior))],
    });
    prompt('go');
    if (expected === 'asks') {
      const {pending} = await until((state) => state.pending.length > 0, 'the question');
      client.answer(pending[0]!.id, {kind: 'option', index: 1});
    }
    expect((await answerTo('may')).result).toEqual(selected('no'));
  });

  test('of several hooks the strictest decides', async () => {
    const {go, answerTo} = await open(request, {
      hooks: [hook('PermissionRequest', answers('allow')), hook('PermissionRequest', answers('deny'))],
    });
    await go();
    expect((await answerTo('may')).result).toEqual(selected('no'));
  });

  test('names a protected path: a hook cannot allow it', async () => {
    const write = ask('fs/write_text_file', {path: '$cwd/.git/config', content: 'x'});
    const {prompt, until, client} = await open(
      {turns: [write]},
      {hooks: [hook('PermissionRequest', answers('allow'))]},
    );
    prompt('go');
    const {pending} = await until((state) => state.pending.length > 0, 'the question');
    expect(pending[0]).toMatchObject({call: {kind: 'edit'}});
    client.answer(pending[0]!.id, {kind: 'cancelled'});
  });

  test('has the names of Claude Code: a matcher for Bash or Write finds a command or a change of any agent', async () => {
    const {command, got} = logging();
    const turn = [
      ...ask('terminal/create', {command: 'echo', args: ['a b']}, 'run'),
      ...ask('fs/write_text_file', {path: '$cwd/a.txt', content: 'new'}),
    ];
    const {go, cwd} = await open(
      {turns: [turn]},
      {
        approval: 'all',
        hooks: [
          hook('PermissionRequest', command, {matcher: 'Bash'}),
          hook('PermissionRequest', command, {matcher: 'Write|NotebookEdit'}),
          hook('PermissionRequest', command, {matcher: 'Rea'}),
        ],
      },
    );
    await go();
    expect(got()).toMatchObject([
      {
        session_id: 'session-1',
        cwd,
        hook_event_name: 'PermissionRequest',
        agent: {name: 'fake'},
        tool_name: 'Bash',
        tool_input: {command: "echo 'a b'", cwd},
      },
      {tool_name: 'Edit', tool_input: {file_path: `${cwd}/a.txt`, content: 'new'}},
    ]);
  });

  test('a command whose call claims to be something else is one for Bash', async () => {
    const call = {toolCallId: 'c', title: 'Look', kind: 'read', rawInput: {command: 'rm -r x'}};
    const params = {
      sessionId: '$session',
      toolCall: call,
      options: [
        {optionId: 'yes', name: 'Allow', kind: 'allow_once'},
        {optionId: 'no', name: 'Reject', kind: 'reject_once'},
      ],
    };
    const {go, answerTo} = await open(
      {turns: [[{ask: 'may', method: 'session/request_permission', params}, {answered: 'may'}]]},
      {approval: 'all', hooks: [hook('PermissionRequest', 'exit 2', {matcher: 'Bash'})]},
    );
    await go();
    expect((await answerTo('may')).result).toEqual(selected('no'));
  });

  test('of a cancelled turn is answered at once, although its hook still runs', async () => {
    const {prompt, until, client, answerTo} = await open(request, {
      hooks: [hook('PermissionRequest', 'sleep 300')],
    });
    prompt('go');
    await until(
      (state) => notices(state).some((text) => text.includes('Waiting for the hook')),
      'the notice',
    );
    client.cancel();
    expect((await answerTo('may')).result).toEqual({outcome: {outcome: 'cancelled'}});
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
  const {go, client} = await open({turns: [turn]}, {hooks: events.map((event) => hook(event, command))});
  await go();
  await client.close();
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
  const {client} = await open(
    {loading, initialize: {agentCapabilities: {loadSession: true}}},
    {
      opening: {kind: 'continue', sessionId: 'old'},
      hooks: [hook('PostToolUse', command), hook('SessionStart', command)],
    },
  );
  await client.close();
  expect(got()).toMatchObject([{hook_event_name: 'SessionStart', source: 'resume'}]);
});

test.each([
  ['is missing', 'no-such-program-at-all', 'exited with code 127'],
  ['fails', 'echo broken >&2; exit 3', 'exited with code 3: broken'],
  ['prints garbage', "echo '{oops'", 'not an answer of a hook'],
  ['prints an unknown decision', `echo '{"decision": "maybe"}'`, 'unknown decision: maybe'],
  ['floods', 'yes flood', 'more than 64 KiB'],
  ['hangs', 'sleep 300', 'did not end within 1 s'],
  ['leaves its output open', 'sleep 300 &', 'did not end within 1 s'],
])('a hook that %s is reported once, and the turn goes on', async (_how, command, problem) => {
  const {go, prompts, state} = await open(GO, {hooks: [hook('UserPromptSubmit', command, {seconds: 1})]});
  await go('one');
  await go('two');
  expect(prompts()).toEqual([[{type: 'text', text: 'one'}], [{type: 'text', text: 'two'}]]);
  const failures = notices(state()).filter((text) => text.includes('failed, and was ignored'));
  expect(failures).toHaveLength(1);
  expect(failures[0]).toContain(problem);
});

test('what a hook says after a tool call reaches an agent that takes prompts during a turn', async () => {
  const turn = [
    {update: {sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit', kind: 'edit', status: 'completed'}},
    {received: '_session/steering'},
  ];
  const {go, sent} = await open(
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

test('the text of a hook cannot control the terminal', async () => {
  const {go, state} = await open(GO, {
    hooks: [hook('UserPromptSubmit', String.raw`printf '\033]0;owned\007\033[2Jhello'`)],
  });
  await go();
  expect(JSON.stringify(state())).not.toContain('\\u001b');
  expect(notices(state()).join()).toContain('hello');
});

test('its environment has the folder, the file and the message', async () => {
  const file = path.join(temporaryFolder(), 'places');
  const write = (name: string) => `echo "$${name} $PWD" >> ${file}`;
  const {cwd, go, client} = await open(
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
  client.notified('demo is done');
  const lines = [`${cwd} ${cwd}`, `${cwd}/a.txt ${cwd}`, `demo is done ${cwd}`, ''];
  await expect.poll(() => readFileSync(file, 'utf8')).toBe(lines.join('\n'));
});
