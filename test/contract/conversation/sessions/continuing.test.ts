import {describe, expect, test} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {idle, makeConversation, openScripted, type OpenedConversation} from '../open-conversation.ts';

const chunk = (kind: string, text: string) => ({
  update: {sessionUpdate: `${kind}_message_chunk`, content: {type: 'text', text}},
});
const asTold = [chunk('user', 'hello'), chunk('agent', 'Hi there.')];
const able = (capabilities: object) => ({agentCapabilities: capabilities});
const LOADS = able({loadSession: true});
const RESUMES = able({sessionCapabilities: {resume: {}}});
const BOTH = able({loadSession: true, sessionCapabilities: {resume: {}}});
/** A client that is to resume the session `old` of such an agent. */
function continuing(
  script: Script,
  options: Parameters<typeof makeConversation>[1] = {},
): OpenedConversation {
  return makeConversation(['script', JSON.stringify(script)], {
    opening: {kind: 'continue', sessionId: 'old'},
    ...options,
  });
}

const methods = ({sent}: OpenedConversation) => sent().flatMap(({method}) => method ?? []);
const words = ({state}: OpenedConversation) =>
  state().entries.map((entry) =>
    entry.type.endsWith('_message') && 'content' in entry ? JSON.stringify(entry.content) : entry.type,
  );

describe('resuming a session', () => {
  test('loads it when the agent can, with its folder and all added folders', async () => {
    const opened = continuing(
      {
        initialize: able({loadSession: true, sessionCapabilities: {resume: {}, additionalDirectories: {}}}),
        loading: asTold,
        results: {'session/load': null},
        turns: [[chunk('agent', 'More.')]],
      },
      {additionalDirectories: ['/']},
    );
    expect(await opened.conversation.open()).toEqual({ok: true, value: undefined});
    expect(opened.sent()[1]).toMatchObject({
      method: 'session/load',
      params: {sessionId: 'old', cwd: opened.cwd, additionalDirectories: ['/'], mcpServers: []},
    });
    expect(words(opened)).toEqual([expect.stringContaining('hello'), expect.stringContaining('Hi there.')]);
    opened.prompt('go on');
    await opened.until(idle, 'the end');
    expect(opened.sent().at(-1)).toMatchObject({method: 'session/prompt', params: {sessionId: 'old'}});
    expect(opened.said()).toContain('More.');
  });

  test('resumes it when the agent cannot load or fails to', async () => {
    const cannot = continuing({initialize: RESUMES});
    await cannot.conversation.open();
    expect(methods(cannot)).toEqual(['initialize', 'session/resume']);
    const fails = continuing({
      initialize: BOTH,
      loading: asTold,
      errors: {'session/load': {code: -32_603, message: 'Internal error'}},
    });
    await fails.conversation.open();
    expect(methods(fails)).toEqual(['initialize', 'session/load', 'session/resume']);
    expect(fails.state()).toMatchObject({
      connection: {kind: 'ready'},
      sessionId: 'old',
      entries: {length: 0},
    });
  });

  test('never replaces it with a new session: without load and resume the user chooses', async () => {
    const opened = continuing({});
    expect(await opened.conversation.open()).toMatchObject({
      ok: false,
      failure: {kind: 'cannot_continue', lacks: 'load'},
    });
    expect(methods(opened)).toEqual(['initialize']);
    expect(opened.state().connection).toMatchObject({kind: 'no_session', failure: {kind: 'cannot_continue'}});
    await opened.conversation.openSession({kind: 'new'});
    expect(opened.state().connection.kind).toBe('ready');
  });

  test('that keeps failing leaves the agent running and can be retried', async () => {
    const error = {code: -32_603, message: 'Internal error', data: {details: 'No previous sessions found'}};
    const opened = continuing({initialize: LOADS, loading: asTold, errors: {'session/load': error}});
    await opened.conversation.open();
    expect(opened.state()).toMatchObject({
      entries: {length: 0},
      replay: undefined,
      connection: {
        kind: 'no_session',
        failure: {kind: 'cannot_continue', cause: {detail: 'No previous sessions found'}},
      },
    });
    expect(await opened.conversation.openSession({kind: 'continue', sessionId: 'old'})).toMatchObject({
      ok: false,
    });
    expect(opened.state().connection.kind).toBe('no_session');
    expect(methods(opened)).toEqual(['initialize', 'session/load', 'session/load']);
  });

  test('reports that the agent does not have it', async () => {
    const opened = continuing({
      initialize: LOADS,
      errors: {'session/load': {code: -32_002, message: 'Resource not found'}},
    });
    expect(await opened.conversation.open()).toMatchObject({
      failure: {kind: 'no_such_session', wanted: 'old'},
    });
  });

  test('without a user fails and stops the agent', async () => {
    const opened = continuing({}, {hasUser: false});
    expect(await opened.conversation.open()).toMatchObject({failure: {kind: 'cannot_continue'}});
    expect(opened.state().connection.kind).toBe('failed');
  });

  test('opens nothing until one is selected', async () => {
    const opened = makeConversation(['script', '{}'], {opening: {kind: 'later'}});
    await opened.conversation.open();
    expect(methods(opened)).toEqual(['initialize']);
    expect(opened.state().connection).toEqual({kind: 'no_session', failure: undefined});
  });

  test('waits for a sign-in the agent requires first', async () => {
    const opened = continuing({
      initialize: {...LOADS, authMethods: [{id: 'key', name: 'Key'}]},
      errors: {'session/load': {code: -32_000, message: 'Authentication required'}},
    });
    await opened.conversation.open();
    expect(opened.state().connection.kind).toBe('authentication_required');
    await opened.conversation.authenticate('key');
    expect(methods(opened)).toEqual(['initialize', 'session/load', 'authenticate', 'session/load']);
  });
});

