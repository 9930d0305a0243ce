import {mkdir, readFile, readdir, rename, symlink, writeFile} from 'node:fs/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {readWire} from '../../protocol/replay.ts';
import {never, useHosts} from '../hosts.ts';

const {sandbox, setUp, at} = useHosts();
const options = [
  {optionId: 'allow', name: 'Allow', kind: 'allow_once'},
  {optionId: 'reject', name: 'Reject', kind: 'reject_once'},
];

describe('a write that nothing covers', () => {
  test('asks with its diff and writes when allowed', async () => {
    await writeFile(at('a'), 'old');
    const {write, answer, asked, statuses} = setUp();
    const writing = write(at('a'));
    await answer('allow_once');
    expect(await writing).toBe('written');
    expect(await readFile(at('a'), 'utf8')).toBe('new');
    expect(asked[0]!.request).toMatchObject({
      sessionId: 's',
      options,
      toolCall: {
        title: 'Write a',
        kind: 'edit',
        locations: [{path: at('a')}],
        content: [{type: 'diff', path: at('a'), oldText: 'old', newText: 'new'}],
      },
    });
    expect(statuses).toEqual(['completed']);
  });

  test('does not write when rejected', async () => {
    const {host, answer, statuses} = setUp();
    const writing = host.write({sessionId: 's', path: at('a'), content: 'new'}, never);
    await answer('reject_once');
    expect(await writing).toMatchObject({ok: false, code: -32603, data: {reason: 'denied'}});
    expect(await readdir(sandbox.root)).toEqual([]);
    expect(statuses).toEqual(['failed']);
  });

  test('says when what it replaces cannot be shown', async () => {
    await writeFile(at('a'), 'a\0b');
    const {write, answer, asked} = setUp();
    const writing = write(at('a'));
    await answer('reject_once');
    await writing;
    expect(JSON.stringify(asked[0]!.request.toolCall.content)).toContain('not text');
  });

  test('asks again for the next one', async () => {
    const {write, answer, asked} = setUp();
    for (const content of ['one', 'two']) {
      const writing = write(at('a'), content);
      await answer('allow_once');
      await writing;
    }
    expect(new Set(asked.map(({request}) => request.toolCall.toolCallId)).size).toBe(2);
  });

  test('goes to the path that was shown, or nowhere', async () => {
    await mkdir(at('dir'));
    const {write, asked, host} = setUp();
    const writing = write(at('dir/a'));
    await expect.poll(() => asked.length).toBe(1);
    await rename(at('dir'), at('moved'));
    await symlink(sandbox.outside, at('dir'));
    void host.answer(asked[0]!.id, {kind: 'option', index: 0});
    expect(await writing).toBe(-32602);
    expect(await readdir(sandbox.outside)).toEqual([]);
  });

  test('ends with the turn, and is not shown after it', async () => {
    const {host, write, asked, statuses} = setUp();
    const writing = write(at('a'));
    await expect.poll(() => asked.length).toBe(1);
    host.cancelPending();
    expect(await writing).toBe(-32800);
    expect(statuses).toEqual([]);
    const late = await host.write({sessionId: 's', path: at('a'), content: 'new'}, AbortSignal.abort());
    expect(late).toMatchObject({code: -32800});
    expect(asked).toHaveLength(1);
  });
});

describe('a write without a request', () => {
  test('is allowed by the level', async () => {
    const {write, asked, records} = setUp({approval: 'edits'});
    expect(await write(at('a'))).toBe('written');
    expect(asked).toEqual([]);
    expect(records).toMatchObject([{outcome: 'allowed', by: '--approve edits', paths: [at('a')]}]);
  });

  test('is the one that a user just allowed, under any name', async () => {
    await mkdir(at('real'));
    await symlink('real', at('link'));
    const {permission, write, answer, asked, records} = setUp();
    const content = [{type: 'diff' as const, path: at('link/a'), newText: 'new'}];
    const allowing = permission({kind: 'edit', content});
    await answer('allow_once');
    expect(await allowing).toBe('x-once');
    expect(await write(at('real/a'))).toBe('written');
    expect(asked).toHaveLength(1);
    expect(records.map(({by}) => by)).toEqual(['user', 'an earlier answer']);
    const again = write(at('real/a'));
    await answer('reject_once');
    expect(await again).toBe(-32603);
  });

  test('is not one that only a rejected or automatic permission named', async () => {
    const {permission, write, answer} = setUp({approval: 'reads'});
    expect(await permission({kind: 'read', locations: [{path: at('a')}]})).toBe('x-once');
    const rejecting = permission({kind: 'edit', locations: [{path: at('a')}]});
    await answer('reject_once');
    await rejecting;
    const writing = write(at('a'));
    await answer('reject_once');
    expect(await writing).toBe(-32603);
  });
});

test('rejects a write outside the workspace without asking, at any level', async () => {
  for (const approval of ['none', 'all'] as const) {
    const {write, asked} = setUp({approval});
    expect(await write(`${sandbox.outside}/a`)).toBe(-32602);
    expect(asked).toEqual([]);
  }
});

