import {expect, test} from 'vitest';
import {sandboxOf} from '../../../src/modes/start/run-options.ts';
import type {Settings} from '../../../src/settings/schema/settings-schema.ts';

const sandbox = {writable: [], hosts: [], network: 'ask', sandboxSockets: 'none'} as const;
const on: Settings = {sandbox: {enabled: true}};
const ofAgent: Settings = {agents: {spy: {sandbox: {enabled: true, network: 'none'}}}};

test.each([
  ['nothing says so', {option: undefined}, {}, false],
  ['the option does', {option: true}, {}, true],
  ['the setting does', {option: undefined}, on, true],
  ["the agent's setting does", {option: undefined}, ofAgent, true],
  ['the stored session was', {option: undefined, kept: {sandbox}}, {}, true],
  ['the stored session cannot be read', {option: undefined, kept: 'unreadable'}, {}, true],
  ['the option rules out the setting', {option: false}, on, false],
  ['the option rules out the stored session', {option: false, kept: {sandbox}}, {}, false],
] as const)('whether a session is confined if %s', (_, asked, settings, expected) => {
  expect(sandboxOf({agent: 'spy', ...asked}, settings).sandbox !== undefined).toBe(expected);
});

test('the settings of the agent that is started decide, and of no other', () => {
  expect(sandboxOf({agent: 'spy', option: undefined}, ofAgent).sandbox?.network).toBe('none');
  expect(sandboxOf({agent: 'other', option: undefined}, ofAgent)).toEqual({});
});
