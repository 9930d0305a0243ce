import {failureSentence} from '../../../../src/shared/failure-messages.ts';
import {describe, expect, test} from 'vitest';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {isProcessRunning} from '../../../support/program/running.ts';
import {idle, makeConversation, openConversation} from '../open-conversation.ts';

const failure = ({connection}: SessionState) =>
  connection.kind === 'failed' ? connection.failure : undefined;

describe('starting an agent', () => {
  test('opens a session and is ready', async () => {
    const {state, cwd} = await openConversation(['echo']);
    expect(state()).toMatchObject({connection: {kind: 'ready'}, cwd, sessionId: expect.any(String)});
  });

  test.each([
    [
      'exits-early',
      {kind: 'exited_early', exit: {code: 3}, stderrTail: expect.stringContaining('FAKE_API_KEY')},
    ],
    ['not-acp', {kind: 'not_acp', sample: 'usage: frobnicate [options] <file>'}],
    ['version-2', {kind: 'protocol_version', ours: 1, theirs: 2}],
    ['error-session', {kind: 'agent_error', method: 'session/new'}],
  ])('with the agent "%s" reports what is wrong and leaves no process', async (scenario, expected) => {
    const {conversation, state} = makeConversation([scenario]);
    const opened = await conversation.open();
    expect(opened).toMatchObject({ok: false, failure: expected});
    expect(failure(state())).toMatchObject(expected);
  });

  test('is refused while settings that protect cannot be read', async () => {
    const refusal = {kind: 'invalid_setting', problem: '"sandbox" is wrong.'} as const;
    const {conversation, state, sent} = makeConversation(['echo'], {refusal});
    expect(await conversation.open()).toEqual({ok: false, failure: refusal});
    expect(failure(state())).toEqual(refusal);
    expect(sent()).toEqual([]);
  });

  test('an agent that exits after it has initialized is not said to need an argument', async () => {
    const {conversation, state} = makeConversation(['exits-opening']);
    await conversation.open();
    expect(failure(state())).toMatchObject({kind: 'exited_early', exit: {code: 4}, hasInitialized: true});
    expect(failureSentence(failure(state())!)).toMatch(/Try again, or run the command itself to see why\.$/);
  });

  test('an agent that never answers is given up after the timeout', async () => {
    const {conversation, state} = makeConversation(['silent'], {startSeconds: 0.3});
    await conversation.open();
    expect(failure(state())).toMatchObject({kind: 'no_answer', method: 'initialize'});
  });

  test.each([
    ['initialize', 'initializing', ['silent']],
    ['session/new', 'opening_session', ['script', JSON.stringify({opening: [{received: 'never'}]})]],
  ])('starting an agent that hangs at %s can be cancelled', async (method, step, scenario) => {
    const {conversation, state, until, sent} = makeConversation(scenario);
    const opening = conversation.open();
    await until(({connection}) => connection.kind === 'starting' && connection.step === step, step);
    await expect.poll(() => sent().some((message) => message.method === method)).toBe(true);
    conversation.cancel();
    expect(await opening).toMatchObject({ok: false, failure: {kind: 'no_answer', method}});
    expect(state().connection.kind).toBe('failed');
    expect(sent().some((message) => message.method === '$/cancel_request')).toBe(method === 'session/new');
  });

  test.each<[string, readonly string[], Partial<ConversationOptions>]>([
    ['session/new', ['script', JSON.stringify({opening: [{received: 'never'}]})], {}],
    [
      'session/load',
      [
        'script',
        JSON.stringify({
          initialize: {agentCapabilities: {loadSession: true}},
          loading: [{received: 'never'}],
        }),
      ],
      {opening: {kind: 'continue', sessionId: 'earlier', fork: false}},
    ],
    ['session/set_config_option', ['held-settings', 'options'], {settings: {options: [['level', 'high']]}}],
  ])('without a user, an agent that hangs at %s is given up', async (method, scenario, options) => {
    const {conversation, state} = makeConversation(scenario, {
      ...options,
      hasUser: false,
      startSeconds: 0.5,
    });
    expect(await conversation.open()).toMatchObject({ok: false, failure: {kind: 'no_answer', method}});
    expect(state().connection.kind).toBe('failed');
  });

  test('a program that prints and then stays silent does not speak the protocol', async () => {
    const command = {
      label: 'sh',
      command: 'sh',
      args: ['-c', 'echo welcome to the shell; exec sleep 60'],
      env: {},
    };
    const {conversation, state} = makeConversation([], {agent: command, startSeconds: 0.5});
    await conversation.open();
    expect(failure(state())).toMatchObject({kind: 'not_acp', sample: 'welcome to the shell'});
  });

  test('names a command that does not exist', async () => {
    const agent = {label: 'nobody', command: 'acp-tui-no-such-agent', args: [], env: {}};
    const {conversation, state} = makeConversation([], {agent});
    await conversation.open();
    expect(failure(state())).toEqual({kind: 'command_not_found', command: 'acp-tui-no-such-agent'});
  });

  test('tolerates a banner on standard output', async () => {
    const {prompt, until, said} = await openConversation(['banner']);
    prompt('hello');
    await until(idle, 'the end of the turn');
    expect(said()).toContain('hello');
  });
});

describe('closing while the agent is being started', () => {
  test('leaves no process behind and never becomes ready', async () => {
    const script = 'process.stderr.write(String(process.pid)); setInterval(() => {}, 1000)';
    const agent = {label: 'late', command: process.execPath, args: ['-e', script], env: {}};
    const {conversation, state} = makeConversation([], {agent});
    const opening = conversation.open();
    await conversation.close();
    expect(await opening).toMatchObject({ok: false});
    expect(state().connection.kind).toBe('closed');
    const pid = Number(await conversation.stderrTail());
    expect(pid).toBeGreaterThan(1);
    expect(isProcessRunning(pid)).toBe(false);
  });
});

describe('signing in', () => {
  test('is requested when the agent requires it, and then opens the session', async () => {
    const {conversation, state} = makeConversation(['auth']);
    await conversation.open();
    expect(state().connection).toMatchObject({
      kind: 'authentication_required',
      methods: [{id: 'token'}, {}, {}],
    });
    expect(await conversation.authenticate('token')).toEqual({ok: true, value: undefined});
    expect(state().connection.kind).toBe('ready');
  });

  test('happens at once with a given method', async () => {
    const {state} = await openConversation(['auth'], {authMethod: 'token'});
    expect(state().connection.kind).toBe('ready');
  });

  test('asks again, with the reason, when the agent rejects it', async () => {
    const {conversation, state} = makeConversation(['auth']);
    await conversation.open();
    await conversation.authenticate('broken');
    expect(state().connection).toMatchObject({
      kind: 'authentication_required',
      problem: expect.stringContaining('sign-in failed'),
    });
  });

  test('never sends a terminal login to the agent', async () => {
    const {conversation, state} = makeConversation(['auth']);
    await conversation.open();
    const result = await conversation.authenticate('login');
    expect(result).toMatchObject({ok: false, failure: {kind: 'sign_in_failed'}});
    expect(state().connection.kind).toBe('authentication_required');
  });

  test("fails the start when the agent offers no method, with the agent's message", async () => {
    const {conversation, state} = makeConversation(['signed-out']);
    await conversation.open();
    const {connection} = state();
    expect(connection).toMatchObject({
      kind: 'failed',
      failure: {kind: 'authentication_required', methods: []},
    });
    expect(connection.kind === 'failed' && failureSentence(connection.failure)).toMatch(
      /Run `fake login` first\..*sign in with its own program/,
    );
  });
});
