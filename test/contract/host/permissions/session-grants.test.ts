import {mkdir, readFile, rename, symlink, writeFile} from 'node:fs/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {DENIED, questionShown, never, OPTIONS, rules, useHosts, type HostUnderTest} from '../hosts.ts';

const {sandbox, setUp, at} = useHosts();

type Call = Partial<acp.ToolCallUpdate>;

const edit = (path: string, newText = 'x'): Call => ({
  kind: 'edit',
  content: [{type: 'diff', path, newText}],
});

/** The options of an agent, with this name for the one that allows for the session. */
const optionsWith = (name: string): acp.PermissionOption[] => [{...OPTIONS[0]!, name}, ...OPTIONS.slice(1)];

async function answered(
  under: HostUnderTest,
  call: Call,
  {kind = 'allow_always', name = 'Always'}: {kind?: acp.PermissionOptionKind; name?: string} = {},
): Promise<HostUnderTest> {
  const before = under.host.sessionGrants.list();
  const options = optionsWith(name);
  const asking = under.permission(call, options);
  await under.answer(kind);
  await asking;
  // What the request said of the option is what is remembered.
  const said = under.asked.at(-1)?.covers?.[options.findIndex((option) => option.kind === kind)];
  const given = under.host.sessionGrants.list().slice(before.length);
  expect(given.map(({covers}) => covers)).toEqual(said === '' ? [] : [said]);
  return under;
}

/** A host whose user has allowed this for the session. */
const allowed = (call: Call, settings: Parameters<typeof setUp>[0] = {}, name?: string) =>
  answered(setUp(settings), call, name === undefined ? {} : {name});

