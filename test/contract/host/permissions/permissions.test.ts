import {mkdir, symlink} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {withCleared} from '../../../../src/session/transcript/patches.ts';
import {never, OPTIONS, rules, useHosts} from '../hosts.ts';

const {sandbox, setUp, at} = useHosts();

describe('a permission that the policy allows', () => {
  test('is answered with the option "once" and says what decided', async () => {
    const {permission, asked, decisions} = setUp({approval: 'reads'});
    expect(await permission({kind: 'read', locations: [{path: at('a')}]})).toBe('x-once');
    expect(asked).toHaveLength(1);
    expect(decisions).toEqual([{outcome: 'allowed', option: 'Once', by: '--approve reads'}]);
  });

  test('is based on what was sent for the tool call before', async () => {
    const known = {t: {kind: 'edit' as const, locations: [{path: '/etc/passwd'}]}};
    const {permission, answer} = setUp({approval: 'edits', known});
    const outside = permission({});
    await answer('reject_once');
    expect(await outside).toBe('x-no');
    expect(await permission({locations: [{path: at('a')}]})).toBe('x-once');
  });

  test('asks if only "always" is offered', async () => {
    const {permission, answer} = setUp({approval: 'all'});
    const always = permission({kind: 'read'}, [OPTIONS[0]!, OPTIONS[2]!]);
    await answer('allow_always');
    expect(await always).toBe('x-always');
  });

  test('asks about paths outside the workspace at any level', async () => {
    await symlink(sandbox.outside, at('link'));
    const {permission, answer, decisions} = setUp({approval: 'all'});
    const diff = {type: 'diff' as const, path: at('link/a'), newText: ''};
    for (const toolCall of [{locations: [{path: sandbox.outside}]}, {content: [diff]}]) {
      const outside = permission({kind: 'read', ...toolCall});
      await answer('reject_once');
      expect(await outside).toBe('x-no');
    }
    expect(decisions.map(({by}) => by)).toEqual(['user', 'user']);
  });

  test('resolves ".." after a link by its target, not by its text', async () => {
    await mkdir(`${sandbox.outside}/deep`);
    await symlink(`${sandbox.outside}/deep`, at('link'));
    const {permission, answer, decisions} = setUp({approval: 'all'});
    for (const path of [at('link/../secret'), 'link/../secret']) {
      const outside = permission({kind: 'edit', locations: [{path}]});
      await answer('reject_once');
      expect(await outside).toBe('x-no');
    }
    expect(decisions.map(({by}) => by)).toEqual(['user', 'user']);
  });

  test('follows the level at the time of the request', async () => {
    const {host, permission, answer} = setUp();
    const call = {kind: 'execute' as const, rawInput: {command: 'ls'}};
    const first = permission(call);
    await answer('reject_once');
    expect(await first).toBe('x-no');
    host.setApproval('all');
    expect(await permission(call)).toBe('x-once');
  });
});