test('reads inside the workspace need no permission', async () => {
  await writeFile(at('a'), 'text');
  const {host, asked, records} = setUp();
  const answer = await host.read({sessionId: 's', path: at('a')}, never);
  expect(answer).toEqual({ok: true, value: {content: 'text'}});
  expect({asked, records}).toEqual({asked: [], records: []});
});

test('a command that Oh My Pi asks about and then runs in a login shell is asked about once', async () => {
  const {host, answer, asked} = setUp();
  const wire = readWire('omp-command-asked-twice.ndjson').filter(({d}) => d === '<');
  const sent = (method: string) => wire.find(({m}) => m.method === method)?.m.params;
  const request = sent('session/request_permission') as unknown as acp.RequestPermissionRequest;
  const create = sent('terminal/create') as unknown as acp.CreateTerminalRequest;
  const asking = host.requestPermission({request}, never);
  await answer('allow_once');
  await asking;
  expect(await host.createTerminal({...create, cwd: sandbox.root}, never)).toMatchObject({ok: true});
  expect(asked).toHaveLength(1);
});

describe('a command that nothing covers', () => {
  test('asks with all details, each once, and runs when allowed', async () => {
    await mkdir(at('sub'));
    const {host, answer, asked, terminals, statuses} = setUp();
    const command = 'echo "$X" > a\ntrue';
    const create = {sessionId: 's', command, cwd: at('sub'), env: [{name: 'X', value: 'y'}]};
    const creating = host.createTerminal(create, never);
    await answer('allow_once');
    expect(await creating).toMatchObject({ok: true});
    const {toolCall} = asked[0]!.request;
    expect(toolCall).toMatchObject({title: command, kind: 'execute', rawInput: {command}});
    const text = `in ${at('sub')}\nwith\nX=y`;
    expect(toolCall.content).toEqual([{type: 'content', content: {type: 'text', text}}]);
    expect(terminals).toEqual([command]);
    await expect.poll(() => statuses).toEqual(['in_progress', 'completed']);
    expect(await readFile(at('sub/a'), 'utf8')).toBe('y\n');
  });

  test('names variables that change nothing apart from those that may', async () => {
    const {host, answer, asked} = setUp();
    const env = [
      {name: 'NO_COLOR', value: '1'},
      {name: 'X', value: 'y'},
    ];
    const creating = host.createTerminal({sessionId: 's', command: 'true', env}, never);
    await answer('reject_once');
    await creating;
    expect(asked[0]!.request.toolCall).toMatchObject({
      rawInput: {command: 'true', env: {NO_COLOR: '1'}},
      content: [{content: {text: 'with\nX=y'}}],
    });
  });

  test('is not asked about when it cannot run', async () => {
    const {run, asked} = setUp();
    expect(await run('no-such-command-anywhere')).toBe(-32002);
    expect(asked).toEqual([]);
  });

  test('ends with the turn', async () => {
    const {host, run, asked} = setUp();
    const creating = run('true');
    await expect.poll(() => asked.length).toBe(1);
    host.cancelPending();
    expect(await creating).toBe(-32800);
  });
});

describe('a command without a request', () => {
  test('is any at the level "all", and none at "edits"', async () => {
    expect(await setUp({approval: 'all'}).run('true')).toBe('started');
    expect(await setUp({approval: 'edits', hasUser: false}).run('true')).toBe(-32603);
  });

  test('is the one that a user just allowed, once', async () => {
    const {permission, run, answer} = setUp();
    const allowing = permission({kind: 'execute', rawInput: {command: 'echo hi', cwd: sandbox.root}});
    await answer('allow_once');
    await allowing;
    expect(await run('echo', ['hi'])).toBe('started');
    const again = run('echo', ['hi']);
    await answer('reject_once');
    expect(await again).toBe(-32603);
  });

  test('is not one that was only allowed by the policy', async () => {
    const {host, permission, run, answer} = setUp({approval: 'all'});
    expect(await permission({kind: 'read', rawInput: {command: 'echo hi'}})).toBe('x-once');
    host.setApproval('none');
    const running = run('echo hi');
    await answer('reject_once');
    expect(await running).toBe(-32603);
  });
});

test('without a user, a write and a command are rejected with the flag that allows them', async () => {
  const {host, terminals} = setUp({approval: 'reads', hasUser: false});
  const write = await host.write({sessionId: 's', path: at('a'), content: 'x'}, never);
  const run = await host.createTerminal({sessionId: 's', command: 'ls', args: ['-a b']}, never);
  expect(write).toMatchObject({code: -32603, data: {reason: 'denied'}});
  expect(write).toHaveProperty('message', expect.stringContaining('--approve edits would'));
  expect(run).toHaveProperty('message', expect.stringContaining('--approve all would'));
  expect(host.denied()).toEqual([
    {method: 'fs/write_text_file', title: at('a'), kind: 'edit', sessionId: 's', allowedBy: 'edits'},
    {method: 'terminal/create', title: "ls '-a b'", kind: 'execute', sessionId: 's', allowedBy: 'all'},
  ]);
  expect(terminals).toEqual([]);
  expect(await readdir(sandbox.root)).toEqual([]);
});
