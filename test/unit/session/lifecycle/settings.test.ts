import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, it} from 'vitest';
import {configOption, optionsToShow} from '../../../../src/session/settings/options.ts';
import {currentMode, currentModel, modeChoices, modelChoices} from '../../../../src/session/selectors.ts';
import {
  entriesOf,
  reduceEvents,
  newSession,
  only,
  opened,
  says,
  reduceUpdates,
  types,
} from '../../../support/session/build.ts';

const modes: acp.SessionModeState = {
  currentModeId: 'ask',
  availableModes: [
    {id: 'ask', name: 'Ask'},
    {id: 'code', name: 'Code', description: 'Edits files'},
  ],
};

function select(
  id: string,
  category: string,
  {value, options}: {readonly value: string; readonly options: acp.SessionConfigSelectOptions},
): acp.SessionConfigOption {
  return {type: 'select', id, name: id.toUpperCase(), category, currentValue: value, options};
}

const modeOption = select('how', 'mode', {
  value: 'plan',
  options: [
    {value: 'plan', name: 'Plan'},
    {value: 'build', name: 'Build'},
  ],
});
const modelOption = select('which', 'model', {
  value: 'p/b',
  options: [
    {group: 'one', name: 'One', options: [{value: 'p/a', name: 'A'}]},
    {group: 'two', name: 'Two', options: [{value: 'p/b', name: 'B', description: 'better'}]},
  ],
});
const effort = select('effort', 'thought_level', {value: 'low', options: [{value: 'low', name: 'Low'}]});
const web: acp.SessionConfigOption = {type: 'boolean', id: 'web', name: 'Web search', currentValue: false};

describe('modes', () => {
  const session = reduceEvents(opened, newSession('s1', {modes}));

  it('changed by the agent are a one-line entry', () => {
    const changed = reduceUpdates(session, {sessionUpdate: 'current_mode_update', currentModeId: 'code'});
    expect(currentMode(changed)?.id).toBe('code');
    expect(changed.entries.at(-1)).toMatchObject({type: 'notice', text: 'Mode changed to Code.'});
    const again = reduceUpdates(changed, {sessionUpdate: 'current_mode_update', currentModeId: 'code'});
    expect(again.entries).toHaveLength(changed.entries.length);
  });

  it('that are not listed are named by their ID', () => {
    const odd = reduceUpdates(session, {
      sessionUpdate: 'current_mode_update',
      currentModeId: 'https://x/modes#y',
    });
    expect(currentMode(odd)).toEqual({id: 'https://x/modes#y', name: 'https://x/modes#y'});
    expect(currentMode(reduceUpdates(odd, says('hi')))).toBe(currentMode(odd));
  });

  it('are ignored if a config option replaces them', () => {
    const both = reduceEvents(opened, newSession('s1', {modes, configOptions: [modeOption]}));
    expect(modeChoices(both).map(({id}) => id)).toEqual(['plan', 'build']);
    expect(currentMode(both)?.id).toBe('plan');
    const told1 = reduceUpdates(both, {sessionUpdate: 'current_mode_update', currentModeId: 'code'});
    expect(currentMode(told1)?.id).toBe('plan');
    expect(types(told1)).toEqual(types(both));
  });

  it.each([
    ['no option', []],
    ['options of other categories', [effort, modelOption, web]],
  ])('stand beside %s', (_, configOptions) => {
    const both = reduceEvents(opened, newSession('s1', {modes, configOptions}));
    expect(modeChoices(both).map(({id}) => id)).toEqual(['ask', 'code']);
    expect(currentMode(reduceEvents(both, {type: 'mode_set', modeId: 'code'}))?.id).toBe('code');
    const told = reduceUpdates(both, {sessionUpdate: 'current_mode_update', currentModeId: 'code'});
    expect(currentMode(told)?.id).toBe('code');
    expect(told.entries.at(-1)).toMatchObject({type: 'notice', text: 'Mode changed to Code.'});
  });

  it('that are a config option are set there', () => {
    const both = reduceEvents(opened, newSession('s1', {modes, configOptions: [modeOption]}), {
      type: 'mode_set',
      modeId: 'build',
    });
    expect(currentMode(both)?.id).toBe('build');
  });
});

describe('models', () => {
  it('come from the option named model if two have that category', () => {
    const provider = select('provider', 'model', {value: 'x', options: [{value: 'x', name: 'X'}]});
    const named = {...modelOption, id: 'model'};
    for (const model of [named, {...named, id: 'llm', name: 'Model'}, {...named, id: 'modelId'}]) {
      const session = reduceEvents(opened, newSession('s1', {configOptions: [provider, model]}));
      expect(modelChoices(session).map(({id}) => id)).toEqual(['p/a', 'p/b']);
    }
  });

  const models = {
    availableModels: [
      {modelId: 'a', name: 'A'},
      {modelId: 'b', name: 'B'},
    ],
    currentModelId: 'a',
  };

  it('come from the legacy block without an option', () => {
    const session = reduceEvents(opened, newSession('s1', {models}), {type: 'model_set', modelId: 'b'});
    expect(modelChoices(session)).toEqual([
      {id: 'a', name: 'A'},
      {id: 'b', name: 'B'},
    ]);
    expect(currentModel(session)?.id).toBe('b');
  });
});

