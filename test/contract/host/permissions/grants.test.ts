import {chmod, mkdir, readdir, readFile, realpath, rename, rm, symlink, writeFile} from 'node:fs/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {DENIED, diff, questionShown, never, OPTIONS, rules, useHosts, type HostUnderTest} from '../hosts.ts';

const {sandbox, setUp, at} = useHosts();

/** Has the user allow a request. */
async function allow(under: HostUnderTest, toolCall: Partial<acp.ToolCallUpdate>): Promise<void> {
  const asking = under.permission(toolCall, [OPTIONS[1]!, OPTIONS[2]!]);
  await under.answer('allow_once');
  expect(await asking).toBe('x-once');
}

describe('a write is covered by an approved diff', () => {
  test.each<[string, string | null, acp.ToolCallContent[], string]>([
    ['of a new file', null, [diff('a', 'x')], 'x'],
    ['of a new file, with empty old text', null, [diff('a', 'x', '')], 'x'],
    ['of the whole file', 'old\n', [diff('a', 'new\n', 'old\n')], 'new\n'],
    ['of a part of it', 'a\nold\nb\n', [diff('a', 'new', 'old')], 'a\nnew\nb\n'],
    ['of several parts', 'a\nb\nc\n', [diff('a', '1', 'a'), diff('a', '3', 'c')], '1\nb\n3\n'],
  ])('%s', async (_what, before, ...[content, after]) => {
    if (before !== null) await writeFile(at('a'), before);
    const under = setUp();
    await allow(under, {kind: 'edit', content});
    expect(await under.write(at('a'), after)).toBe('written');
    expect(await readFile(at('a'), 'utf8')).toBe(after);
  });
});

describe('a write is covered by the path and content in the input of an approved tool', () => {
  test.each<[string, string | null, object]>([
    ['of a new file', null, {path: 'a', content: 'x'}],
    ['of an empty file', '', {file_path: 'a', content: 'x'}],
    [
      'with fields that change nothing',
      null,
      {path: 'a', content: 'x', mode: 'overwrite', description: 'Adds it'},
    ],
  ])('%s', async (_what, before, rawInput) => {
    if (before !== null) await writeFile(at('a'), before);
    const under = setUp();
    await allow(under, {kind: 'edit', rawInput});
    expect(await under.write(at('a'), 'x')).toBe('written');
    expect(await questionShown(under, under.write(at('a'), 'x'))).toBeDefined();
  });

  test.each<[string, object, Partial<acp.ToolCallUpdate>?]>([
    ['other content', {path: 'a', content: 'y'}],
    ['another file', {path: 'b', content: 'x'}],
    ['content that is no text', {path: 'a', content: ['x']}],
    ['two contents', {path: 'a', content: 'x', contents: 'x'}],
    ['two paths', {path: 'a', file_path: 'b', content: 'x'}],
    ['another folder', {path: 'a', content: 'x', cwd: 'sub'}],
    ['another way to write', {path: 'a', content: 'x', mode: 'append'}],
    ['a place in the file', {path: 'a', content: 'x', line: 3}],
    ['a promise not to do it', {path: 'a', content: 'x', dry_run: true}],
    ['a path outside', {path: '../a', content: 'x'}],
    ['a diff beside it', {path: 'a', content: 'x'}, {content: [diff('b', 'x')]}],
    ['the kind read', {path: 'a', content: 'x'}, {kind: 'read'}],
    ['the kind execute', {path: 'a', content: 'x'}, {kind: 'execute'}],
    ['the kind delete', {path: 'a', content: 'x'}, {kind: 'delete'}],
  ])('but not by %s', async (_what, rawInput, others) => {
    const under = setUp();
    await allow(under, {kind: 'edit', rawInput, ...others});
    expect(await questionShown(under, under.write(at('a'), 'x'))).toBeDefined();
    expect(await readdir(sandbox.root)).toEqual([]);
  });

  test('but not of a file with a text, of which the request does not show what is lost', async () => {
    await writeFile(at('a'), 'mine');
    const under = setUp();
    await allow(under, {kind: 'edit', rawInput: {path: 'a', content: 'x'}});
    expect(await questionShown(under, under.write(at('a'), 'x'))).toContain('"oldText":"mine"');
  });

  test('but not of a file that was created since', async () => {
    const under = setUp();
    await allow(under, {kind: 'edit', rawInput: {path: 'a', content: 'x'}});
    await writeFile(at('a'), 'mine');
    expect(await questionShown(under, under.write(at('a'), 'x'))).toContain('"oldText":"mine"');
  });

  test('a level does not allow one of a protected file', async () => {
    const under = setUp({approval: 'all'});
    const asking = under.permission({kind: 'other', rawInput: {path: '.envrc', content: 'x'}}, OPTIONS);
    await under.answer('reject_once');
    await asking;
    expect(await questionShown(under, under.write(at('.envrc'), 'x'))).toBeDefined();
  });

  test('but not against a rule, nor in another session', async () => {
    const denying = setUp({rules: rules('deny edit a')});
    await allow(denying, {kind: 'other', rawInput: {path: 'a', content: 'x'}});
    expect(await denying.write(at('a'), 'x')).toBe(DENIED);
    expect(denying.decisions.at(-1)).toMatchObject({
      outcome: 'rejected',
      by: 'rule: edit a (user)',
    });
    expect(await readdir(sandbox.root)).toEqual([]);
    const under = setUp();
    await allow(under, {kind: 'edit', rawInput: {path: 'a', content: 'x'}});
    const writing = under.host.write({sessionId: 'other', path: at('a'), content: 'x'}, never);
    expect(
      await questionShown(
        under,
        writing.then((answer) => (answer.ok ? 'written' : answer.code)),
      ),
    ).toBeDefined();
  });
});