describe('"always" for a change covers edits', () => {
  test('of any file in the workspace, in later turns too, and says so', async () => {
    const under = await allowed(edit(at('a')), {}, 'Yes, allow all edits during this session');
    expect(await under.write(at('a'), 'x')).toBe('written');
    under.host.turnStarted();
    expect(await under.write(at('a'), 'y')).toBe('written');
    expect(await under.write(at('sub/b'), 'z')).toBe('written');
    under.host.turnEnded();
    const by = 'your answer "Yes, allow all edits during this session"';
    expect(under.asked).toHaveLength(1);
    expect(under.records.slice(1)).toMatchObject([{by}, {by, paths: [at('a')]}, {by, paths: [at('sub/b')]}]);
    expect(under.decisions).toMatchObject([
      {by: 'user'},
      {by: 'user', covers: 'all edits'},
      ...Array.from({length: 3}, () => ({outcome: 'allowed', by})),
    ]);
  });

  test.each(['edit', 'other'] as const)(
    'that the agent asks about again, which get the option "once", by a request of kind %s',
    async (kind) => {
      const under = await allowed({...edit(at('a')), kind});
      expect(await under.permission(edit(at('b')))).toBe('x-once');
      expect(under.decisions.at(-1)).toMatchObject({outcome: 'allowed', by: 'your answer "Always"'});
    },
  );

  test('in an added folder', async () => {
    const under = await allowed(edit(at('a')));
    under.host.addRoot(sandbox.outside);
    expect(await under.write(`${sandbox.outside}/b`)).toBe('written');
  });

  test.each(['.git/hooks/pre-commit', '.envrc', '.vscode/tasks.json', '.claude/settings.json'])(
    'but never of the protected path %s',
    async (name) => {
      await mkdir(at('.vscode'));
      const under = await allowed(edit(at('a')));
      expect(await questionShown(under, under.write(at(name)))).toBeDefined();
      expect(await questionShown(under, under.permission(edit(at(name))))).toBeDefined();
    },
  );

  test('but not of a protected path behind a link', async () => {
    await writeFile(at('.envrc'), '');
    await symlink('.envrc', at('plain'));
    const under = await allowed(edit(at('a')));
    expect(await questionShown(under, under.write(at('plain')))).toBeDefined();
  });

  test('but not outside the workspace, nor through a link', async () => {
    await symlink(sandbox.outside, at('link'));
    const under = await allowed(edit(at('a')));
    expect(await under.write(`${sandbox.outside}/b`)).toBe(-32_602);
    expect(await under.write(at('link/b'))).toBe(-32_602);
    expect(await questionShown(under, under.permission(edit(`${sandbox.outside}/b`)))).toBeDefined();
  });

  test('but never against a rule', async () => {
    const under = await allowed(edit(at('a')), {rules: rules('deny edit b', 'ask edit c')});
    expect(await under.write(at('b'))).toBe(DENIED);
    expect(under.asked).toHaveLength(2);
    expect(under.decisions.at(-1)).toMatchObject({by: 'rule: edit b (user)'});
    expect(await questionShown(under, under.write(at('c')))).toBeDefined();
  });

  test('but neither commands nor other changes', async () => {
    const under = await allowed(edit(at('a')));
    expect(await questionShown(under, under.run('touch', ['b']))).toBeDefined();
    for (const call of [
      {...edit(at('b')), rawInput: {command: 'touch c'}},
      {...edit(at('b')), rawInput: {path: '/etc/passwd'}},
      {...edit(at('b')), kind: 'delete' as const},
      {...edit(at('b')), kind: 'move' as const},
      {...edit(at('b')), kind: null},
      {kind: 'edit' as const, title: 'Edit b'},
      {kind: 'execute' as const, rawInput: {command: 'true'}},
    ])
      expect([call, await questionShown(under, under.permission(call))]).toEqual([call, expect.any(String)]);
  });

  test('but not those of another session', async () => {
    const under = await allowed(edit(at('a')));
    const writing = under.host.write({sessionId: 'other', path: at('a'), content: 'x'}, never);
    await under.answer('reject_once');
    expect(await writing).toMatchObject({code: DENIED});
  });

  test.each([
    'Yes, and don\u2019t ask again for these files',
    'Always allow this file',
    'Allow edits to a.txt',
    'Always allow this change',
  ])('only of the files that the option names: %s', async (name) => {
    const under = await allowed(edit(at('sub/a.txt')), {}, name);
    expect(await under.write(at('sub/a.txt'), 'y')).toBe('written');
    expect(await under.write(at('sub/../sub/a.txt'), 'z')).toBe('written');
    expect(await questionShown(under, under.write(at('sub/b.txt')))).toBeDefined();
    const both: Call = {...edit(at('sub/a.txt')), rawInput: {path: at('b.txt')}};
    expect(await questionShown(under, under.permission(both))).toBeDefined();
    expect(under.host.sessionGrants.list()).toMatchObject([{covers: 'edits of sub/a.txt'}]);
  });

  test.each(['Always allow in this folder', 'Yes, allow all edits in sub/ during this session'])(
    'only in the folder that the option names: %s',
    async (name) => {
      const under = await allowed(edit(at('sub/a')), {}, name);
      expect(await under.write(at('sub/b'))).toBe('written');
      expect(await questionShown(under, under.write(at('subs')))).toBeDefined();
      expect(await questionShown(under, under.write(at('b')))).toBeDefined();
    },
  );
});