describe('config options', () => {
  it("keep the agent's order, with model parameters after the model", () => {
    const parameter = (id: string) => select(id, 'model_config', {value: '1', options: []});
    const given = [parameter('context'), effort, modelOption, web, parameter('speed')];
    const shown = optionsToShow(reduceEvents(opened, newSession('s1', {configOptions: given})));
    expect(shown.map(({id}) => id)).toEqual(['effort', 'which', 'context', 'speed', 'web']);
    const withoutModel = [parameter('context'), web, effort];
    expect(optionsToShow(reduceEvents(opened, newSession('s1', {configOptions: withoutModel})))).toEqual(
      withoutModel,
    );
  });

  const session = reduceEvents(opened, newSession('s1', {configOptions: [modelOption, effort, web]}));

  it('are replaced as a whole, and each new value is a one-line entry', () => {
    const changed = reduceUpdates(session, {
      sessionUpdate: 'config_option_update',
      configOptions: [
        {...modelOption, currentValue: 'p/a'} as acp.SessionConfigOption,
        {...web, currentValue: true},
      ],
    });
    expect(configOption(changed, 'effort')).toBeUndefined();
    expect(
      entriesOf(changed, 'notice')
        .slice(-3)
        .map(({text}) => text),
    ).toEqual(['WHICH changed to A.', 'Web search changed to on.', 'EFFORT is no longer available.']);
  });

  it('that are added are a one-line entry, but not the first ones', () => {
    const first = reduceUpdates(opened, {sessionUpdate: 'config_option_update', configOptions: [web]});
    expect(entriesOf(first, 'notice')).toEqual(entriesOf(opened, 'notice'));
    const more = reduceUpdates(first, {sessionUpdate: 'config_option_update', configOptions: [web, effort]});
    expect(entriesOf(more, 'notice').at(-1)?.text).toBe('EFFORT now available: Low.');
  });

  it('without a category are the mode and the model by name', () => {
    const {category: _, ...uncategorised} = modelOption;
    const plain = reduceEvents(opened, newSession('s1', {configOptions: [{...uncategorised, id: 'model'}]}));
    expect(currentModel(plain)?.name).toBe('B');
    const other = {...modelOption, id: 'mode', category: '_own'};
    expect(currentMode(reduceEvents(opened, newSession('s1', {configOptions: [other]})))).toBeUndefined();
  });

  it('set by the user are not', () => {
    const configOptions = [modelOption, effort, {...web, currentValue: true}];
    const changed = reduceEvents(session, {type: 'config_options_set', configOptions});
    expect(configOption(changed, 'web')?.currentValue).toBe(true);
    const confirmed = reduceUpdates(changed, {sessionUpdate: 'config_option_update', configOptions});
    expect(confirmed.entries).toEqual(session.entries);
  });
});

describe('the title', () => {
  const titled = reduceUpdates(opened, {sessionUpdate: 'session_info_update', title: 'Fix\nthe bug'});

  it('is one line', () => {
    expect(titled.title).not.toContain('\n');
  });

  it('stays when omitted and is cleared by null', () => {
    expect(reduceUpdates(titled, {sessionUpdate: 'session_info_update', updatedAt: 'now'}).title).toBe(
      titled.title,
    );
    expect(reduceUpdates(titled, {sessionUpdate: 'session_info_update', title: null}).title).toBeUndefined();
  });
});

describe('a notice of the agent', () => {
  it('is an entry of its level', () => {
    const session = reduceUpdates(opened, {
      sessionUpdate: 'notice',
      severity: 'warning',
      title: 'Slow',
      description: 'The service is busy.',
    });
    expect(only(session, 'notice')).toMatchObject({
      level: 'warning',
      text: 'Slow\nThe service is busy.',
      source: 'agent',
    });
  });

  it('of an unknown level is informational', () => {
    const session = reduceUpdates(opened, {sessionUpdate: 'notice', severity: 'cosmic', title: 'Hm'});
    expect(only(session, 'notice').level).toBe('info');
  });
});

describe('an agent that confirms requests in text, outside a turn', () => {
  it('has a message for each confirmation', () => {
    const session = reduceEvents(
      reduceUpdates(opened, says('[MODE] a')),
      {type: 'mode_set', modeId: 'b'},
      {type: 'session_update', update: says('[MODE] b')},
    );
    expect(types(session)).toEqual(['agent_message', 'agent_message']);
  });
});
