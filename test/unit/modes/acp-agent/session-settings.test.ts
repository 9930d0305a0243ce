import {expect, test} from 'vitest';
import {settingsOf} from '../../../../src/modes/acp-agent/session-settings.ts';
import {newSession, opened, reduceEvents} from '../../../support/session/build.ts';

const described = {name: 'Careful', description: 'Asks before each step'};
const offer = {agents: [], agent: 'mine', takesBooleans: true};

test('modes and models have their descriptions, also as options', () => {
  const session = reduceEvents(
    opened,
    newSession('s2', {
      modes: {currentModeId: 'm', availableModes: [{id: 'm', ...described}]},
      models: {currentModelId: 'o', availableModels: [{modelId: 'o', ...described}]},
    }),
  );
  expect(settingsOf(session, offer)).toMatchObject({
    modes: {availableModes: [described]},
    models: {availableModels: [described]},
    configOptions: [
      {id: 'mode', options: [{value: 'm', ...described}]},
      {id: 'model', options: [{value: 'o', ...described}]},
      {id: 'agent'},
    ],
  });
});

test('modes that are an option have their descriptions', () => {
  const mode = {
    type: 'select' as const,
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    currentValue: 'm',
    options: [{value: 'm', ...described}],
  };
  const session = reduceEvents(opened, newSession('s2', {configOptions: [mode]}));
  expect(settingsOf(session, offer)).toMatchObject({
    modes: {availableModes: [described]},
    configOptions: [{options: [described]}, {id: 'agent'}],
  });
});