describe('no edits are covered', () => {
  test.each<[string, () => Call]>([
    ['that shows no change', () => ({kind: 'edit', locations: [{path: at('a')}]})],
    ['that shows nothing', () => ({kind: 'edit', title: 'Edit a'})],
    ['with a command beside it', () => ({...edit(at('a')), rawInput: {command: 'true'}})],
    ['of a file outside', () => edit(`${sandbox.outside}/a`)],
    ['that names a path outside', () => ({...edit(at('a')), rawInput: {path: '/etc/passwd'}})],
    ['that deletes', () => ({...edit(at('a')), kind: 'delete'})],
    ['that only reads', () => ({...edit(at('a')), kind: 'read'})],
    ['that changes the mode', () => ({...edit(at('a')), kind: 'switch_mode'})],
    ['that runs', () => ({...edit(at('a')), kind: 'execute'})],
  ])('by "always" for a request %s', async (_what, call) => {
    const under = await allowed(call());
    expect(await questionShown(under, under.write(at('b')))).toBeDefined();
  });

  test.each(['allow_once', 'reject_once', 'reject_always'] as const)('by %s', async (kind) => {
    const options = [...OPTIONS, {optionId: 'never', name: 'Never', kind: 'reject_always' as const}];
    const under = setUp();
    const asking = under.permission(edit(at('a')), options);
    await under.answer(kind);
    await asking;
    expect(await questionShown(under, under.write(at('b')))).toBeDefined();
    expect(under.host.sessionGrants.list()).toEqual([]);
  });

  test('by a level or a rule', async () => {
    const under = setUp({approval: 'edits', rules: rules('allow edit a')});
    expect(await under.permission(edit(at('a')))).toBe('x-once');
    expect(await under.permission(edit(at('b')))).toBe('x-once');
    under.host.setApproval('none');
    under.setRules([]);
    expect(await questionShown(under, under.write(at('b')))).toBeDefined();
  });

  test('by what the agent makes of its request before the answer, which says what it covers then', async () => {
    const under = setUp();
    const asking = under.permission(edit(at('a')), optionsWith('Always'));
    await expect.poll(() => under.asked).toMatchObject([{covers: ['all edits', '', '']}]);
    under.host.toolCallUpdated('s', {toolCallId: 't', rawInput: {path: '/etc/passwd'}});
    await expect.poll(() => under.offers).toMatchObject([{covers: ['', '', '']}]);
    await under.answer('allow_always');
    await asking;
    expect(under.host.sessionGrants.list()).toEqual([]);
  });

  test('by what the agent makes of its request after the answer', async () => {
    const under = setUp();
    const asking = under.permission({kind: 'edit', locations: [{path: at('a')}]});
    await under.answer('allow_always');
    under.host.toolCallUpdated('s', {toolCallId: 't', ...edit(at('a'))});
    await asking;
    expect(await questionShown(under, under.write(at('a'), 'x'))).toBeDefined();
  });
});