describe('a restart', () => {
  test('of an agent that can neither load nor resume asks what to do', async () => {
    const opened = await openScripted({turns: [[chunk('agent', 'Done.')]]});
    opened.prompt('go');
    await opened.until(idle, 'the end');
    await opened.conversation.restart();
    expect(opened.state().connection).toMatchObject({kind: 'no_session', failure: {kind: 'cannot_continue'}});
    expect(methods(opened).slice(3)).toEqual(['initialize']);
  });

  test('of an empty session opens a new one', async () => {
    const opened = await openScripted({initialize: LOADS});
    await opened.conversation.restart();
    expect(methods(opened)).toEqual(['initialize', 'session/new', 'initialize', 'session/new']);
    expect(opened.state().connection.kind).toBe('ready');
  });

  test('loads without duplicating messages', async () => {
    const opened = await openScripted({
      initialize: LOADS,
      loading: asTold,
      turns: [[chunk('agent', 'Hi there.')]],
    });
    opened.prompt('hello');
    await opened.until(idle, 'the end');
    const before = words(opened);
    await opened.conversation.restart();
    expect(words(opened)).toEqual(before);
  });
});

test('does not duplicate messages replayed after the response, either', async () => {
  const opened = await openScripted({
    initialize: LOADS,
    loaded: [...asTold, chunk('user', 'elsewhere')],
    turns: [[chunk('agent', 'Hi there.')]],
  });
  opened.prompt('hello');
  await opened.until(idle, 'the end');
  const before = words(opened);
  await opened.conversation.restart();
  expect(words(opened)).toEqual([...before, expect.stringContaining('elsewhere')]);
});

test.each([0, 1])(
  'a replay of Gemini CLI with %i messages before the response appears once, without the context for its model',
  async (early) => {
    const context = chunk('user', '<session_context>\nThis is the Gemini CLI.\n</session_context>');
    const opened = await openScripted({
      initialize: {...LOADS, agentInfo: {name: 'gemini-cli', version: '1'}},
      loading: [context, ...asTold.slice(0, early)],
      loaded: asTold.slice(early),
      turns: [[chunk('agent', 'Hi there.')]],
    });
    opened.prompt('hello');
    await opened.until(idle, 'the end');
    const before = words(opened);
    await opened.conversation.restart();
    expect(words(opened)).toEqual(before);
  },
);