test('a write is covered that the agent has made itself meanwhile, as approved', async () => {
  await writeFile(at('a'), 'old');
  const under = setUp();
  await allow(under, {kind: 'edit', content: [diff('a', 'new', 'old')]});
  await writeFile(at('a'), 'new');
  expect(await under.write(at('a'), 'new')).toBe('written');
  expect(await readFile(at('a'), 'utf8')).toBe('new');
});

describe('a write needs a request', () => {
  test('with other content than was approved, shown against that', async () => {
    await writeFile(at('a'), 'old');
    const under = setUp();
    await allow(under, {kind: 'edit', content: [diff('a', 'A', 'old')]});
    const shown = await questionShown(under, under.write(at('a'), 'B'));
    expect(shown).toContain('not what you approved');
    expect(under.asked.at(-1)!.request.toolCall.content).toMatchObject([
      {type: 'content'},
      {type: 'diff', oldText: 'A', newText: 'B'},
      {type: 'content'},
      {type: 'diff', oldText: 'old', newText: 'B'},
    ]);
    expect(await under.write(at('a'), 'A')).toBe('written');
  });

  test.each(['read', 'search', 'think', 'fetch', 'switch_mode', 'execute'] as const)(
    'after a request of kind %s',
    async (kind) => {
      const under = setUp();
      await allow(under, {kind, locations: [{path: at('a')}], content: [diff('a', 'x')]});
      expect(await questionShown(under, under.write(at('a'), 'x'))).toBeDefined();
      expect(await readdir(sandbox.root)).toEqual([]);
    },
  );

  test('after a request that only names the file', async () => {
    const under = setUp();
    await allow(under, {kind: 'edit', locations: [{path: at('a')}], rawInput: {path: at('a')}});
    expect(await questionShown(under, under.write(at('a'), 'x'))).toBeDefined();
  });

  test.each<[string, string, acp.ToolCallContent[], string]>([
    ['says that there is no file', 'mine', [diff('a', 'x')], 'x'],
    ['does not match the file', 'mine', [diff('a', 'x', 'theirs')], 'x'],
    ['matches it in two places', 'o o', [diff('a', 'x', 'o')], 'x o'],
    ['matches only before another diff', 'ab', [diff('a', 'x', 'ab'), diff('a', 'y', 'ab')], 'y'],
  ])('after a diff that %s', async (_what, before, ...[content, after]) => {
    await writeFile(at('a'), before);
    const under = setUp();
    await allow(under, {kind: 'edit', content});
    expect(await questionShown(under, under.write(at('a'), after))).toBeDefined();
    expect(await readFile(at('a'), 'utf8')).toBe(before);
  });

  test('if the file was saved since its diff was shown, with what it changes now', async () => {
    await writeFile(at('a'), 'old');
    const under = setUp();
    await allow(under, {kind: 'edit', content: [diff('a', 'new', 'old')]});
    await writeFile(at('a'), 'saved');
    const shown = await questionShown(under, under.write(at('a'), 'new'));
    expect(shown).toContain('changed since you saw it');
    expect(shown).toContain('"oldText":"saved"');
    expect(await readFile(at('a'), 'utf8')).toBe('saved');
  });
});

