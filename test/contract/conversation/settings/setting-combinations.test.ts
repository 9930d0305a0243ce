import {describe, expect, test} from 'vitest';
import type {RequestedSettings} from '../../../../src/conversation/options.ts';
import {makeConversation, openScripted} from '../open-conversation.ts';

const option = (id: string, values: readonly string[], category?: string) => ({
  id,
  name: id,
  ...(category !== undefined && {category}),
  type: 'select',
  currentValue: values[0],
  options: values.map((value) => ({value, name: value})),
});
const modes = {currentModeId: 'ask', availableModes: ['ask', 'code'].map((id) => ({id, name: id}))};
const models = {
  currentModelId: 'a',
  availableModels: ['a', 'b'].map((modelId) => ({modelId, name: modelId})),
};
const mode = option('how', ['plan', 'build'], 'mode');
const model = option('which', ['p/a', 'p/b'], 'model');
const effort = option('effort', ['low', 'high']);

const SET = 'session/set_config_option';
interface Taken {
  readonly session: object;
  readonly wanted: Partial<RequestedSettings>;
  readonly reported: readonly object[];
}

const TAKEN: readonly (readonly [string, Taken])[] = [
  [
    'modes alone',
    {
      session: {modes},
      wanted: {mode: 'code'},
      reported: [{method: 'session/set_mode', params: {modeId: 'code'}}],
    },
  ],
  [
    'old models alone',
    {
      session: {models},
      wanted: {model: 'b'},
      reported: [{method: 'session/set_model', params: {modelId: 'b'}}],
    },
  ],
  [
    'modes and old models',
    {
      session: {modes, models},
      wanted: {mode: 'code', model: 'b'},
      reported: [{method: 'session/set_model'}, {method: 'session/set_mode'}],
    },
  ],
  [
    'options alone',
    {
      session: {configOptions: [mode, model, effort]},
      wanted: {mode: 'build', model: 'p/b', options: [['effort', 'high']]},
      reported: [
        {method: SET, params: {configId: 'which', value: 'p/b'}},
        {method: SET, params: {configId: 'how', value: 'build'}},
        {method: SET, params: {configId: 'effort', value: 'high'}},
      ],
    },
  ],
  [
    'options and modes',
    {
      session: {configOptions: [mode], modes},
      wanted: {mode: 'build'},
      reported: [{method: SET, params: {configId: 'how', value: 'build'}}],
    },
  ],
  [
    'options without a mode, and modes',
    {
      session: {configOptions: [model, effort], modes},
      wanted: {mode: 'code', model: 'p/b'},
      reported: [
        {method: SET, params: {configId: 'which', value: 'p/b'}},
        {method: 'session/set_mode', params: {modeId: 'code'}},
      ],
    },
  ],
  [
    'options without a model, and old models',
    {
      session: {configOptions: [effort], models},
      wanted: {model: 'b', options: [['effort', 'high']]},
      reported: [{method: 'session/set_model'}, {method: SET}],
    },
  ],
  [
    'options without a category',
    {
      session: {configOptions: [option('model', ['x', 'y'])]},
      wanted: {model: 'y'},
      reported: [{method: SET, params: {configId: 'model', value: 'y'}}],
    },
  ],
];

describe('an agent with', () => {
  test.each(TAKEN)('%s gets the setting in its own way', async (_, {session, wanted, reported}) => {
    const answers = {'session/set_mode': {}, 'session/set_model': {}, [SET]: {}};
    const {sent, state} = await openScripted(
      {session: {...session}, results: answers},
      {settings: {options: [], ...wanted}, hasUser: false},
    );
    expect(state().connection.kind).toBe('ready');
    expect(sent().filter(({method}) => method?.startsWith('session/set_'))).toMatchObject(reported);
  });
});

interface Refused {
  readonly session: object;
  readonly wanted: Partial<RequestedSettings>;
  readonly failure: object;
}

const REFUSED: readonly (readonly [string, Refused])[] = [
  [
    'a mode among modes',
    {session: {modes}, wanted: {mode: 'x'}, failure: {what: 'mode', valid: ['ask', 'code']}},
  ],
  [
    'a mode of the modes where options replace them',
    {session: {modes, configOptions: [mode]}, wanted: {mode: 'code'}, failure: {valid: ['plan', 'build']}},
  ],
  ['an old model', {session: {models}, wanted: {model: 'x'}, failure: {what: 'model', valid: ['a', 'b']}}],
  [
    'an option',
    {
      session: {configOptions: [effort]},
      wanted: {options: [['speed', 'x']]},
      failure: {what: 'option', valid: ['effort']},
    },
  ],
  [
    'a value of an option',
    {
      session: {configOptions: [effort]},
      wanted: {options: [['effort', 'x']]},
      failure: {what: 'effort', valid: ['low', 'high']},
    },
  ],
];

test.each(REFUSED)(
  '%s that does not exist is rejected with the available ones',
  async (_, {session, wanted, failure}) => {
    const {conversation, sent} = makeConversation(['script', JSON.stringify({session})], {
      settings: {options: [], ...wanted},
      hasUser: false,
    });
    expect(await conversation.open()).toMatchObject({
      ok: false,
      failure: {kind: 'unknown_value', ...failure},
    });
    expect(sent().some(({method}) => method?.startsWith('session/set_'))).toBe(false);
  },
);

test('an option that disappears with the model can no longer be set', async () => {
  const settings: RequestedSettings = {model: 'small', options: [['effort', 'low']]};
  const {conversation} = makeConversation(['config-options'], {settings, hasUser: false});
  expect(await conversation.open()).toMatchObject({
    ok: false,
    failure: {kind: 'unknown_value', what: 'option', value: 'effort', valid: ['mode', 'model', 'web']},
  });
});

test('a value that the agent changes is reported', async () => {
  const {state} = await openScripted(
    {session: {configOptions: [effort]}, results: {[SET]: {configOptions: [effort]}}},
    {settings: {options: [['effort', 'high']]}, hasUser: false},
  );
  expect(state().entries).toContainEqual(
    expect.objectContaining({
      type: 'notice',
      level: 'warning',
      text: 'The agent set effort to "low" instead of "high".',
    }),
  );
});