test('a cancelled load keeps the session and closes the loaded one when the agent answers', async () => {
  const opened = await openScripted({
    initialize: able({loadSession: true, sessionCapabilities: {resume: {}, close: {}}}),
    loading: [chunk('agent', 'Of the other.'), {received: 'session/prompt'}],
    turns: [[{...chunk('agent', 'Still here.'), of: 'session-1'}]],
  });
  const given = opened.conversation.openSession({kind: 'continue', sessionId: 'other'});
  // From then on the agent waits for the prompt.
  await expect.poll(() => opened.state().replay?.entries.length).toBe(1);
  opened.conversation.cancel();
  expect(await given).toMatchObject({ok: false, failure: {kind: 'no_answer', method: 'session/load'}});
  expect(opened.state()).toMatchObject({connection: {kind: 'ready'}, replay: undefined});
  opened.prompt('hello');
  await opened.until(idle, 'the end');
  expect(opened.said()).toBe('Still here.');
  await expect.poll(() => methods(opened)).toContain('session/close');
  expect(opened.sent().at(-1)).toMatchObject({params: {sessionId: 'other'}});
  expect(methods(opened)).not.toContain('session/resume');
});

describe('a fork', () => {
  const script: Script = {
    initialize: able({loadSession: true, sessionCapabilities: {fork: {}}}),
    results: {'session/fork': {sessionId: 'copy'}},
    loading: asTold,
  };

  test('of a session that is not open is loaded once it is made', async () => {
    const opened = continuing(script, {opening: {kind: 'continue', sessionId: 'old', fork: true}});
    await opened.conversation.open();
    expect(opened.sent().slice(1)).toMatchObject([
      {method: 'session/fork', params: {sessionId: 'old'}},
      {method: 'session/load', params: {sessionId: 'copy'}},
    ]);
    expect(opened.state().sessionId).toBe('copy');
  });

  test('of the open session keeps its transcript', async () => {
    const opened = await openScripted({...script, turns: [[chunk('agent', 'Hi there.')]]});
    opened.prompt('hello');
    await opened.until(idle, 'the end');
    await opened.conversation.openSession({kind: 'continue', sessionId: 'session-1', fork: true});
    expect(methods(opened).slice(3)).toEqual(['session/fork']);
    expect(opened.state()).toMatchObject({sessionId: 'copy', connection: {kind: 'ready'}});
    expect(words(opened).join()).toContain('Hi there.');
  });

  test('that is cancelled is closed when the agent answers, and not loaded', async () => {
    const opened = await openScripted({
      ...script,
      initialize: able({loadSession: true, sessionCapabilities: {fork: {}, close: {}}}),
      forking: [{received: 'session/prompt'}],
      turns: [[chunk('agent', 'Still here.')]],
    });
    const {sessionId = ''} = opened.state();
    const given = opened.conversation.openSession({kind: 'continue', sessionId, fork: true});
    await expect.poll(() => methods(opened)).toContain('session/fork');
    opened.conversation.cancel();
    expect(await given).toMatchObject({failure: {kind: 'no_answer', method: 'session/fork'}});
    opened.prompt('hello');
    await opened.until(idle, 'the end');
    await expect
      .poll(() => opened.sent().at(-1))
      .toMatchObject({
        method: 'session/close',
        params: {sessionId: 'copy'},
      });
    expect(opened.said()).toBe('Still here.');
    expect(methods(opened)).not.toContain('session/load');
  });

  test('that fails keeps the session as it is', async () => {
    const opened = await openScripted({});
    const actions = opened.conversation;
    expect(await actions.openSession({kind: 'continue', sessionId: 'session-1', fork: true})).toMatchObject({
      failure: {kind: 'cannot_continue', lacks: 'fork'},
    });
    expect(opened.state()).toMatchObject({sessionId: 'session-1', connection: {kind: 'ready'}});
  });
});

describe('an agent that keeps crashing', () => {
  test('is counted until a turn completes', async () => {
    const opened = makeConversation(['mortal']);
    await opened.conversation.open();
    for (const losses of [1, 2, 3]) {
      opened.prompt('die');
      await opened.until(({connection}) => connection.kind === 'lost', 'the loss');
      expect(opened.state().losses).toBe(losses);
      await opened.conversation.restart();
    }
    opened.prompt('live');
    await opened.until(({lastTurn}) => lastTurn?.outcome.kind === 'stopped', 'the end');
    expect(opened.state().losses).toBe(0);
  });
});