describe('"always" for a command', () => {
  const npm = (command: unknown): Call => ({kind: 'execute', rawInput: {command}});

  test('covers this command, also behind its wrapping, in later turns', async () => {
    const under = await allowed(npm('echo hi && ls'));
    under.host.turnStarted();
    const env = [{name: 'NO_COLOR', value: '1'}];
    const args = ['-c', `cd ${sandbox.root} && echo hi && ls`];
    expect(await under.create({command: 'echo hi && ls', env})).toBe('started');
    expect(await under.create({command: 'bash', args, env})).toBe('started');
    expect(await under.permission(npm('echo hi && ls'))).toBe('x-once');
    expect(under.asked.filter((each) => each.request.options.length > 0)).toHaveLength(2);
    expect(under.decisions.at(-1)).toMatchObject({by: 'your answer "Always"'});
  });

  // The older adapter for Codex classifies a command by its last program (zed-codex-allow.ndjson).
  test('covers this command in a request of kind search', async () => {
    const call = (id: string): Call => ({
      kind: 'search',
      title: 'List files',
      content: [{type: 'content', content: {type: 'text', text: 'May I?'}}],
      rawInput: {call_id: id, command: ['/bin/bash', '-lc', 'echo hi && ls'], cwd: sandbox.root},
    });
    const under = await allowed(call('1'), {}, "Yes, and don't ask again for commands that start with `ls`");
    expect(await questionShown(under, under.permission(call('2')))).toBeUndefined();
    const other = {...call('3'), rawInput: {command: ['/bin/bash', '-lc', 'ls'], cwd: sandbox.root}};
    expect(await questionShown(under, under.permission(other))).toBeDefined();
  });

  test.each<[string, Omit<acp.CreateTerminalRequest, 'sessionId'>]>([
    ['with another word', {command: 'true', args: ['x']}],
    ['with another one behind it', {command: 'true; false'}],
    ['with a variable', {command: 'true', env: [{name: 'LD_PRELOAD', value: './x.so'}]}],
    ['in another folder', {command: 'true', cwd: 'SUB'}],
    ['in another case', {command: 'TRUE'}],
  ])('covers none %s', async (_what, request) => {
    await mkdir(at('sub'));
    await writeFile(at('TRUE'), '', {mode: 0o755});
    const under = await allowed(npm('true'));
    const command = request.command === 'TRUE' ? at('TRUE') : request.command;
    const cwd = request.cwd === 'SUB' ? at('sub') : undefined;
    expect(await questionShown(under, under.create({...request, command, ...(cwd && {cwd})}))).toBeDefined();
    expect(under.terminals).toEqual([]);
  });

  test('covers none that starts like it, whatever the option says', async () => {
    const under = await allowed(
      npm('echo hi'),
      {},
      "Yes, and don't ask again for commands that start with `echo`",
    );
    expect(await questionShown(under, under.run('echo', ['hi', 'you']))).toBeDefined();
    expect(await questionShown(under, under.permission(npm('echo hi you')))).toBeDefined();
  });

  test('covers none whose folder was replaced', async () => {
    await mkdir(at('sub'));
    const under = await allowed({kind: 'execute', rawInput: {command: 'true', cwd: at('sub')}});
    expect(await under.create({command: 'true', cwd: at('sub')})).toBe('started');
    await rename(at('sub'), at('was'));
    await mkdir(at('sub'));
    expect(await questionShown(under, under.create({command: 'true', cwd: at('sub')}))).toBeDefined();
  });

  test('covers none against a rule, or that names a protected path', async () => {
    const under = await allowed(npm('true'), {rules: rules('ask execute true')});
    under.host.turnStarted();
    expect(await questionShown(under, under.run('true'))).toBeDefined();
    const other = await allowed(npm('tee .envrc'), {approval: 'all'});
    other.host.turnStarted();
    expect(await questionShown(other, other.run('tee', ['.envrc']))).toBeDefined();
  });

  test('covers none with a change of a file, or a file that was not shown, beside it', async () => {
    const under = await allowed(npm('true'));
    const named = ['/etc/passwd', at('a')].map((path) => ({locations: [{path}]}));
    for (const beside of [edit(at('a')), edit('/etc/passwd'), ...named])
      expect(await questionShown(under, under.permission({...beside, ...npm('true')}))).toBeDefined();
  });

  test.each<[string, object]>([
    ['arguments', {flags: ['-n']}],
    ['another command', {script: 'false'}],
    ['another folder', {directory: '/tmp'}],
  ])('covers nothing if the request may have %s beside it', async (_what, beside) => {
    const under = await allowed({kind: 'execute', rawInput: {command: 'true', ...beside}});
    expect(under.host.sessionGrants.list()).toEqual([]);
    expect(await questionShown(under, under.run('true'))).toBeDefined();
  });
});

