import {expect, test} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {FIRST, openWindow} from '../open-window.ts';

const agent: Script = {
  initialize: {agentCapabilities: {providers: {}}},
  results: {
    'providers/list': {
      providers: [{providerId: 'main', supported: ['openai'], required: true, current: null}],
    },
    'providers/set': {},
  },
};

test('a provider configured in one session is passed to the others of its process, and to no other', async () => {
  const scenario = ['script', JSON.stringify(agent)];
  const window = await openWindow(...scenario);
  // A used session is not replaced by the next one.
  await window.sessions.clientOf(FIRST).runShell('true');
  const second = await window.open(...scenario);
  await window.sessions.clientOf(second).runShell('true');
  const apart = await window.openWith(
    {agent: {...window.sessions.optionsOf(FIRST).agent, env: {ACCOUNT: 'other'}}},
    ...scenario,
  );
  const actions = window.sessions.clientOf(second);
  const done = actions.configureProvider('main');
  const form = () => window.session(second)?.session.pending[0];
  await window.until(() => form() !== undefined);
  void actions.answer(form()!.id, {
    kind: 'accepted',
    content: {apiType: 'openai', baseUrl: 'https://gateway/v1'},
  });
  expect(await done).toMatchObject({ok: true});
  expect(window.notices(second)).toEqual([
    expect.stringMatching(/^Provider "main" is set to https:\/\/gateway\/v1/),
  ]);
  expect(window.notices(FIRST)).toEqual([
    expect.stringMatching(/^In another session: Provider "main" is set to https:\/\/gateway\/v1/),
  ]);
  expect(window.notices(apart)).toEqual([]);
});

test('a provider that a session has chosen stays that of its process when another session is opened after a restart', async () => {
  const scenario = ['script', JSON.stringify(agent)];
  const provider = {id: 'main', apiType: 'openai', baseUrl: 'https://settings/v1'};
  const window = await openWindow(...scenario);
  const mine = await window.openWith({provider}, ...scenario);
  await window.sessions.clientOf(mine).runShell('true');
  const actions = window.sessions.clientOf(mine);
  const done = actions.configureProvider('main');
  const form = () => window.session(mine)?.session.pending[0];
  await window.until(() => form() !== undefined);
  const content = {apiType: 'openai', baseUrl: 'https://mine/v1'};
  void actions.answer(form()!.id, {kind: 'accepted', content});
  expect(await done).toMatchObject({ok: true});
  expect(await actions.restart()).toMatchObject({ok: true});
  const another = await window.openWith({provider}, ...scenario);
  const sent = JSON.stringify(window.wire()).match(/https:\/\/\w+\/v1/g) ?? [];
  expect(sent.at(-1)).toBe('https://mine/v1');
  expect(window.notices(another)).toEqual([expect.stringMatching(/"main" is set to https:\/\/mine\/v1/)]);
});

test('what was set before a session joined its process is told to a new process that this session starts', async () => {
  const scenario = ['script', JSON.stringify(agent)];
  const window = await openWindow(...scenario);
  await window.sessions.clientOf(FIRST).runShell('true');
  const actions = window.sessions.clientOf(FIRST);
  const done = actions.configureProvider('main');
  const form = () => window.session(FIRST)?.session.pending[0];
  await window.until(() => form() !== undefined);
  const content = {apiType: 'openai', baseUrl: 'https://mine/v1'};
  void actions.answer(form()!.id, {kind: 'accepted', content});
  expect(await done).toMatchObject({ok: true});
  const second = await window.open(...scenario);
  expect(window.notices(second)).toEqual([expect.stringMatching(/"main" is set to https:\/\/mine\/v1/)]);
  await window.sessions.clientOf(second).runShell('true');
  const before = window.wire().length;
  window.sessions.close(FIRST);
  expect(await window.sessions.clientOf(second).restart()).toMatchObject({ok: true});
  expect(JSON.stringify(window.wire().slice(before))).toContain('https://mine/v1');
});
