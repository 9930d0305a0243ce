import {describe, expect, test} from 'vitest';
import {rules, useHosts, type HostUnderTest} from '../hosts.ts';

const {setUp} = useHosts();

const connect = (
  {host}: HostUnderTest,
  name: string,
  {isPrivate = false, port = 443, sessionId = 's'} = {},
) => host.connect({sessionId, host: {name, port, isPrivate}});

describe('a connection out of the sandbox', () => {
  test('is asked about once, however many programs want it, and the answer holds for the turn', async () => {
    const under = setUp();
    const attempts = Promise.all([1, 2, 3].map(() => connect(under, 'registry.example')));
    await under.answer('allow_once');
    expect(await attempts).toEqual([true, true, true]);
    expect(await connect(under, 'registry.example', {port: 80})).toBe(true);
    expect(under.asked).toMatchObject([
      {
        request: {toolCall: {title: 'Connect to registry.example:443', kind: 'fetch'}},
        rule: 'network registry.example',
        covers: Array.from({length: 3}, () => 'connections to registry.example'),
      },
    ]);
    under.host.turnStarted();
    const again = connect(under, 'registry.example');
    await under.answer('reject_once');
    expect(await again).toBe(false);
    expect(await connect(under, 'registry.example')).toBe(false);
    expect(under.asked).toHaveLength(2);
    expect(under.records).toMatchObject([
      {method: 'network', outcome: 'allowed', by: 'user'},
      {method: 'network', outcome: 'rejected', by: 'user'},
    ]);
  });

  test('is decided by a rule for its port whatever was answered about the host, and the other way round', async () => {
    for (const effect of ['deny', 'ask']) {
      const under = setUp({rules: rules(`${effect} network git.example:22`)});
      const ruled = async () => {
        const attempt = connect(under, 'git.example', {port: 22});
        if (effect === 'ask') await under.answer('reject_once');
        expect(await attempt).toBe(false);
      };
      await ruled();
      const other = connect(under, 'git.example');
      await under.answer('allow_once');
      expect(await other).toBe(true);
      under.host.turnStarted();
      const again = connect(under, 'git.example');
      await under.answer('allow_once');
      expect(await again).toBe(true);
      await ruled();
    }
  });

  test('is allowed for the session until that is taken back', async () => {
    const under = setUp();
    const first = connect(under, 'registry.example');
    await under.answer('allow_always');
    expect(await first).toBe(true);
    under.host.turnStarted();
    expect(await connect(under, 'registry.example')).toBe(true);
    expect(under.asked).toHaveLength(1);
    const elsewhere = connect(under, 'other.example');
    await under.answer('reject_once');
    expect(await elsewhere).toBe(false);
    const [given] = under.host.sessionGrants.list();
    expect(given?.covers).toBe('connections to registry.example');
    under.host.sessionGrants.takeBack(given!.id);
    const other = connect(under, 'registry.example');
    await under.answer('reject_once');
    expect(await other).toBe(false);
  });

  test('is allowed for the session before the agent has opened it', async () => {
    const under = setUp();
    const first = connect(under, 'registry.example', {sessionId: ''});
    await under.answer('allow_always');
    expect(await first).toBe(true);
    under.host.sessionOpened('s1');
    under.host.turnStarted();
    expect(await connect(under, 'registry.example', {sessionId: 's1'})).toBe(true);
    expect(under.asked).toHaveLength(1);
    expect(under.host.sessionGrants.list()).toMatchObject([{sessionId: 's1'}]);
    const later = connect(under, 'registry.example', {sessionId: 's2'});
    await under.answer('reject_once');
    expect(await later).toBe(false);
  });

  test.each(['allow_once', 'allow_always'] as const)(
    'to a port of this computer is to no other port, answered by %s',
    async (answer) => {
      const under = setUp();
      const local = (name: string, port: number) => connect(under, name, {isPrivate: true, port});
      const first = local('localhost', 18099);
      await under.answer(answer);
      expect(await first).toBe(true);
      expect(await local('localhost', 18099)).toBe(true);
      const other = local('localhost', 18100);
      await under.answer('reject_once');
      expect(await other).toBe(false);
      const sixth = local('::1', 18099);
      await under.answer('reject_once');
      expect(await sixth).toBe(false);
      expect(under.asked.map(({request, rule}) => [request.toolCall.title, rule])).toEqual([
        ['Connect to localhost:18099', 'network localhost:18099'],
        ['Connect to localhost:18100', 'network localhost:18100'],
        ['Connect to [::1]:18099', 'network [::1]:18099'],
      ]);
    },
  );

  test('is no longer asked about when its turn is over', async () => {
    const under = setUp();
    const waiting = connect(under, 'registry.example');
    await expect.poll(() => under.asked.length).toBe(1);
    under.host.turnEnded();
    expect(await waiting).toBe(false);
    expect(under.isWaiting()).toBe(false);
  });

  test('is refused when the turn is cancelled, and asked about again in the next one', async () => {
    const under = setUp();
    const waiting = connect(under, 'registry.example');
    await expect.poll(() => under.asked.length).toBe(1);
    under.host.cancelPending();
    expect(await waiting).toBe(false);
    const again = connect(under, 'registry.example');
    await under.answer('allow_once');
    expect(await again).toBe(true);
  });

  test.each([
    {given: 'a level', settings: {approval: 'all'}, isAllowed: true},
    {given: 'a lower level', settings: {approval: 'edits'}, isAllowed: false},
    {given: 'a rule for the host', settings: {rules: rules('allow network *.example')}, isAllowed: true},
    {given: 'a rule for anything', settings: {rules: rules('allow any')}, isAllowed: true},
    {given: 'a rule for other hosts', settings: {rules: rules('allow network *.test')}, isAllowed: false},
    {given: 'a rule for fetches', settings: {rules: rules('allow fetch')}, isAllowed: false},
    {
      given: 'a denying rule at the widest level',
      settings: {approval: 'all', rules: rules('deny network registry.*')},
      isAllowed: false,
    },
  ] as const)('is decided without a user by $given', async ({settings, isAllowed}) => {
    const under = setUp({hasUser: false, ...settings});
    expect(await connect(under, 'registry.example')).toBe(isAllowed);
    expect(under.records).toMatchObject([{method: 'network', outcome: isAllowed ? 'allowed' : 'rejected'}]);
    expect(under.host.denied()).toHaveLength(isAllowed ? 0 : 1);
  });

  test.each([
    {given: 'the widest level', settings: {approval: 'all'}, isAllowed: false},
    {given: 'a rule for any host', settings: {rules: rules('allow network *')}, isAllowed: false},
    {given: 'a rule with a wildcard', settings: {rules: rules('allow network 127.*')}, isAllowed: false},
    {given: 'a rule that names it', settings: {rules: rules('allow network 127.0.0.1')}, isAllowed: true},
    {given: 'a rule for its port', settings: {rules: rules('allow network 127.0.0.1:443')}, isAllowed: true},
    {
      given: 'a rule for another port',
      settings: {rules: rules('allow network 127.0.0.1:18099')},
      isAllowed: false,
    },
  ] as const)('to a private address is decided without a user by $given', async ({settings, isAllowed}) => {
    const under = setUp({hasUser: false, ...settings});
    expect(await connect(under, '127.0.0.1', {isPrivate: true})).toBe(isAllowed);
  });
});
