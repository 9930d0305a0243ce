import {existsSync, writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import type {ForegroundProgram} from '../../../../src/agents/foreground.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {quoteWord, quoteWords} from '../../../../src/text/shell-quote.ts';
import {needsSignIn, openSignIn, signInProgram} from '../requests/open-sign-in.ts';
import {idle, makeConversation, type OpenedConversation} from '../open-conversation.ts';

const problem = ({connection}: SessionState): string =>
  (connection.kind === 'authentication_required' ? connection.problem : undefined) ?? '';

describe('the sign-in methods', () => {
  test('include every method with its kind, known or not', async () => {
    const {state} = await openSignIn();
    expect(state().agent?.authMethods.map((method) => ('type' in method ? method.type : 'agent'))).toEqual(
      'agent agent agent terminal agent env_var unknown terminal agent'.split(' '),
    );
  });

  test('that need a terminal are advertised only where one is available', async () => {
    const [there, not] = [await openSignIn(), makeConversation(['sign-in', 'x'])];
    await not.conversation.open();
    const reported = ({sent}: OpenedConversation) =>
      sent().find(({method}) => method === 'initialize')?.params?.['clientCapabilities'];
    expect(reported(there)).toMatchObject({auth: {terminal: true}, _meta: {'terminal-auth': true}});
    expect(reported(not)).not.toHaveProperty('auth');
    expect(reported(not)).not.toHaveProperty('_meta');
  });
});

describe('a sign-in in a terminal', () => {
  test("runs the agent’s command with the method's arguments and variables, and restarts the agent", async () => {
    const {state, programs, count, file, signInWith} = await openSignIn(signInProgram);
    expect(await signInWith('terminal')).toEqual({ok: true, value: undefined});
    const [program] = programs;
    expect(program).toMatchObject({command: process.execPath, env: {FAKE_LOGIN: 'agent'}, cwd: state().cwd});
    expect(program?.args.slice(-3)).toEqual(['sign-in', file, '--login']);
    expect(state().connection.kind).toBe('ready');
    expect(count('authenticate')).toBe(0);
    expect(count('initialize')).toBe(2);
  });

  test('runs the command of the legacy form', async () => {
    const {programs, state, signInWith} = await openSignIn(signInProgram);
    await signInWith('old-terminal');
    const heading = expect.stringContaining(`Old terminal: FAKE_LOGIN=other ${quoteWord(process.execPath)} `);
    expect(programs).toMatchObject([{command: process.execPath, env: {FAKE_LOGIN: 'other'}, heading}]);
    expect(state().connection.kind).toBe('ready');
  });

  test.each([
    [1, null, 'exit code 1'],
    [130, null, 'It was interrupted'],
    [null, 'SIGKILL', 'killed by SIGKILL'],
  ])('that ends with %s %s asks again and says so', async (code, signal, words) => {
    const {state, count, signInWith} = await openSignIn(() => ({ok: true, value: {code, signal}}));
    expect((await signInWith('terminal')).ok).toBe(false);
    expect(needsSignIn(state())).toBe(true);
    expect(problem(state())).toContain(words);
    expect(count('initialize')).toBe(1);
  });

  test('is not started without a terminal', async () => {
    const {conversation, state} = makeConversation(['sign-in', 'x']);
    await conversation.open();
    expect(await conversation.authenticate('terminal')).toMatchObject({
      failure: {
        kind: 'sign_in_failed',
        problem: expect.stringMatching(/run there: FAKE_LOGIN=agent .*sign-in x --login$/),
      },
    });
    expect(needsSignIn(state())).toBe(true);
  });

  test('requested at the start runs once, and not on every restart', async () => {
    const {conversation, state, programs} = await openSignIn(signInProgram, {authMethod: 'terminal'});
    expect(state().connection.kind).toBe('ready');
    await conversation.restart();
    expect(state().connection.kind).toBe('ready');
    expect(programs).toHaveLength(1);
  });
});

describe('a sign-in program', () => {
  test.each(['terminal', 'old-terminal'])(
    '(%s) runs only after it is confirmed in full',
    async (methodId) => {
      const {conversation, programs, state, answers} = await openSignIn(signInProgram);
      const signedIn = conversation.authenticate(methodId);
      const question = await answers('yes');
      await signedIn;
      const program = programs[0] as ForegroundProgram;
      const words = [program.command, ...program.args];
      expect(question).toContain(`Command   ${quoteWords(words)}\n`);
      expect(question).toContain(
        `Folder    ${program.cwd}\nVariable  FAKE_LOGIN=${program.env['FAKE_LOGIN']}\n`,
      );
      expect(state().connection.kind).toBe('ready');
    },
  );

  test.each(['no', 'cancel'] as const)(
    'does not run after %s, and the methods are shown again',
    async (answer) => {
      const {conversation, programs, state, answers} = await openSignIn(signInProgram);
      const signedIn = conversation.authenticate('old-terminal');
      await answers(answer);
      expect(await signedIn).toMatchObject({failure: {kind: 'authentication_required'}});
      expect(programs).toEqual([]);
      expect(needsSignIn(state())).toBe(true);
    },
  );

  test('is not confirmed if it is the agent with extra arguments: the list shows them', async () => {
    const {conversation, programs, state} = await openSignIn(signInProgram);
    await conversation.authenticate('plain');
    expect(programs).toHaveLength(1);
    expect(state().connection.kind).toBe('ready');
  });

  test('is confirmed, too, when the method was given at the start', async () => {
    const {programs, answers, conversation} = await openSignIn(signInProgram, {authMethod: 'old-terminal'});
    expect(programs).toHaveLength(1);
    const again = conversation.authenticate('old-terminal');
    await answers('no');
    await again;
    expect(programs).toHaveLength(1);
  });

  test('that a signed-in user rejects leaves the session as it was', async () => {
    const {conversation, programs, state, answers} = await openSignIn(signInProgram);
    await conversation.authenticate('browser');
    const other = conversation.authenticate('old-terminal');
    await answers('no');
    await other;
    expect([state().connection.kind, programs]).toEqual(['ready', []]);
  });
});

describe('a sign-in by the agent', () => {
  test('can be cancelled, and the agent is told', async () => {
    const {conversation, state, until, count} = await openSignIn();
    const signingIn = conversation.authenticate('patience');
    await until(({connection}) => connection.kind === 'starting', 'the sign-in');
    conversation.cancel();
    expect(await signingIn).toMatchObject({ok: false});
    expect(problem(state())).toBe('Sign-in with "Patience" failed. It was cancelled.');
    await conversation.authenticate('browser');
    expect(count('$/cancel_request')).toBe(1);
    expect(state().connection.kind).toBe('ready');
  });

  test('that succeeds but is requested again says so', async () => {
    const {conversation, state} = await openSignIn();
    await conversation.authenticate('forgotten');
    expect(needsSignIn(state())).toBe(true);
    expect(problem(state())).toBe('Sign-in with "Forgotten" succeeded, but the agent asks for it again.');
  });

  test('with another account that is rejected leaves the session as it was', async () => {
    const {conversation, state} = await openSignIn();
    await conversation.authenticate('browser');
    const failed = await conversation.authenticate('refused');
    expect(failed).toMatchObject({ok: false, failure: {kind: 'agent_error', detail: 'not today'}});
    expect(state().connection.kind).toBe('ready');
  });

  test('of an unknown kind is not sent', async () => {
    const {conversation, count} = await openSignIn();
    expect(await conversation.authenticate('future')).toMatchObject({failure: {kind: 'not_offered'}});
    expect(count('authenticate')).toBe(0);
  });
});

describe('an agent that requires a sign-in during a session', () => {
  test('gets the setting again afterwards', async () => {
    const {conversation, state, prompt, until, count} = await openSignIn();
    await conversation.authenticate('browser');
    prompt('expire later');
    await until(idle, 'the end of the turn');
    await conversation.setMode('code');
    expect(needsSignIn(state())).toBe(true);
    expect(state().modes?.currentModeId).toBe('ask');
    await conversation.authenticate('browser');
    expect(state()).toMatchObject({connection: {kind: 'ready'}, modes: {currentModeId: 'code'}});
    expect(count('session/set_mode')).toBe(2);
  });

  test('gets a new session afterwards if the old one is empty: it cannot be loaded', async () => {
    const {conversation, state, prompt, until, count, said, signInWith} = await openSignIn(signInProgram);
    await signInWith('terminal');
    prompt('expire');
    await until(needsSignIn, 'the question');
    await until(idle, 'the end of the turn');
    await signInWith('terminal');
    expect(state().connection.kind).toBe('ready');
    expect([count('session/load'), count('session/new')]).toEqual([0, 3]);
    conversation.prompt([{type: 'text', text: 'expire'}], {repeats: true});
    await until(({lastTurn}) => lastTurn?.turn === 2, 'the end of the turn');
    expect(said()).toContain('heard expire');
    expect([...state().entries].filter(({type}) => type === 'user_message')).toHaveLength(1);
  });

  test('gets the prompt again after an external sign-in and a restart', async () => {
    const {conversation, state, prompt, until, file, signInWith} = await openSignIn(signInProgram);
    await signInWith('terminal');
    prompt('expire later');
    await until(idle, 'the end of the turn');
    await conversation.setMode('code');
    expect(needsSignIn(state())).toBe(true);
    writeFileSync(file, '');
    await conversation.restart();
    expect(state()).toMatchObject({connection: {kind: 'ready'}, modes: {currentModeId: 'code'}});
  });

  test('loads at the start what it refused to load before', async () => {
    const {conversation, state, count} = await openSignIn(undefined, {
      opening: {kind: 'continue', sessionId: 'of-before'},
    });
    expect(needsSignIn(state())).toBe(true);
    await conversation.authenticate('browser');
    expect(state()).toMatchObject({connection: {kind: 'ready'}, sessionId: 'of-before'});
    expect([count('session/load'), count('session/new')]).toEqual([2, 0]);
  });

  test('loads the session afterwards that it refused to load before', async () => {
    const {conversation, state, prompt, until} = await openSignIn();
    await conversation.authenticate('browser');
    prompt('expire later');
    await until(idle, 'the end of the turn');
    await conversation.openSession({kind: 'continue', sessionId: 'another'});
    expect(needsSignIn(state())).toBe(true);
    await conversation.authenticate('browser');
    expect(state()).toMatchObject({connection: {kind: 'ready'}, sessionId: 'another'});
  });

  test('continues its session after a sign-in in a terminal and a restart', async () => {
    const {state, prompt, until, count, file, signInWith} = await openSignIn(signInProgram);
    await signInWith('terminal');
    prompt('hello');
    await until(idle, 'the end of the turn');
    prompt('expire');
    await until(needsSignIn, 'the question');
    expect(existsSync(file)).toBe(false);
    await signInWith('terminal');
    expect(state()).toMatchObject({connection: {kind: 'ready'}, sessionId: 'session-1'});
    expect(count('session/load')).toBe(1);
    expect(count('session/new')).toBe(2);
  });
});
