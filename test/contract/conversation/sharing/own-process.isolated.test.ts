import {expect, test, vi} from 'vitest';
import {isStart} from '../../../../src/recording/format.ts';
import {FIRST, openWindow} from '../open-window.ts';

// No tested agent mixes up its sessions: this one is declared to.
vi.mock('../../../../src/agents/quirks.ts', async (original) => ({
  ...(await original<object>()),
  quirksOf: (name: string) => (name === 'mixes-sessions-up' ? {ownProcess: true} : {}),
}));

test('an agent known to mix up its sessions gets a process for each, without a notice', async () => {
  const window = await openWindow('together', 'mixes');
  await window.converse(FIRST, 'one');
  const second = await window.open('together', 'mixes');
  await window.converse(second, 'two');
  expect(window.wire().filter(isStart)).toHaveLength(2);
  expect(window.notices(second)).toEqual([]);
});

test('also if its sessions are opened before its name is known', async () => {
  const window = await openWindow('together', 'mixes');
  await window.converse(FIRST, 'one');
  const agent = {...window.sessions.optionsOf(FIRST).agent, env: {ACCOUNT: 'other'}};
  const opened = await Promise.all([window.openWith({agent}), window.openWith({agent})]);
  expect(opened).toHaveLength(2);
  await window.until(({sessions}) =>
    Object.values(sessions).every(({session}) => session.connection.kind === 'ready'),
  );
  expect(window.wire().filter(isStart)).toHaveLength(3);
});
