import {expect, test} from 'vitest';
import {tightenSandbox, type SandboxLevels} from '../../../src/session/settings/sandbox.ts';

test.each([
  [{}, {enabled: true}, {enabled: true}],
  [{}, {network: 'open', sockets: 'all'}, {network: 'ask', sockets: 'none'}],
  [{enabled: true}, {enabled: false}, {enabled: true}],
  [{network: 'open'}, {network: 'ask'}, {network: 'ask'}],
  [{network: 'none'}, {network: 'open'}, {network: 'none'}],
  [{sockets: 'all'}, {sockets: 'none', network: 'none'}, {sockets: 'none', network: 'none'}],
  [{hidden: ['.env*', 'a']}, {hidden: ['a', 'b']}, {hidden: ['.env*', 'a', 'b']}],
  [{}, {hidden: ['a']}, {hidden: ['a']}],
] as const)('%j by %j becomes %j', (given, by, expected) => {
  expect(tightenSandbox(given, by, {enabled: false, network: 'ask', sockets: 'none', hidden: []})).toEqual(
    expected,
  );
});

test('the settings of a single agent get none that they do not have', () => {
  expect(tightenSandbox({enabled: false}, {enabled: true, network: 'none'})).toEqual({
    enabled: true,
  });
  const given = {hidden: ['a']};
  expect(tightenSandbox<SandboxLevels>({}, given)).toEqual({});
  expect(tightenSandbox({hidden: ['b']}, given)).toEqual({hidden: ['b', 'a']});
});
