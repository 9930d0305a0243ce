import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {matchesName} from '../../../../src/conversation/hooks/matches-name.ts';
import {ask, permission} from '../steps.ts';
import type {Hook} from '../../../../src/session/settings/hooks.ts';
import {hook, LASTING, logging, openWithHooks} from './open-with-hooks.ts';

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
    const {go, answerTo, state, decisions} = await openWithHooks(request, {
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
    const {go, answerTo, prompts} = await openWithHooks(request, {
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
    const {prompt, until, answerTo, conversation} = await openWithHooks(request, {
      rules,
      hooks: [hook('PermissionRequest', answers(behavior))],
    });
    prompt('go');
    if (expected === 'asks') {
      const {pending} = await until((state) => state.pending.length > 0, 'the question');
      void conversation.answer(pending[0]!.id, {kind: 'option', index: 1});
    }
    expect((await answerTo('may')).result).toEqual(selected('no'));
  });

  test('with several answers that allow it once is answered by no hook that allows it', async () => {
    const options = ['one', 'two'].map((optionId) => ({optionId, name: optionId, kind: 'allow_once'}));
    const toolCall = {
      toolCallId: 'call-may',
      title: 'Delete it',
      kind: 'delete',
      locations: [{path: '$cwd/a.txt'}],
    };
    const {prompt, until, answerTo, conversation} = await openWithHooks(
      {turns: [ask('session/request_permission', {toolCall, options})]},
      {hooks: [hook('PermissionRequest', answers('allow'))]},
    );
    prompt('go');
    const {pending} = await until((state) => state.pending.length > 0, 'the question');
    expect(pending).toMatchObject([{kind: 'permission'}]);
    void conversation.answer(pending[0]!.id, {kind: 'option', index: 1});
    expect((await answerTo('it')).result).toEqual(selected('two'));
  });

  test('of several hooks the strictest decides', async () => {
    const {go, answerTo} = await openWithHooks(request, {
      hooks: [hook('PermissionRequest', answers('allow')), hook('PermissionRequest', answers('deny'))],
    });
    await go();
    expect((await answerTo('may')).result).toEqual(selected('no'));
  });

  test('names a protected path: a hook cannot allow it', async () => {
    const write = ask('fs/write_text_file', {path: '$cwd/.git/config', content: 'x'});
    const {prompt, until, conversation} = await openWithHooks(
      {turns: [write]},
      {hooks: [hook('PermissionRequest', answers('allow'))]},
    );
    prompt('go');
    const {pending} = await until((state) => state.pending.length > 0, 'the question');
    expect(pending[0]).toMatchObject({call: {kind: 'edit'}});
    void conversation.answer(pending[0]!.id, {kind: 'cancelled'});
  });

  test('has the names of Claude Code: a matcher for Bash or Write finds a command or a change of any agent', async () => {
    const {command, got} = logging();
    const turn = [
      ...ask('terminal/create', {command: 'echo', args: ['a b']}, 'run'),
      ...ask('fs/write_text_file', {path: '$cwd/a.txt', content: 'new'}),
    ];
    const {go, cwd} = await openWithHooks(
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
    const {go, answerTo} = await openWithHooks(
      {turns: [[permission('may', call), {answered: 'may'}]]},
      {approval: 'all', hooks: [hook('PermissionRequest', 'exit 2', {matcher: 'Bash'})]},
    );
    await go();
    expect((await answerTo('may')).result).toEqual(selected('no'));
  });

  const hooksOf = (toolCall: object, hooks: readonly Hook[]) =>
    openWithHooks(
      {
        turns: [[permission('may', {toolCallId: 'c', title: 'Do it', ...toolCall}), {answered: 'may'}]],
      },
      {approval: 'all', hooks},
    );
  const diff = (file: string, more: object = {}) => ({
    type: 'diff',
    path: `$cwd/${file}`,
    newText: '',
    ...more,
  });
  const deletion = diff('b', {deleted: true});

  test.each<[string, string, object]>([
    ['a script', 'Bash', {rawInput: {script: 'rm -rf build'}}],
    ['a bare text', 'Bash', {rawInput: 'rm -rf build'}],
    ['a command in an object', 'Bash', {rawInput: {input: {command: 'rm -rf build'}}}],
    ['a list of words', 'Bash', {rawInput: {argv: ['rm', '-rf', 'build']}}],
    ['a terminal', 'Bash', {content: [{type: 'terminal', terminalId: 'x'}]}],
    ['a diff in a request without a kind', 'Edit|Write', {content: [diff('a')]}],
    [
      'a diff beside a command',
      'Edit|Write',
      {kind: 'execute', rawInput: {command: 'ls'}, content: [diff('a')]},
    ],
    ['an edit beside a deletion', 'Edit|Write', {kind: 'edit', content: [deletion, diff('a')]}],
    ['a deletion beside an edit', 'Delete', {kind: 'edit', content: [diff('a'), deletion]}],
    ['an edit in a request to fetch', 'WebFetch', {kind: 'fetch', content: [diff('a')]}],
    ['a patch', 'Edit|Write', {rawInput: {patch: '*** Update File: a'}}],
  ])('with %s is one for %s', async (_what, matcher, toolCall) => {
    const {go, answerTo} = await hooksOf(toolCall, [hook('PermissionRequest', 'exit 2', {matcher})]);
    await go();
    expect((await answerTo('may')).result).toEqual(selected('no'));
  });

  test.each<[string, object]>([
    ['diffs', {kind: 'edit', content: [diff('a'), diff('migrations/b')]}],
    [
      'a location and a file in the input',
      {kind: 'edit', locations: [{path: 'a'}], rawInput: {file_path: 'migrations/b'}},
    ],
    [
      'a diff and a patch',
      {kind: 'edit', content: [diff('a')], rawInput: {patch: '*** Update File: migrations/b'}},
    ],
  ])('is asked about by each of its files: %s', async (_what, toolCall) => {
    const no = 'case "$ACP_TUI_FILE" in */migrations/*) exit 2;; esac';
    const {go, answerTo} = await hooksOf(toolCall, [hook('PermissionRequest', no, {matcher: 'Edit|Write'})]);
    await go();
    expect((await answerTo('may')).result).toEqual(selected('no'));
  });

  test('is allowed only if all that it does is', async () => {
    const content = [diff('a'), diff('b')];
    const yes = `case "$ACP_TUI_FILE" in */a) ${answers('allow')};; esac`;
    const opening = await openWithHooks(
      {
        turns: [
          [permission('may', {toolCallId: 'c', title: 'Edit', kind: 'edit', content}), {answered: 'may'}],
        ],
      },
      {hooks: [hook('PermissionRequest', yes)]},
    );
    opening.prompt('go');
    const {pending} = await opening.until((state) => state.pending.length > 0, 'the question');
    expect(pending).toMatchObject([
      {call: {content: [{path: `${opening.cwd}/a`}, {path: `${opening.cwd}/b`}]}},
    ]);
    void opening.conversation.answer(pending[0]!.id, {kind: 'cancelled'});
  });

  const many = {kind: 'edit', content: Array.from({length: 51}, (_, n) => diff(`${n}`))};

  test('about more than 50 files is asked about once, and never allowed', async () => {
    const {command, got} = logging();
    const hooks = [hook('PermissionRequest', `${command}; ${answers('allow')}`)];
    const opening = await hooksOf(many, hooks);
    opening.prompt('go');
    const {pending} = await opening.until((state) => state.pending.length > 0, 'the question');
    expect(got()).toMatchObject([{tool_name: 'Edit'}]);
    expect(JSON.stringify(got())).not.toContain('file_path');
    void opening.conversation.answer(pending[0]!.id, {kind: 'cancelled'});
  });

  test.each([
    ['can be denied', 'Edit', 'no'],
    ['is not asked about without a hook for it', 'Bash', 'yes'],
  ])('about more than 50 files %s', async (_what, matcher, answer) => {
    const {go, answerTo} = await hooksOf(many, [hook('PermissionRequest', 'exit 2', {matcher})]);
    await go();
    expect((await answerTo('may')).result).toEqual(selected(answer));
  });

  test('gets all commands, in one text', async () => {
    const {command, got} = logging();
    const rawInput = {command: 'ls', next: {argv: ['rm', 'a b']}};
    const {go} = await hooksOf({kind: 'execute', rawInput}, [hook('PermissionRequest', command)]);
    await go();
    expect(got()).toMatchObject([{tool_name: 'Bash', tool_input: {command: "ls\nrm 'a b'"}}]);
  });

  test('of a cancelled turn is answered at once, although its hook still runs', async () => {
    const {prompt, conversation, answerTo, hookRuns} = await openWithHooks(request, {
      hooks: [hook('PermissionRequest', LASTING)],
    });
    prompt('go');
    await hookRuns();
    conversation.cancel();
    expect((await answerTo('may')).result).toEqual({outcome: {outcome: 'cancelled'}});
  });

  test('whose turn is cancelled before its hook has decided does not happen, whatever the level', async () => {
    const write = ask('fs/write_text_file', {path: '$cwd/a.txt', content: 'x'});
    const {prompt, conversation, answerTo, cwd, hookRuns} = await openWithHooks(
      {turns: [write]},
      {approval: 'all', hooks: [hook('PermissionRequest', `${LASTING}; exit 2`)]},
    );
    prompt('go');
    await hookRuns();
    conversation.cancel();
    expect((await answerTo('it')).error).toBeDefined();
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false);
  });

  test.each([
    ['a path with a character that no path has', '/a\u0000b'],
    ['a path that is longer than any', `/${'a/'.repeat(25_000)}`],
  ])('is denied, and soon, although it names %s', async (_what, file) => {
    const toolCall = {
      toolCallId: 'c',
      title: 'Edit',
      kind: 'edit',
      locations: [{path: file}],
      rawInput: {file},
    };
    const {go, answerTo} = await openWithHooks(
      {turns: [[permission('may', toolCall), {answered: 'may'}]]},
      {approval: 'all', hooks: [hook('PermissionRequest', 'exit 2')]},
    );
    await go();
    expect((await answerTo('may')).result).toEqual(selected('no'));
  });
});

test.each([
  ['Edit|Write', ['Write'], true],
  ['Edit', ['Edits'], false],
  ['mcp__.*', ['Grep', 'mcp__github__create'], true],
  ['mcp__', ['mcp__x'], false],
  ['*', [], true],
  ['', [], true],
  // Would take minutes: in doubt the hook runs.
  ['mcp__(.*_)*write', [`mcp__${'_'.repeat(190)}`], true],
])('the matcher %j for %j: %j', (matcher, names, expected) => {
  expect(matchesName(matcher, names)).toBe(expected);
});
