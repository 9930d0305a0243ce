import {describe, expect, test} from 'vitest';
import {idle, openScripted, type OpenedConversation} from '../open-conversation.ts';

const able = (capabilities: object) => ({agentCapabilities: capabilities});
const LOADS = able({loadSession: true});
const RESUMES = able({sessionCapabilities: {resume: {}}});
const answer = {update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'Done.'}}};
const methods = ({sent}: OpenedConversation) => sent().flatMap(({method}) => method ?? []);
const option = (currentValue: string) => ({
  id: 'model',
  name: 'Model',
  category: 'model',
  type: 'select',
  currentValue,
  options: ['small', 'large'].map((value) => ({value, name: value})),
});
const modes = (currentModeId: string) => ({
  currentModeId,
  availableModes: ['ask', 'code'].map((id) => ({id, name: id})),
});

describe('the previous settings', () => {
  test('are applied and checked again after a restart', async () => {
    const opened = await openScripted({
      initialize: LOADS,
      session: {configOptions: [option('small')]},
      results: {
        'session/load': {configOptions: [option('small')]},
        'session/set_config_option': {configOptions: [option('large')]},
      },
      turns: [[answer]],
    });
    await opened.conversation.setModel('large');
    opened.prompt('go');
    await opened.until(idle, 'the end');
    await opened.conversation.restart();
    expect(methods(opened).slice(-3)).toEqual(['initialize', 'session/load', 'session/set_config_option']);
    expect(opened.state().configOptions?.[0]?.currentValue).toBe('large');
  });

  test('are reported when the agent rejects them', async () => {
    const opened = await openScripted({
      initialize: LOADS,
      session: {configOptions: [option('large')]},
      results: {
        'session/load': {configOptions: [option('small')]},
        'session/set_config_option': {configOptions: [option('small')]},
      },
      turns: [[]],
    });
    opened.prompt('go');
    await opened.until(idle, 'the end');
    await opened.conversation.restart();
    expect(opened.state().entries).toContainEqual(
      expect.objectContaining({
        type: 'notice',
        level: 'warning',
        text: 'The agent did not restore Model: large. /status shows the current values.',
      }),
    );
  });

  test("are reported with the agent's reason, if it gives one", async () => {
    const opened = await openScripted({
      initialize: LOADS,
      session: {configOptions: [option('large')]},
      results: {'session/load': {configOptions: [option('small')]}},
      turns: [[]],
    });
    opened.prompt('go');
    await opened.until(idle, 'the end');
    await opened.conversation.restart();
    const text = expect.stringMatching(/^The agent did not restore Model: large \(.+\)\. \/status/);
    expect(opened.state().entries).toContainEqual(expect.objectContaining({type: 'notice', text}));
  });

  test('are always applied when the agent does not report its settings', async () => {
    const opened = await openScripted({initialize: RESUMES, session: {modes: modes('ask')}, turns: [[]]});
    await opened.conversation.setMode('code');
    opened.prompt('go');
    await opened.until(idle, 'the end');
    await opened.conversation.restart();
    expect(opened.sent().at(-1)).toMatchObject({
      method: 'session/set_mode',
      params: {sessionId: 'session-1', modeId: 'code'},
    });
    expect(opened.state().modes?.currentModeId).toBe('code');
  });

  test.each([
    ['other modes', {modes: modes('ask'), configOptions: [option('large')]}],
    ['no modes', {configOptions: [option('large')]}],
  ])('include the mode beside options if the agent reports %s', async (_, reported) => {
    const opened = await openScripted({
      initialize: LOADS,
      session: {modes: modes('ask'), configOptions: [option('large')]},
      results: {'session/load': reported, 'session/set_mode': {}},
      turns: [[]],
    });
    await opened.conversation.setMode('code');
    opened.prompt('go');
    await opened.until(idle, 'the end');
    await opened.conversation.restart();
    expect(methods(opened).slice(-2)).toEqual(['session/load', 'session/set_mode']);
    expect(opened.state().modes?.currentModeId).toBe('code');
  });
});

