import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {SessionKey} from '../../../../src/app/state.ts';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import {isStart} from '../../../../src/recording/format.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {openCredentials} from '../../../../src/storage/credentials/credentials.ts';
import {memoryKeyring} from '../../storage/memory-keyring.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {openWindow} from '../open-window.ts';

const waits = ({connection}: SessionState) => connection.kind === 'authentication_required';
const isReady = ({connection}: SessionState) => connection.kind === 'ready';

/** A window with sessions of one agent that wait for a sign-in, one for each of these options. */
const openWaiting = (...each: readonly Partial<ConversationOptions>[]) => openWaitingFor([], each);

/** The same with arguments that change the agent. */
async function openWaitingFor(words: readonly string[], each: readonly Partial<ConversationOptions>[]) {
  const window = await openWindow('together');
  const folder = temporaryFolder();
  const credentials = openCredentials({state: folder, keyring: memoryKeyring(), onValue: () => {}});
  const scenario = ['sign-in', join(folder, 'none'), ...words];
  const keys: SessionKey[] = [];
  for (const options of each) {
    const key = await window.openWith({credentials, ...options}, ...scenario);
    // A used session is not replaced by the next one.
    await window.sessions.clientOf(key).runShell('true');
    keys.push(key);
  }
  const all = (holds: (session: SessionState) => boolean) =>
    window.until(({sessions}) => keys.every((key) => sessions[key] && holds(sessions[key].session)));
  const [first = ''] = keys;
  await all(waits);
  return {
    ...window,
    keys,
    all,
    actions: window.sessions.clientOf(first),
    /** Of this agent. */
    processes: () => window.wire().filter(isStart).length - 1,
    /** Types the key in the first session. */
    signIn: async () => {
      const actions = window.sessions.clientOf(first);
      const done = actions.authenticate('key');
      const form = () => window.session(first)?.session.pending.find(({kind}) => kind === 'form');
      await window.until(() => form() !== undefined);
      const content = {FAKE_KEY: 'right', FAKE_ENDPOINT: 'https://here'};
      void actions.answer(form()!.id, {kind: 'accepted', content});
      expect(await done).toMatchObject({ok: true});
    },
  };
}

describe('sign-in values of an agent', () => {
  test('are typed once for all sessions waiting for them, which share the new process', async () => {
    const {keys, all, signIn, processes, converse, said} = await openWaiting({}, {});
    await signIn();
    await all(isReady);
    for (const key of keys) {
      await converse(key, `hello ${key}`);
      expect(said(key)).toContain('with https://here');
    }
    expect(processes()).toBe(2);
  });

  test('sign in the sessions in another folder, too', async () => {
    const {all, signIn, processes} = await openWaiting({}, {cwd: temporaryFolder()});
    await signIn();
    await all(isReady);
    expect(processes()).toBe(4);
  });

  test('are deleted by /logout in all sessions that use them, in every process', async () => {
    const {keys, all, signIn, actions, notices, processes} = await openWaiting(
      {},
      {},
      {cwd: temporaryFolder()},
    );
    await signIn();
    await all(isReady);
    await actions.logOut();
    await all(waits);
    // Two processes, which were started three times.
    expect(processes()).toBe(6);
    for (const key of keys.slice(1))
      expect(notices(key)).toContainEqual(
        expect.stringMatching(/^Signed out in another session\. The saved values were deleted/),
      );
  });

  test('are deleted in all of them even if the agent rejects the logout, which is an error', async () => {
    const {keys, all, signIn, actions, notices, processes} = await openWaitingFor(['stays'], [{}, {}]);
    await signIn();
    await all(isReady);
    const before = processes();
    expect(await actions.logOut()).toMatchObject({failure: {kind: 'agent_error'}});
    await all(waits);
    expect(processes()).toBe(before + 1);
    const reported = notices(keys[0]!).filter((text) => text.includes('The saved values were deleted'));
    expect(reported).toEqual([expect.not.stringContaining('Signed out')]);
  });
});

test('an agent that rejects the logout without saved credentials continues as before', async () => {
  const {keys, all, actions, notices, converse, processes} = await openWaitingFor(['stays'], [{}, {}]);
  await actions.authenticate('browser');
  await all(isReady);
  expect(await actions.logOut()).toMatchObject({failure: {kind: 'agent_error'}});
  for (const key of keys) expect(notices(key)).toEqual([]);
  await converse(keys[1]!, 'hello');
  expect(processes()).toBe(1);
});

test('the other sessions of an agent that signed out show a notice, and continue', async () => {
  const {keys, all, actions, notices, converse, processes} = await openWaiting({}, {});
  await actions.authenticate('browser');
  await all(isReady);
  await actions.logOut();
  expect(notices(keys[1]!)).toContainEqual(
    expect.stringMatching(/^Signed out in another session\. The agent may/),
  );
  expect(processes()).toBe(1);
  await actions.authenticate('browser');
  await converse(keys[1]!, 'hello');
});
