import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {ruleOf} from '../../../../src/session/requests/permission-rules.ts';
import {rules, useHosts} from '../hosts.ts';

const {sandbox, setUp, at} = useHosts();
const allow = (text: string) => ruleOf('allow', text, 'user')!;

test.each(['think', 'search', 'edit', 'read', 'execute', 'switch_mode', 'other'] as const)(
  'no level answers a request of kind %s that shows nothing but a title',
  async (kind) => {
    const under = setUp({approval: 'all'});
    const asked = under.permission({kind, title: 'Do it'});
    await under.answer('reject_once');
    expect(await asked).toBe('x-no');
    expect(await under.permission({kind, title: 'Do it', rawInput: {what: 'this'}})).toBe('x-once');
  },
);

test.each([
  ['a tool by its name that gets nothing', {kind: 'other', name: 'mcp__lab__tell_time', rawInput: {}}, true],
  ['one whose input is not known', {kind: 'other', name: 'mcp__lab__tell_time'}, false],
  ['one without a name', {kind: 'other', rawInput: {}}, false],
  ['one that has to get something', {kind: 'execute', name: 'Bash', rawInput: {}}, false],
] as const)('--approve all and %s', async (_, toolCall, isAllowed) => {
  const under = setUp({approval: 'all'});
  const asked = under.permission({...toolCall, title: 'Do it'});
  if (!isAllowed) await under.answer('reject_once');
  expect(await asked).toBe(isAllowed ? 'x-once' : 'x-no');
});

describe('a path longer than that of any file', () => {
  const path = () => at('a/'.repeat(25_000));
  const named = [
    ['is changed', () => ({kind: 'edit' as const, locations: [{path: path()}]})],
    ['is in the input', () => ({kind: 'other' as const, rawInput: {path: path()}})],
  ] as const;

  test.each(named)(
    'is asked about when it %s, whatever the level and allow rules say',
    async (_how, toolCall) => {
      const {permission, answer, records} = setUp({
        approval: 'all',
        rules: rules('allow any', 'allow edit **'),
      });
      const asked = permission({...toolCall(), title: 'Do it'});
      await answer('reject_once');
      expect(await asked).toBe('x-no');
      expect(records).toMatchObject([{askedBy: expect.stringContaining('longer') as string}]);
    },
  );

  test.each(named)('is denied by a deny rule when it %s', async (_how, toolCall) => {
    const {permission, answer} = setUp({approval: 'all', rules: rules(`deny any ${at('**')}`)});
    const asked = permission({...toolCall(), title: 'Do it'});
    expect(await Promise.race([asked, answer('reject_once').then(() => 'asked')])).toBe('x-no');
  });

  test('is decided about in little time', async () => {
    const {permission} = setUp({approval: 'all', rules: rules('deny any')});
    const costs: number[] = [];
    // What else this process does at that time counts, too.
    for (let tries = 0; tries < 5; tries++) {
      const before = process.cpuUsage();
      await permission({kind: 'edit', title: 'Do it', locations: [{path: path()}]});
      const {user, system} = process.cpuUsage(before);
      costs.push((user + system) / 1000);
    }
    expect(Math.min(...costs)).toBeLessThan(150);
  });
});

test('more paths than are read are asked about, unless one of the first is denied', async () => {
  const locations = Array.from({length: 2001}, (_, n) => ({path: at(String(n))}));
  const {permission, answer, setRules} = setUp({approval: 'all', rules: rules('allow edit **')});
  const asked = permission({kind: 'edit', title: 'Do it', locations});
  await answer('reject_once');
  expect(await asked).toBe('x-no');
  setRules(rules('deny edit 7'));
  expect(await permission({kind: 'edit', title: 'Do it', locations})).toBe('x-no');
  expect(await permission({kind: 'edit', title: 'Do it', locations: locations.slice(8)})).toBe('x-once');
});