describe('a write that is waiting for the user', () => {
  test('is asked about again when the file is saved meanwhile', async () => {
    await writeFile(at('a'), 'old');
    const under = setUp();
    const writing = under.write(at('a'));
    await expect.poll(() => under.asked.length).toBe(1);
    await writeFile(at('a'), 'saved');
    await under.answer('allow_once');
    await expect.poll(() => under.asked.length).toBe(2);
    expect(await readFile(at('a'), 'utf8')).toBe('saved');
    const {content} = under.asked[1]!.request.toolCall;
    expect(content).toMatchObject([{type: 'content'}, {type: 'diff', oldText: 'saved', newText: 'new'}]);
    expect(JSON.stringify(content)).toContain('changed since you saw it');
    await under.answer('allow_once');
    expect(await writing).toBe('written');
    expect(await readFile(at('a'), 'utf8')).toBe('new');
    expect(under.statuses).toEqual(['failed', 'completed']);
  });

  test.each([
    ['removed', () => rm(at('a'))],
    ['replaced by a binary file', () => writeFile(at('a'), 'a\0b')],
  ])('is asked about again when the file is %s meanwhile', async (_what, change) => {
    await writeFile(at('a'), 'old');
    const under = setUp();
    const writing = under.write(at('a'));
    await expect.poll(() => under.asked.length).toBe(1);
    await change();
    await under.answer('allow_once');
    await expect.poll(() => under.asked.length).toBe(2);
    await under.answer('reject_once');
    expect(await writing).toBe(DENIED);
  });

  test('does not overwrite a file that was created meanwhile', async () => {
    const under = setUp();
    const writing = under.write(at('a'));
    await expect.poll(() => under.asked.length).toBe(1);
    await writeFile(at('a'), 'mine');
    await under.answer('allow_once');
    await expect.poll(() => under.asked.length).toBe(2);
    await under.answer('reject_once');
    expect(await writing).toBe(DENIED);
    expect(await readFile(at('a'), 'utf8')).toBe('mine');
  });
});