describe('"always" for a tool', () => {
  const tool = (rawInput: object, more: Call = {}): Call => ({
    kind: 'other',
    name: 'tell_time',
    title: 'Tell the time',
    rawInput,
    ...more,
  });

  test('covers further calls of it', async () => {
    const under = await allowed(tool({zone: 'UTC'}));
    expect(await under.permission(tool({zone: 'CET'}))).toBe('x-once');
    expect(under.host.sessionGrants.list()).toMatchObject([{covers: 'the tool tell_time'}]);
  });

  test.each<[string, Call]>([
    ['another tool', tool({zone: 'CET'}, {name: 'set_time'})],
    ['a tool without a name', tool({zone: 'CET'}, {name: null})],
    ['another kind', tool({zone: 'CET'}, {kind: 'delete'})],
    ['a command', tool({command: 'date'})],
    ['a path outside', tool({path: '/etc/passwd'})],
    ['an address', tool({zone: 'https://example.org/'})],
    ['an address with other slashes', tool({zone: String.raw`https:\\example.org`})],
    ['an address of mail', tool({zone: 'ada@example.org'})],
    ['an address of a computer', tool({zone: '10.0.0.1'})],
    ['a host', tool({host: 'example.org'})],
    ['a recipient', tool({to: 'someone', text: 'x'})],
    ['a fetch', tool({page: 'example'}, {kind: 'fetch'})],
    ['a call that shows nothing', tool({}, {rawInput: undefined})],
    ['a change of a file', tool({zone: 'CET'}, edit('a'))],
    ['a change of a file that claims to be none', tool({zone: 'CET'}, {...edit('a'), kind: 'other'})],
  ])('does not cover %s', async (_what, call) => {
    const under = await allowed(tool({zone: 'UTC'}));
    expect(await questionShown(under, under.permission(call))).toBeDefined();
  });

  test('covers the same call of a tool without a name, and no other', async () => {
    const unnamed = (zone: string) => tool({zone}, {name: null});
    const under = await allowed(unnamed('UTC'));
    expect(await under.permission(unnamed('UTC'))).toBe('x-once');
    expect(await questionShown(under, under.permission(unnamed('CET')))).toBeDefined();
  });

  test('covers an address only once more for the same one', async () => {
    const fetch = (url: string): Call => ({kind: 'fetch', title: 'Fetch', rawInput: {url}});
    const under = await allowed(fetch('https://example.org/'));
    expect(under.host.sessionGrants.list()).toMatchObject([{covers: 'the same call of "Fetch"'}]);
    expect(await under.permission(fetch('https://example.org/'))).toBe('x-once');
    expect(await questionShown(under, under.permission(fetch('https://example.com/?secret')))).toBeDefined();
  });

  test.each(['think', 'other'] as const)('of kind %s covers no change of a file', async (kind) => {
    const under = await allowed(tool({zone: 'UTC'}, {kind}));
    for (const does of ['Update', 'Delete'])
      expect(
        await questionShown(under, under.permission(tool({patch: `*** ${does} File: a`}, {kind}))),
      ).toBeDefined();
    const patching = await allowed(tool({patch: '*** Update File: a'}, {kind}));
    expect(patching.host.sessionGrants.list()).toEqual([]);
  });

  test('covers nothing if its request shows nothing', async () => {
    const under = await allowed({kind: 'other', title: 'Do it'});
    expect(under.host.sessionGrants.list()).toEqual([]);
    expect(await questionShown(under, under.permission({kind: 'other', title: 'Do it'}))).toBeDefined();
  });
});

test('"always" for a read covers no search that shows nothing', async () => {
  const under = await allowed({kind: 'read', locations: [{path: at('a')}]});
  expect(await under.permission({kind: 'search', rawInput: {pattern: 'x'}})).toBe('x-once');
  expect(await questionShown(under, under.permission({kind: 'search', title: 'Search'}))).toBeDefined();
});

test('"always" for a read covers reads in the workspace', async () => {
  const read = (path: string): Call => ({kind: 'read', locations: [{path}]});
  const under = await allowed(read(at('a')));
  expect(await under.permission(read(at('b')))).toBe('x-once');
  expect(await questionShown(under, under.permission(read('/etc/passwd')))).toBeDefined();
  expect(await questionShown(under, under.permission({kind: 'read', title: 'Read it'}))).toBeDefined();
  expect(
    await questionShown(under, under.permission({...read(at('b')), rawInput: {command: 'cat b'}})),
  ).toBeDefined();
  expect(await questionShown(under, under.write(at('a')))).toBeDefined();
});

test('what was allowed for the session is listed, and taken back', async () => {
  const under = await allowed(edit(at('a')));
  await answered(under, {kind: 'execute', rawInput: {command: ['npm', 'run', 'a b']}});
  const [edits, command] = under.host.sessionGrants.list();
  expect([edits, command]).toMatchObject([
    {sessionId: 's', answer: 'Always', covers: 'all edits'},
    {sessionId: 's', answer: 'Always', covers: "the command npm run 'a b'"},
  ]);
  under.host.sessionGrants.takeBack(edits!.id);
  under.host.sessionGrants.takeBack('unknown');
  expect(under.host.sessionGrants.list()).toEqual([command]);
  expect(await questionShown(under, under.write(at('b')))).toBeDefined();
  expect(await questionShown(under, under.permission(edit(at('b'))))).toBeDefined();
  await expect(readFile(at('b'), 'utf8')).rejects.toThrow('ENOENT');
});