describe('--approve reads trusts no label', () => {
  test.each<[string, () => object]>([
    ['a request without a file', () => ({title: 'Read a', rawInput: {query: '/api/v1'}})],
    ['a command', () => ({rawInput: {command: 'cat a'}})],
    ['words of a command', () => ({rawInput: {input: {argv: ['cat', 'a']}}})],
    ['a command in another field', () => ({rawInput: {command_line: 'cat a'}})],
    ['a command within a command', () => ({rawInput: {run: {line: 'cat a'}}})],
    ['a command without a field', () => ({rawInput: 'cat a'})],
    ['words without a field', () => ({rawInput: ['cat', 'a']})],
    ['a path with spaces around it', () => ({rawInput: {path: '\u{a0}/etc/shadow\n'}})],
    ['a path in quotes', () => ({rawInput: {path: '"/etc/shadow"'}})],
    ['one of several paths', () => ({rawInput: {paths: 'a\n/etc/shadow'}})],
    ['a path in a variable', () => ({rawInput: {path: '${HOME}/a'}})],
    ['a file URL', () => ({rawInput: {url: 'file:///etc/shadow'}})],
    ['a path under another name', () => ({rawInput: {name: '/etc/shadow'}})],
    ['a terminal', () => ({content: [{type: 'terminal', terminalId: 't'}]})],
    ['a path outside in its input', () => ({rawInput: {file_path: '/etc/shadow'}})],
    ['a path deep in its input', () => ({rawInput: {changes: [{'/etc/shadow': {}}]}})],
    ['a path that leads up', () => ({rawInput: {path: '../x'}})],
    ['a relative name that is a link to the outside', () => ({rawInput: {file: 'link'}})],
    ['an address', () => ({locations: [{path: 'file:///etc/shadow'}]})],
    ['a file URL in its input', () => ({rawInput: {uri: 'file:///etc/shadow'}})],
    ['the home folder', () => ({locations: [{path: '~/.ssh/id_rsa'}]})],
    ['the home folder in its input', () => ({rawInput: {path: '~/notes'}})],
    ['the home of another user', () => ({locations: [{path: '~root/x'}]})],
    [
      'a link in its content',
      () => ({
        content: [{type: 'content', content: {type: 'resource_link', name: 'x', uri: 'file:///etc/shadow'}}],
      }),
    ],
  ])('and asks about %s', async (_name, toolCall) => {
    await symlink(sandbox.outside, at('link'));
    const {permission, answer} = setUp({approval: 'reads'});
    const asked = permission({kind: 'read', ...toolCall()});
    await answer('reject_once');
    expect(await asked).toBe('x-no');
  });

  test.each<[string, () => object]>([
    ['files inside', () => ({locations: [{path: at('a')}], rawInput: {file_path: 'a', limit: 3}})],
    ['a file URL inside', () => ({locations: [{path: `file://${at('a')}`}]})],
    ['other text beside a path', () => ({rawInput: {path: 'a', query: '/api/v1', url: 'https://x.org/a'}})],
  ])('and allows %s', async (_name, toolCall) => {
    const {permission} = setUp({approval: 'reads'});
    expect(await permission({kind: 'read', ...toolCall()})).toBe('x-once');
  });
});

describe('a change that claims to be harmless counts as an edit', () => {
  const changes: readonly [string, () => object][] = [
    ['a diff', () => ({content: [{type: 'diff', path: at('a'), oldText: 'x', newText: 'y'}]})],
    ['a patch', () => ({rawInput: {patch: '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n'}})],
  ];

  test.each(changes)('%s', async (_name, toolCall) => {
    for (const kind of ['read', 'search', 'think'] as const) {
      const {permission, answer} = setUp({approval: 'reads', rules: rules('allow read')});
      const asked = permission({kind, ...toolCall()});
      await answer('reject_once');
      expect(await asked).toBe('x-no');
      const {permission: request} = setUp({approval: 'edits'});
      expect(await request({kind, ...toolCall()})).toBe('x-once');
      const {permission: denied} = setUp({approval: 'all', rules: rules('deny edit a')});
      expect(await denied({kind, ...toolCall()})).toBe('x-no');
    }
  });
});

describe('--approve edits', () => {
  test.each<[string, () => object]>([
    ['that names no file', () => ({title: 'Edit a'})],
    ['by a patch of a file outside', () => ({rawInput: {patch: '*** Update File: /etc/passwd\n'}})],
    ['by a patch of a protected path', () => ({rawInput: '--- a/.envrc\n+++ b/.envrc\n@@ -0,0 +1 @@\n+x\n'})],
    ['with a command beside it', () => ({rawInput: {file_path: 'a', content: 'x', run: 'true'}})],
  ])('asks about a change %s', async (_name, toolCall) => {
    const {permission, answer} = setUp({approval: 'edits'});
    const asked = permission({kind: 'edit', ...toolCall()});
    await answer('reject_once');
    expect(await asked).toBe('x-no');
  });

  test('allows a patch of a file inside', async () => {
    const {permission} = setUp({approval: 'edits'});
    const rawInput = {patch: '--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n'};
    expect(await permission({kind: 'edit', rawInput})).toBe('x-once');
  });
});

