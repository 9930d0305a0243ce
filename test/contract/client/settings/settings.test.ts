import {describe, expect, test} from 'vitest';
import {currentMode, currentModel} from '../../../../src/session/selectors.ts';
import {idle, makeClient, openClient} from '../open-client.ts';

describe('modes', () => {
  test('change at the agent, too', async () => {
    const {client, prompt, until, said, state} = await openClient(['modes']);
    expect(await client.setMode('code')).toEqual({ok: true, value: undefined});
    expect(currentMode(state())?.id).toBe('code');
    prompt('which?');
    await until(idle, 'the end');
    expect(said()).toContain('mode code');
  });

  test('roll back when the agent rejects', async () => {
    const {client, state} = await openClient(['modes']);
    const result = await client.setMode('locked');
    expect(result).toMatchObject({ok: false, failure: {kind: 'agent_error', method: 'session/set_mode'}});
    expect(currentMode(state())?.id).toBe('ask');
  });

  test('that do not exist are rejected with the available ones', async () => {
    const {client} = await openClient(['modes']);
    expect(await client.setMode('nope')).toEqual({
      ok: false,
      failure: {kind: 'unknown_value', what: 'mode', value: 'nope', valid: ['ask', 'code', 'locked']},
    });
  });

  test('and models are not offered for an agent without any', async () => {
    const {client} = await openClient(['echo']);
    expect(await client.setMode('x')).toMatchObject({failure: {kind: 'not_offered'}});
    expect(await client.setModel('x')).toMatchObject({failure: {kind: 'not_offered'}});
    expect(await client.setConfigOption('x', 'y')).toMatchObject({failure: {kind: 'not_offered'}});
  });
});

describe('config options', () => {
  test('take precedence over modes and models', async () => {
    const {client, state} = await openClient(['config-options']);
    await client.setMode('code');
    await client.setModel('small');
    expect(currentMode(state())?.id).toBe('code');
    expect(currentModel(state())?.id).toBe('small');
  });

  test('that disappear after a change are removed here, too', async () => {
    const {client, state} = await openClient(['config-options']);
    expect(state().configOptions?.map(({id}) => id)).toContain('effort');
    await client.setModel('small');
    expect(state().configOptions?.map(({id}) => id)).not.toContain('effort');
  });

  test('of kind boolean accept a boolean', async () => {
    const {client, prompt, until, said} = await openClient(['config-options']);
    expect(await client.setConfigOption('web', true)).toEqual({ok: true, value: undefined});
    expect(await client.setConfigOption('web', 'true')).toMatchObject({
      failure: {kind: 'unknown_value'},
    });
    prompt('values?');
    await until(idle, 'the end');
    expect(said()).toContain('"web":true');
  });
});

test('sets legacy models with session/set_model', async () => {
  const {client, prompt, until, said} = await openClient(['legacy-models']);
  expect(await client.setModel('small')).toEqual({ok: true, value: undefined});
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
    const {prompt, until, said} = await openClient(['config-options'], {settings});
    prompt('values?');
    await until(idle, 'the end');
    expect(JSON.parse(said())).toEqual({mode: 'code', model: 'large', effort: 'low', web: true});
  });

  test('that the agent lacks are a failure without a user', async () => {
    const {client} = makeClient(['config-options'], {settings: {model: 'huge', options: []}, hasUser: false});
    expect(await client.open()).toMatchObject({
      ok: false,
      failure: {kind: 'unknown_value', value: 'huge', valid: ['small', 'large']},
    });
  });

  test('that the agent lacks are reported to the user, and the session continues', async () => {
    const {state} = await openClient(['config-options'], {settings: {model: 'huge', options: []}});
    expect(state().connection.kind).toBe('ready');
    expect(state().entries).toContainEqual(expect.objectContaining({type: 'notice', level: 'warning'}));
  });
});
