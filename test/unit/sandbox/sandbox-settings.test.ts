import {expect, test} from 'vitest';
import {tightenSettings, type Levels} from '../../../src/session/settings/sandbox.ts';

test.each([
  [{}, {sandbox: 'on'}, {sandbox: 'on'}],
  [{}, {network: 'open', sandboxSockets: 'all'}, {network: 'ask', sandboxSockets: 'none'}],
  [{sandbox: 'on'}, {sandbox: 'off'}, {sandbox: 'on'}],
  [{network: 'open'}, {network: 'ask'}, {network: 'ask'}],
  [{network: 'none'}, {network: 'open'}, {network: 'none'}],
  [
    {sandboxSockets: 'all'},
    {sandboxSockets: 'none', network: 'none'},
    {sandboxSockets: 'none', network: 'none'},
  ],
  [{sandboxHidden: ['.env*', 'a']}, {sandboxHidden: ['a', 'b']}, {sandboxHidden: ['.env*', 'a', 'b']}],
  [{}, {sandboxHidden: ['a']}, {sandboxHidden: ['a']}],
] as const)('%j by %j becomes %j', (given, by, expected) => {
  expect(
    tightenSettings(given, by, {sandbox: 'off', network: 'ask', sandboxSockets: 'none', sandboxHidden: []}),
  ).toEqual(expected);
});

test('the settings of a single agent get none that they do not have', () => {
  expect(tightenSettings({sandbox: 'off'}, {sandbox: 'on', network: 'none'})).toEqual({
    sandbox: 'on',
  });
  const hidden = {sandboxHidden: ['a']};
  expect(tightenSettings<Levels>({}, hidden)).toEqual({});
  expect(tightenSettings({sandboxHidden: ['b']}, hidden)).toEqual({sandboxHidden: ['b', 'a']});
});
