import {describe, expect, test} from 'vitest';
import {currentMode, currentModel} from '../../../../src/session/selectors.ts';
import {idle, makeConversation, openConversation} from '../open-conversation.ts';

describe('modes', () => {
  test('change at the agent, too', async () => {
    const {conversation, prompt, until, said, state} = await openConversation(['modes']);
    expect(await conversation.setMode('code')).toEqual({ok: true, value: undefined});
    expect(currentMode(state())?.id).toBe('code');
    prompt('which?');
    await until(idle, 'the end');
    expect(said()).toContain('mode code');
  });

  test('roll back when the agent rejects', async () => {
    const {conversation, state} = await openConversation(['modes']);
    const result = await conversation.setMode('locked');
    expect(result).toMatchObject({ok: false, failure: {kind: 'agent_error', method: 'session/set_mode'}});
    expect(currentMode(state())?.id).toBe('ask');
  });

  test('that do not exist are rejected with the available ones', async () => {
    const {conversation} = await openConversation(['modes']);
    expect(await conversation.setMode('nope')).toEqual({
      ok: false,
      failure: {kind: 'unknown_value', what: 'mode', value: 'nope', valid: ['ask', 'code', 'locked']},
    });
  });

  test('and models are not offered for an agent without any', async () => {
    const {conversation} = await openConversation(['echo']);
    expect(await conversation.setMode('x')).toMatchObject({failure: {kind: 'not_offered'}});
    expect(await conversation.setModel('x')).toMatchObject({failure: {kind: 'not_offered'}});
    expect(await conversation.setConfigOption('x', 'y')).toMatchObject({failure: {kind: 'not_offered'}});
  });
});

describe('config options', () => {
  test('take precedence over modes and models', async () => {
    const {conversation, state} = await openConversation(['config-options']);
    await conversation.setMode('code');
    await conversation.setModel('small');
    expect(currentMode(state())?.id).toBe('code');
    expect(currentModel(state())?.id).toBe('small');
  });

  test('that disappear after a change are removed here, too', async () => {
    const {conversation, state} = await openConversation(['config-options']);
    expect(state().configOptions?.map(({id}) => id)).toContain('effort');
    await conversation.setModel('small');
    expect(state().configOptions?.map(({id}) => id)).not.toContain('effort');
  });

  test('of kind boolean accept a boolean', async () => {
    const {conversation, prompt, until, said} = await openConversation(['config-options']);
    expect(await conversation.setConfigOption('web', true)).toEqual({ok: true, value: undefined});
    expect(await conversation.setConfigOption('web', 'true')).toMatchObject({
      failure: {kind: 'unknown_value'},
    });
    prompt('values?');
    await until(idle, 'the end');
    expect(said()).toContain('"web":true');
  });
});

test('sets legacy models with session/set_model', async () => {
  const {conversation, prompt, until, said} = await openConversation(['legacy-models']);
  expect(await conversation.setModel('small')).toEqual({ok: true, value: undefined});
  prompt('which?');
  await until(idle, 'the end');
  expect(said()).toContain('model small');
});

describe('settings from the command line', () => {
  test('are applied before the session is ready', async () => {
    const settings = {
      model: 'large',
      mode: 'code',
      options: [
        ['effort', 'low'],
        ['web', 'true'],
      ] as const,
    };
    const {prompt, until, said} = await openConversation(['config-options'], {settings});
    prompt('values?');
    await until(idle, 'the end');
    expect(JSON.parse(said())).toEqual({mode: 'code', model: 'large', effort: 'low', web: true});
  });

  test('that the agent lacks are a failure without a user', async () => {
    const {conversation} = makeConversation(['config-options'], {
      settings: {model: 'huge', options: []},
      hasUser: false,
    });
    expect(await conversation.open()).toMatchObject({
      ok: false,
      failure: {kind: 'unknown_value', value: 'huge', valid: ['small', 'large']},
    });
  });

  test('that the agent lacks are reported to the user, and the session continues', async () => {
    const {state} = await openConversation(['config-options'], {settings: {model: 'huge', options: []}});
    expect(state().connection.kind).toBe('ready');
    expect(state().entries).toContainEqual(expect.objectContaining({type: 'notice', level: 'warning'}));
  });
});