describe('a command in any field of a request', () => {
  const fields = (line: string): readonly unknown[] => [
    {cmd: line},
    {script: line},
    {input: {command: line}},
    {command: {line}},
    {command: 'true', shellCommand: line},
    {command: 'true', cmd: line},
    {argv: line.split(' ')},
    line,
  ];
  const kinds = ['execute', 'other', 'read'] as const;

  test('is denied by rules that deny it', async () => {
    for (const rawInput of [...fields('rm a'), ...fields('cat .env')])
      for (const kind of kinds) {
        const {permission} = setUp({approval: 'all', rules: rules('deny execute rm *', 'deny any .env*')});
        expect([rawInput, await permission({kind, rawInput})]).toEqual([rawInput, 'x-no']);
      }
  });

  test('is asked about if it names a protected path', async () => {
    for (const rawInput of fields('tee .envrc')) {
      const {permission, answer} = setUp({approval: 'all'});
      const asked = permission({kind: 'other' as const, rawInput});
      await answer('reject_once');
      expect([rawInput, await asked]).toEqual([rawInput, 'x-no']);
    }
  });

  test.each<[string, object]>([
    ['another one is beside it', {script: 'rm a'}],
    ['it gets a variable', {env: {NODE_OPTIONS: '--require ./a.js'}}],
    ['it gets an unreadable environment', {environment: 'PATH=.'}],
    ['it is passed to a program of the agent', {shell: './sh'}],
  ])('is asked about when %s, even if a rule allows it', async (_name, beside) => {
    const {permission, answer, asked} = setUp({rules: rules('allow execute npm test*')});
    const answered = permission({kind: 'execute', rawInput: {command: 'npm test', ...beside}});
    await answer('reject_once');
    expect(await answered).toBe('x-no');
    expect(asked[0]!.rule).toBeUndefined();
  });

  test('is allowed by a rule if two fields agree on it', async () => {
    const rawInput = {command: ['bash', '-lc', 'npm test'], parsed_cmd: [{type: 'unknown', cmd: 'npm test'}]};
    const {permission} = setUp({rules: rules('allow execute npm test*')});
    expect(await permission({kind: 'execute', rawInput})).toBe('x-once');
  });
});

test.each([
  ['a new file', 'touch plain/new'],
  ['`..` after it', 'touch plain/../new'],
  ['among many files', `touch ${'a=b,c '.repeat(200)} plain/key`],
])('a command that leads to a denied file through a link asks, with %s', async (_, line) => {
  await mkdir(at('src/secret/deep'), {recursive: true});
  await writeFile(at('src/secret/deep/key'), '');
  await symlink('src/secret/deep', at('plain'));
  const {run, answer, records} = setUp({approval: 'all', rules: rules('deny edit src/secret/**')});
  const running = run(line);
  await answer('reject_once');
  expect(await running).toBe(-32603);
  expect(records[0]).toMatchObject({askedBy: expect.stringContaining('edit src/secret/**') as string});
});

test('a command that names a denied file is rejected, also through a link', async () => {
  await writeFile(at('.env'), 'secret');
  await symlink('.env', at('plain'));
  const deny = ruleOf('deny', 'any .env*', 'user')!;
  const {run, decisions} = setUp({rules: [allow('execute cat *'), deny]});
  expect(await run('cat .env')).toBe(-32603);
  expect(await run('cat', ['.env'])).toBe(-32603);
  expect(await run('cat plain')).toBe(-32603);
  expect(decisions.map(({by}) => by)).toEqual(Array.from({length: 3}, () => 'rule: any .env* (user)'));
});

test('no rule allows what is passed to an agent’s own script named like a shell', async () => {
  await writeFile(at('sh'), '#!/bin/sh\ntouch done\n', {mode: 0o755});
  const {run, permission, answer, asked} = setUp({rules: [allow('execute true*')]});
  expect(await run('sh', ['-c', 'true'])).toBe('started');
  for (const shell of ['./sh', at('sh')]) {
    const running = run(shell, ['-c', 'true']);
    await answer('reject_once');
    expect(await running).toBe(-32603);
    const line = run(`${shell} -c true`);
    await answer('reject_once');
    expect(await line).toBe(-32603);
    const asking = permission({kind: 'execute', rawInput: {command: [shell, '-c', 'true']}});
    await answer('reject_once');
    expect(await asking).toBe('x-no');
    expect(asked.at(-1)?.rule).toBe(`execute ${shell} -c true`);
  }
  const refused = setUp({rules: [allow('execute true*')], hasUser: false});
  expect(await refused.run('./sh', ['-c', 'true'])).toBe(-32603);
});

test('an ID that two options share is never sent for a no, nor without asking', async () => {
  const options = (['allow_once', 'allow_always', 'reject_once'] as const).map((kind) => ({
    optionId: 'same',
    name: kind,
    kind,
  }));
  const denying = setUp({approval: 'all', rules: rules('deny execute rm *')});
  expect(await denying.permission({kind: 'execute', rawInput: {command: 'rm a'}}, options)).toBe('cancelled');
  for (const [kind, expected] of [
    ['reject_once', 'cancelled'],
    ['allow_once', 'same'],
  ] as const) {
    const {permission, answer} = setUp({approval: 'all'});
    const asking = permission({kind: 'execute', rawInput: {command: 'ls a'}}, options);
    await answer(kind);
    expect(await asking).toBe(expected);
  }
});