describe('the mode in which a session starts', () => {
  const asking = {id: 'default', name: 'Manual', description: 'Always ask before making changes'};
  const deciding = {id: 'auto', name: 'Auto', description: 'Claude handles permission decisions'};
  const startingIn = (currentModeId: string) => ({
    modes: {currentModeId, availableModes: [asking, deciding]},
  });
  const saying = (than: string) =>
    expect.objectContaining({
      type: 'notice',
      level: 'warning',
      text: `The agent starts in the mode Auto (“Claude handles permission decisions”) and asks less than in ${than}; /mode or --mode changes that.`,
    }) as unknown;

  test('is reported if the agent asks less than in another one', async () => {
    const opened = await openScripted({session: startingIn('auto')});
    expect(opened.state().entries).toContainEqual(saying('Manual'));
  });

  test('is reported also if it is an option', async () => {
    const options = [asking, deciding].map(({id: value, name, description}) => ({value, name, description}));
    const mode = {type: 'select', id: 'how', name: 'How', category: 'mode', currentValue: 'auto', options};
    const opened = await openScripted({session: {configOptions: [mode]}});
    expect([...opened.state().entries]).toEqual([saying('Manual')]);
  });

  test.each([
    ['the agent asks', 'default', undefined],
    ['the user chose it', 'auto', 'auto'],
  ])('is not reported if %s', async (_why, current, mode) => {
    const opened = await openScripted(
      {session: startingIn(current), results: {'session/set_mode': {}}},
      mode === undefined ? {} : {settings: {mode, options: []}},
    );
    expect(opened.state().entries).toHaveLength(0);
  });

  test('is reported if the agent asks less than before and does not take the mode back', async () => {
    const opened = await openScripted({
      initialize: LOADS,
      session: startingIn('default'),
      results: {'session/load': startingIn('auto')},
      errors: {'session/set_mode': {code: -32603, message: 'no'}},
      turns: [[]],
    });
    opened.prompt('go');
    await opened.until(idle, 'the end');
    await opened.conversation.restart();
    expect(opened.state().entries).toContainEqual(saying('Manual, its mode before'));
  });
});

describe('an option with which the agent does not ask', () => {
  const allowAll = (currentValue: boolean) => ({
    configOptions: [{type: 'boolean', id: 'allow_all', name: 'Allow all', currentValue}],
  });
  const warning = expect.objectContaining({
    level: 'warning',
    text: 'The agent starts with Allow all: on and does not ask; /options or --set changes that.',
  }) as unknown;

  test('is reported at the start', async () => {
    const opened = await openScripted({session: allowAll(true)});
    expect([...opened.state().entries]).toEqual([warning]);
  });

  test.each<[string, boolean, readonly [string, string][]]>([
    ['it is off', false, []],
    ['the user chose it', true, [['allow_all', 'true']]],
  ])('is not reported if %s', async (_why, isOn, options) => {
    const opened = await openScripted(
      {session: allowAll(isOn), results: {'session/set_config_option': allowAll(isOn)}},
      {settings: {options}},
    );
    expect(opened.state().entries).toHaveLength(0);
  });

  test.each([
    [false, 1],
    [true, 0],
  ])('is reported in a resumed session if it was off before: %s before, %s times', async (was, times) => {
    const opened = await openScripted({
      initialize: LOADS,
      session: allowAll(was),
      results: {'session/load': allowAll(true), 'session/set_config_option': allowAll(true)},
      turns: [[]],
    });
    opened.prompt('go');
    await opened.until(idle, 'the end');
    const {length} = opened.state().entries;
    await opened.conversation.restart();
    const added = [...opened.state().entries].slice(length);
    expect(
      added.filter((entry) => entry.type === 'notice' && entry.text.startsWith('The agent starts')).length,
    ).toBe(times);
  });
});