describe('a request that the agent changes while it is shown', () => {
  const reported = {kind: 'execute' as const, rawInput: {command: 'touch made'}};
  const change = (rawInput: unknown) => ({toolCallId: 't', rawInput});

  test('covers what it said when it was answered, and nothing it said before', async () => {
    const {host, permission, run, answer, asked} = setUp();
    const waiting = permission(reported);
    await expect.poll(() => asked.length).toBe(1);
    host.toolCallUpdated('s', change({command: 'true'}));
    await answer('allow_once');
    expect(await waiting).toBe('x-once');
    const refused = run('touch made');
    await answer('reject_once');
    expect(await refused).toBe(-32603);
    expect(await run('true')).toBe('started');
  });

  test('no longer covers what an update has cleared', async () => {
    const {host, permission, run, answer, asked} = setUp();
    const waiting = permission(reported);
    await expect.poll(() => asked.length).toBe(1);
    host.toolCallUpdated('s', {...withCleared({toolCallId: 't', rawInput: null}), title: 'List files'});
    await answer('allow_once');
    expect(await waiting).toBe('x-once');
    const refused = run('touch made');
    await answer('reject_once');
    expect(await refused).toBe(-32603);
  });

  test('is not changed by updates of another call or session, nor after the answer', async () => {
    const {host, permission, run, answer, asked} = setUp();
    const waiting = permission(reported);
    await expect.poll(() => asked.length).toBe(1);
    host.toolCallUpdated('s', {...change({command: 'ls'}), toolCallId: 'other'});
    host.toolCallUpdated('other', change({command: 'ls'}));
    await answer('allow_once');
    host.toolCallUpdated('s', change({command: 'ls'}));
    await waiting;
    expect(await run('touch made')).toBe('started');
  });

  test('offers the rule for what it says now', async () => {
    const {host, permission, asked, offers, offered} = setUp();
    const waiting = permission(reported);
    await expect.poll(() => asked).toMatchObject([{rule: 'execute touch made'}]);
    host.toolCallUpdated('s', change({command: 'rm made'}));
    void host.answer(asked[0]!.id, {kind: 'rule', key: 'p'});
    expect(offered).toEqual([]);
    await expect.poll(() => offers).toMatchObject([{rule: 'execute rm made'}]);
    void host.answer(asked[0]!.id, {kind: 'rule', key: 'p'});
    expect(await waiting).toBe('x-once');
    expect(offered).toEqual(['execute rm made']);
  });

  test('is rejected when a rule denies what it says now, and keeps asking when one allows it', async () => {
    const {host, permission, answer, asked, decisions} = setUp({
      rules: rules('deny execute rm *', 'allow execute true'),
    });
    const first = permission(reported);
    await expect.poll(() => asked.length).toBe(1);
    host.toolCallUpdated('s', change({command: 'rm made'}));
    expect(await first).toBe('x-no');
    expect(decisions.at(-1)).toMatchObject({outcome: 'rejected', by: 'rule: execute rm * (user)'});
    const second = permission(reported);
    await expect.poll(() => asked.length).toBe(2);
    host.toolCallUpdated('s', change({command: 'true'}));
    await answer('reject_once');
    expect(await second).toBe('x-no');
  });

  test('is rejected by a rule although the user allows it before that is known', async () => {
    const {host, permission, asked, decisions} = setUp({rules: rules('deny execute rm *')});
    const waiting = permission(reported);
    await expect.poll(() => asked.length).toBe(1);
    host.toolCallUpdated('s', change({command: 'rm made'}));
    void host.answer(asked[0]!.id, {kind: 'option', index: 1});
    expect(await waiting).toBe('x-no');
    expect(decisions).toMatchObject([{outcome: 'rejected', by: 'rule: execute rm * (user)'}]);
  });
});

describe('a permission request', () => {
  test('is answered with the selected option', async () => {
    const {permission, answer, decisions} = setUp();
    const options = [OPTIONS[1]!, {...OPTIONS[1]!, optionId: 'second', name: 'Once \u001B[2Jmore'}];
    const waiting = permission({}, options);
    await answer('allow_once');
    expect(await waiting).toBe('x-once');
    expect(decisions).toEqual([{outcome: 'allowed', option: 'Once', by: 'user'}]);
  });

  test('is not answered by an unknown option, nor twice', async () => {
    const {host, permission, asked, decisions} = setUp();
    const waiting = permission({});
    await expect.poll(() => asked.length).toBe(1);
    const {id} = asked[0]!;
    void host.answer('permission-99', {kind: 'option', index: 0});
    void host.answer(id, {kind: 'option', index: 3});
    void host.answer(id, {kind: 'option', index: -1});
    expect(decisions).toEqual([]);
    void host.answer(id, {kind: 'option', index: 2});
    void host.answer(id, {kind: 'option', index: 1});
    expect(await waiting).toBe('x-no');
    expect(decisions).toHaveLength(1);
  });

  test('waits beside others, each with its own answer', async () => {
    const {host, permission, asked} = setUp();
    const both = [permission({title: 'one'}), permission({title: 'two'})];
    await expect.poll(() => asked.length).toBe(2);
    const two = asked.find(({request}) => request.toolCall.title === 'two')!;
    const one = asked.find(({request}) => request.toolCall.title === 'one')!;
    void host.answer(two.id, {kind: 'option', index: 1});
    void host.answer(one.id, {kind: 'option', index: 2});
    expect(await Promise.all(both)).toEqual(['x-no', 'x-once']);
  });

  test('is cancelled by the agent', async () => {
    const {host, asked, decisions} = setUp();
    const withdrawal = new AbortController();
    const request = {sessionId: 's', toolCall: {toolCallId: 't'}, options: OPTIONS};
    const waiting = host.requestPermission({request}, withdrawal.signal);
    await expect.poll(() => asked.length).toBe(1);
    withdrawal.abort();
    expect(await waiting).toEqual({outcome: {outcome: 'cancelled'}});
    expect(decisions).toEqual([{outcome: 'withdrawn', option: undefined, by: 'agent'}]);
  });

  test('is answered with "cancelled" when the turn is, even right after it arrived', async () => {
    const {host, permission, asked, decisions} = setUp({approval: 'reads'});
    const shown = permission({kind: 'execute'});
    await expect.poll(() => asked.length).toBe(1);
    const unseen = [permission({kind: 'execute'}), permission({kind: 'read'})];
    host.cancelPending();
    expect(await Promise.all([shown, ...unseen])).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(decisions[0]).toEqual({outcome: 'cancelled', by: 'user'});
    expect(await permission({kind: 'read', locations: [{path: at('a')}]})).toBe('x-once');
  });

  test('is not shown while a cancelled turn has not ended', async () => {
    const {permission, host} = setUp({approval: 'all', isCancelling: () => true});
    expect(await permission({kind: 'read'})).toBe('cancelled');
    expect(host.denied()).toEqual([]);
  });
});

