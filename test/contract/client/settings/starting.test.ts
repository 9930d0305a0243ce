import {failureSentence} from '../../../../src/shared/failure-messages.ts';
import {describe, expect, test} from 'vitest';
import type {ClientOptions} from '../../../../src/client/options.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {runs} from '../../../support/program/running.ts';
import {idle, makeClient, openClient} from '../open-client.ts';

const failure = ({connection}: SessionState) =>
  connection.kind === 'failed' ? connection.failure : undefined;

describe('starting an agent', () => {
  test('opens a session and is ready', async () => {
    const {state, cwd} = await openClient(['echo']);
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
    const {client, state} = makeClient([scenario]);
    const opened = await client.open();
    expect(opened).toMatchObject({ok: false, failure: expected});
    expect(failure(state())).toMatchObject(expected);
  });

  test('an agent that exits after it has initialized is not said to need an argument', async () => {
    const {client, state} = makeClient(['exits-opening']);
    await client.open();
    expect(failure(state())).toMatchObject({kind: 'exited_early', exit: {code: 4}, hasInitialized: true});
    expect(failureSentence(failure(state())!)).toMatch(/Try again, or run the command itself to see why\.$/);
  });

  test('an agent that never answers is given up after the timeout', async () => {
    const {client, state} = makeClient(['silent'], {startSeconds: 0.3});
    await client.open();
    expect(failure(state())).toMatchObject({kind: 'no_answer', method: 'initialize'});
  });

  test.each([
    ['initialize', 'initializing', ['silent']],
    ['session/new', 'opening_session', ['script', JSON.stringify({opening: [{received: 'never'}]})]],
  ])('starting an agent that hangs at %s can be cancelled', async (method, step, scenario) => {
    const {client, state, until, sent} = makeClient(scenario);
    const opening = client.open();
    await until(({connection}) => connection.kind === 'starting' && connection.step === step, step);
    await expect.poll(() => sent().some((message) => message.method === method)).toBe(true);
    client.cancel();
    expect(await opening).toMatchObject({ok: false, failure: {kind: 'no_answer', method}});
    expect(state().connection.kind).toBe('failed');
    expect(sent().some((message) => message.method === '$/cancel_request')).toBe(method === 'session/new');
  });

  test.each<[string, readonly string[], Partial<ClientOptions>]>([
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
    const {client, state} = makeClient(scenario, {...options, hasUser: false, startSeconds: 0.5});
    expect(await client.open()).toMatchObject({ok: false, failure: {kind: 'no_answer', method}});
    expect(state().connection.kind).toBe('failed');
  });

  test('a program that prints and then stays silent does not speak the protocol', async () => {
    const command = {
      label: 'sh',
      command: 'sh',
      args: ['-c', 'echo welcome to the shell; exec sleep 60'],
      env: {},
    };
    const {client, state} = makeClient([], {agent: command, startSeconds: 0.5});
    await client.open();
    expect(failure(state())).toMatchObject({kind: 'not_acp', sample: 'welcome to the shell'});
  });

  test('names a command that does not exist', async () => {
    const agent = {label: 'nobody', command: 'acp-tui-no-such-agent', args: [], env: {}};
    const {client, state} = makeClient([], {agent});
    await client.open();
    expect(failure(state())).toEqual({kind: 'command_not_found', command: 'acp-tui-no-such-agent'});
  });

  test('tolerates a banner on standard output', async () => {
    const {prompt, until, said} = await openClient(['banner']);
    prompt('hello');
    await until(idle, 'the end of the turn');
    expect(said()).toContain('hello');
  });
});

describe('closing while the agent is being started', () => {
  test('leaves no process behind and never becomes ready', async () => {
    const script = 'process.stderr.write(String(process.pid)); setInterval(() => {}, 1000)';
    const agent = {label: 'late', command: process.execPath, args: ['-e', script], env: {}};
    const {client, state} = makeClient([], {agent});
    const opening = client.open();
    await client.close();
    expect(await opening).toMatchObject({ok: false});
    expect(state().connection.kind).toBe('closed');
    const pid = Number(await client.stderrTail());
    expect(pid).toBeGreaterThan(1);
    expect(runs(pid)).toBe(false);
  });
});

describe('signing in', () => {
  test('is requested when the agent requires it, and then opens the session', async () => {
    const {client, state} = makeClient(['auth']);
    await client.open();
    expect(state().connection).toMatchObject({
      kind: 'authentication_required',
      methods: [{id: 'token'}, {}, {}],
    });
    expect(await client.authenticate('token')).toEqual({ok: true, value: undefined});
    expect(state().connection.kind).toBe('ready');
  });

  test('happens at once with a given method', async () => {
    const {state} = await openClient(['auth'], {authMethod: 'token'});
    expect(state().connection.kind).toBe('ready');
  });

  test('asks again, with the reason, when the agent rejects it', async () => {
    const {client, state} = makeClient(['auth']);
    await client.open();
    await client.authenticate('broken');
    expect(state().connection).toMatchObject({
      kind: 'authentication_required',
      problem: expect.stringContaining('sign-in failed'),
    });
  });

  test('never sends a terminal login to the agent', async () => {
    const {client, state} = makeClient(['auth']);
    await client.open();
    const result = await client.authenticate('login');
    expect(result).toMatchObject({ok: false, failure: {kind: 'sign_in_failed'}});
    expect(state().connection.kind).toBe('authentication_required');
  });

  test("fails the start when the agent offers no method, with the agent's message", async () => {
    const {client, state} = makeClient(['signed-out']);
    await client.open();
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