describe('a command', () => {
  test('is covered with exactly its arguments, folder and variables', async () => {
    await mkdir(at('sub'));
    const under = setUp();
    const rawInput = {command: 'true', args: ['a', 'b c'], cwd: 'sub', env: {X: '1'}, description: 'Wait'};
    await allow(under, {kind: 'execute', rawInput});
    const env = [{name: 'X', value: '1'}];
    expect(await under.create({command: 'true', args: ['a', 'b c'], cwd: at('sub'), env})).toBe('started');
  });

  test.each<[string, unknown, Omit<acp.CreateTerminalRequest, 'sessionId'>]>([
    ['without an argument', {command: 'true', args: ['--dry-run']}, {command: 'true'}],
    ['with arguments that were no list', {command: 'true', args: '--dry-run'}, {command: 'true'}],
    ['without arguments that were beside a word list', {command: ['true'], args: ['-n']}, {command: 'true'}],
    ['without a field that resembles arguments', {command: 'true', ARGS: ['-n']}, {command: 'true'}],
    ['outside a field that resembles a folder', {command: 'true', Cwd: '/tmp'}, {command: 'true'}],
    ['beside a field that may be arguments', {command: 'true', flags: ['-n']}, {command: 'true'}],
    ['with a variable', {command: 'true'}, {command: 'true', env: [{name: 'PAGER', value: 'less'}]}],
    ['beside a list', {command: 'true', targets: ['a']}, {command: 'true'}],
    ['beside an input', {command: 'true', stdin: 'y'}, {command: 'true'}],
    ['beside a promise not to do it', {command: 'true', dry_run: true}, {command: 'true'}],
    ['beside another command', {command: 'true', script: 'false'}, {command: 'true'}],
    ['beside a second command', {command: 'true', cmd: 'false'}, {command: 'true'}],
    ['beside another computer', {command: 'true', host: 'staging'}, {command: 'true'}],
    ['beside a path', {command: 'true', summary2: '/tmp'}, {command: 'true'}],
    ['beside a field of letters that look like a folder', {command: 'true', сwd: 'x'}, {command: 'true'}],
    ['in one of two folders', {command: 'true', cwd: '.', workdir: '/tmp'}, {command: 'true'}],
    ['beside nested arguments', {command: 'true', more: {args: ['-n']}}, {command: 'true'}],
    ['without a variable', {command: 'true', env: {A: '1'}}, {command: 'true'}],
    ['with unreadable variables', {command: 'true', env: 'A=1'}, {command: 'true', env: []}],
  ])('is asked about when it runs %s', async (_what, rawInput, request) => {
    const under = setUp();
    await allow(under, {kind: 'execute', rawInput});
    expect(await questionShown(under, under.create(request))).toBeDefined();
    expect(under.terminals).toEqual([]);
  });

  test.each<[string, object]>([
    [
      'of an agent about its risk',
      {riskLevel: 'low', riskLevelReason: 'it only reads', fireAndForget: false},
    ],
    ['of an agent about the tool', {variant: 'Bash', is_background: false, timeout: 1}],
    ['with prose', {summary: 'Runs /bin/true', description: 'Does nothing'}],
    ['that groups such fields', {risk: {value: 'low', reason: 'it only reads'}}],
    ['with numbers of the call', {call_id: 'call_1', turn_id: '01a2', started_at_ms: 1_795_477_867_330}],
    [
      'with the same command in other words',
      {parsed_cmd: [{type: 'unknown', cmd: 'true'}], commands: ['true']},
    ],
    ['for its folder', {workdir: '.'}],
    ['for a variable that changes nothing', {env: {NO_COLOR: '1'}}],
  ])('is covered despite a field %s', async (_what, beside) => {
    const under = setUp();
    await allow(under, {kind: 'execute', rawInput: {command: 'true', ...beside}});
    expect(await under.create({command: 'true'})).toBe('started');
  });

  test('is covered behind the wrapping of its agent', async () => {
    const under = setUp();
    await allow(under, {kind: 'execute', rawInput: {command: 'echo hi && ls'}});
    const args = ['-c', `cd '${sandbox.root}' && echo hi && ls`];
    const env = [
      {name: 'TERM', value: 'dumb'},
      {name: 'SHELL', value: '/bin/bash'},
    ];
    expect(await under.create({command: '/bin/bash', args, env, cwd: sandbox.root})).toBe('started');
  });

  test.each<[string, () => string[]]>([
    ['leads elsewhere', () => ['-c', `cd '${sandbox.outside}' && true`]],
    ['leads to a folder in it', () => ['-c', `cd '${at('sub')}' && true`]],
    ['leads to it by a link', () => ['-c', `cd '${at('link')}' && true`]],
    ['has another word', () => ['-c', `cd '${sandbox.root}' && true x`]],
    ['has another command', () => ['-c', `cd '${sandbox.root}' && true; false`]],
    ['is followed by an argument', () => ['-c', 'true', 'x']],
  ])('is asked about behind wrapping that %s', async (_what, args) => {
    await mkdir(at('sub'));
    await symlink('.', at('link'));
    const under = setUp();
    await allow(under, {kind: 'execute', rawInput: {command: 'true'}});
    expect(await questionShown(under, under.create({command: 'bash', args: args()}))).toBeDefined();
    expect(under.terminals).toEqual([]);
  });

  test.each<[string, (under: HostUnderTest) => void]>([
    ['ended', ({host}) => host.turnEnded()],
    ['was cancelled', ({host}) => host.cancelPending()],
    ['ended, and another started', ({host}) => host.turnStarted()],
  ])('is asked about once the turn of its approval %s', async (_what, end) => {
    const under = setUp();
    await allow(under, {kind: 'execute', rawInput: {command: 'true'}});
    end(under);
    expect(await questionShown(under, under.create({command: 'true'}))).toBeDefined();
  });

  test('that the agent changes before the request is shown is covered as shown', async () => {
    const under = setUp();
    const asking = under.permission({kind: 'execute', rawInput: {command: 'true'}});
    under.host.toolCallUpdated('s', {toolCallId: 't', rawInput: {command: 'false'}});
    await under.answer('allow_once');
    await asking;
    expect(under.asked[0]!.request.toolCall.rawInput).toEqual({command: 'false'});
    expect(await under.create({command: 'false'})).toBe('started');
    expect(await questionShown(under, under.create({command: 'true'}))).toBeDefined();
  });

  test('is asked about when it was approved without a folder and runs in another', async () => {
    await mkdir(at('sub'));
    const under = setUp();
    await allow(under, {kind: 'execute', rawInput: {command: 'true'}});
    expect(await questionShown(under, under.create({command: 'true', cwd: at('sub')}))).toContain('in ');
    expect(await under.create({command: 'true'})).toBe('started');
  });

  test.each(['read', 'edit', 'think'] as const)('is asked about after a request of kind %s', async (kind) => {
    const under = setUp();
    await allow(under, {kind, rawInput: {command: 'true'}});
    expect(await questionShown(under, under.create({command: 'true'}))).toBeDefined();
  });

  test.each(['read', 'search'] as const)('is covered by its words in a request of kind %s', async (kind) => {
    const under = setUp();
    await allow(under, {kind, rawInput: {command: ['bash', '-lc', 'echo hi && ls']}});
    expect(await questionShown(under, under.create({command: "bash -lc 'echo hi && ls'"}))).toBeUndefined();
  });

  test('is asked about when a program of that name is no system shell', async () => {
    await writeFile(at('sh'), '#!/bin/sh\ntouch ran\n');
    await chmod(at('sh'), 0o755);
    const under = setUp();
    await allow(under, {kind: 'execute', rawInput: {command: 'true'}});
    expect(await questionShown(under, under.create({command: './sh', args: ['-c', 'true']}))).toContain(
      './sh',
    );
    expect(await readdir(sandbox.root)).toEqual(['sh']);
    expect(await under.create({command: 'sh', args: ['-c', 'true']})).toBe('started');
  });

  test('is asked about when the approved folder was replaced', async () => {
    await mkdir(at('sub'));
    const under = setUp();
    await allow(under, {kind: 'execute', rawInput: {command: 'true', cwd: at('sub')}});
    await rename(at('sub'), at('moved'));
    await mkdir(at('sub'));
    expect(await questionShown(under, under.create({command: 'true', cwd: at('sub')}))).toBeDefined();
  });

  test.each([
    ['a link', () => symlink(sandbox.outside, at('sub'))],
    ['a link inside the workspace', () => symlink(at('moved'), at('sub'))],
    ['another folder', () => mkdir(at('sub'))],
  ])('does not run when its folder became %s while the request was waiting', async (_what, exchange) => {
    await mkdir(at('sub'));
    const under = setUp();
    const creating = under.create({command: 'touch', args: ['here'], cwd: at('sub')});
    await expect.poll(() => under.asked.length).toBe(1);
    await rename(at('sub'), at('moved'));
    await exchange();
    await under.answer('allow_once');
    expect(await creating).toBe(-32_602);
    expect(under.terminals).toEqual([]);
    for (const folder of [sandbox.outside, at('sub'), at('moved')]) expect(await readdir(folder)).toEqual([]);
  });

  test.each([true, false])('runs in its folder under its own name (pseudo-terminal: %s)', async (hasUser) => {
    await mkdir(at('sub'));
    const under = setUp({hasUser, approval: 'all'});
    const command = 'echo "$PWD" > told; /bin/pwd -P > real; pwd > shell';
    expect(await under.create({command, cwd: at('sub')})).toBe('started');
    const sub = await realpath(at('sub'));
    await expect.poll(() => readFile(at('sub/shell'), 'utf8').catch(() => '')).toBe(`${sub}\n`);
    for (const name of ['told', 'real']) expect(await readFile(at(`sub/${name}`), 'utf8')).toBe(`${sub}\n`);
  });
});