describe('without a user', () => {
  test('rejects what the policy does not allow, and says what would allow it', async () => {
    const {host, permission, decisions} = setUp({approval: 'reads', hasUser: false});
    expect(await permission({kind: 'edit', title: 'Edit a', locations: [{path: at('a')}]})).toBe('x-no');
    expect(await permission({kind: 'edit', title: 'Edit it', locations: [{path: '/etc/hosts'}]})).toBe(
      'x-no',
    );
    expect(decisions[0]).toEqual({outcome: 'rejected', option: 'No', by: '--approve reads'});
    const method = 'session/request_permission';
    expect(host.denied()).toEqual([
      {method, title: 'Edit a', kind: 'edit', toolCallId: 't', sessionId: 's', allowedBy: 'edits'},
      {
        method,
        title: 'Edit it: /etc/hosts',
        kind: 'edit',
        toolCallId: 't',
        sessionId: 's',
        allowedBy: undefined,
      },
    ]);
  });

  test('cancels a request that cannot be rejected once', async () => {
    const {host, permission, decisions} = setUp({hasUser: false});
    const options = [OPTIONS[0]!, {optionId: 'never', name: 'Never', kind: 'reject_always' as const}];
    expect(await permission({kind: 'read'}, options)).toBe('cancelled');
    expect(decisions).toEqual([{outcome: 'rejected', by: '--approve none'}]);
    expect(host.denied()).toMatchObject([{allowedBy: undefined}]);
  });

  test('does not count a cancelled request as rejected', async () => {
    const {host} = setUp({hasUser: false, approval: 'all'});
    const toolCall = {toolCallId: 't', rawInput: {what: 'this'}};
    const request = {sessionId: 's', toolCall, options: OPTIONS};
    expect(await host.requestPermission({request}, AbortSignal.abort())).toEqual({
      outcome: {outcome: 'cancelled'},
    });
    expect(await host.requestPermission({request}, never)).toMatchObject({outcome: {optionId: 'x-once'}});
    expect(host.denied()).toEqual([]);
  });
});

test('of several answers that allow once, an earlier answer for the session chooses none', async () => {
  const {permission, answer, decisions} = setUp();
  const edit = (path: string) => ({
    kind: 'edit' as const,
    content: [{type: 'diff' as const, path: at(path), newText: 'x'}],
  });
  const earlier = permission(edit('a'));
  await answer('allow_always');
  await earlier;
  expect(await permission(edit('b'))).toBe('x-once');
  const asking = permission(edit('c'), [...OPTIONS, {...OPTIONS[1]!, optionId: 'two'}]);
  await answer('reject_once');
  expect(await asking).toBe('x-no');
  expect(decisions.at(-1)).toMatchObject({by: 'user'});
});

test.each([
  ['allow any', 'cancelled', 'a request without one answer that allows it once'],
  ['deny execute', 'no', 'rule: deny execute (user)'],
])('of several answers that allow once, %s chooses none', async (rule, expected, by) => {
  const {permission, decisions, host} = setUp({approval: 'all', hasUser: false, rules: rules(rule)});
  const options = ['one', 'two'].map((optionId) => ({optionId, name: optionId, kind: 'allow_once' as const}));
  const no = {optionId: 'no', name: 'No', kind: 'reject_once' as const};
  const call = {kind: 'execute' as const, rawInput: {command: 'ls'}};
  const answer = await permission(call, expected === 'no' ? [...options, no] : options);
  expect(answer).toBe(expected);
  expect(decisions).toMatchObject([{outcome: 'rejected', by: by.replace('deny ', '')}]);
  expect(host.denied()).toMatchObject([{allowedBy: undefined}]);
});
