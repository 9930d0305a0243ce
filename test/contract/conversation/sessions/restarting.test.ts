import {describe, expect, test} from 'vitest';
import {makeConversation, openConversation, openScripted} from '../open-conversation.ts';

const starts = (sent: readonly {readonly method?: string}[]) =>
  sent.filter(({method}) => method === 'initialize').length;

describe('while the agent is being stopped for a restart', () => {
  test('the session is no longer ready', async () => {
    const {conversation, state} = await openConversation(['echo']);
    const restarting = conversation.restart();
    expect(state().connection).toMatchObject({kind: 'starting', step: 'launching'});
    expect(await restarting).toMatchObject({ok: true});
    expect(state().connection.kind).toBe('ready');
  });

  test('closing the session starts no other agent', async () => {
    const {conversation, state, sent} = await openConversation(['echo']);
    const restarting = conversation.restart();
    await conversation.close();
    expect(await restarting).toMatchObject({ok: false});
    expect(state().connection.kind).toBe('closed');
    expect(starts(sent())).toBe(1);
  });

  test('a second restart starts one agent only', async () => {
    const {conversation, state, sent} = await openConversation(['echo']);
    const [, second] = await Promise.all([conversation.restart(), conversation.restart()]);
    expect(second).toMatchObject({ok: true});
    expect(state().connection.kind).toBe('ready');
    expect(starts(sent())).toBe(2);
  });
});

test('a session that is closed cannot be restarted', async () => {
  const {conversation, state} = await openConversation(['echo']);
  await conversation.close();
  expect(await conversation.restart()).toMatchObject({ok: false});
  expect(state().connection.kind).toBe('closed');
});

test('a session that waits for a sign-in still waits for it if another one could not be opened', async () => {
  const script = {
    initialize: {agentCapabilities: {loadSession: true}, authMethods: [{id: 'token', name: 'Token'}]},
    errors: {
      'session/new': {code: -32_000, message: 'Authentication required'},
      'session/load': {code: -32_603, message: 'damaged'},
    },
  };
  const {conversation, state} = makeConversation(['script', JSON.stringify(script)]);
  await conversation.open();
  const opened = await conversation.openSession({kind: 'continue', sessionId: 'earlier'});
  expect(opened).toMatchObject({ok: false, failure: {kind: 'cannot_continue'}});
  expect(state().connection).toMatchObject({kind: 'authentication_required', methods: [{id: 'token'}]});
});

test('a session that is selected while another one is opening is the one that opens', async () => {
  const {conversation, state, sent} = await openScripted({
    initialize: {agentCapabilities: {loadSession: true, sessionCapabilities: {resume: {}}}},
    loading: [{received: 'go'}],
  });
  const first = conversation.openSession({kind: 'continue', sessionId: 'slow'});
  await expect.poll(() => sent().some(({method}) => method === 'session/load')).toBe(true);
  const second = conversation.openSession({kind: 'new'});
  expect(await first).toMatchObject({ok: false});
  expect(await second).toMatchObject({ok: true});
  expect(state()).toMatchObject({connection: {kind: 'ready'}, sessionId: 'session-2'});
});

test('a rewind leaves a queue held that was held before it', async () => {
  const {conversation, state} = await openScripted({});
  await conversation.changeQueue({kind: 'hold', isHeld: true});
  const unknown = {snapshot: undefined, changed: undefined};
  await conversation.rewind({point: {kind: 'prompt', turn: 1, text: '', at: 0, ...unknown}, now: ''});
  expect(state().queue.isHeld).toBe(true);
});
