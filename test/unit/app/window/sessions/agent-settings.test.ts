import type * as acp from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {openWindow} from '../../../../support/window/app-window.ts';

const fast = {id: 'fast', name: 'Fast', category: 'speed', type: 'boolean', currentValue: false} as const;
const tiers: acp.SessionConfigOption = {
  id: 'tier',
  name: 'Tier',
  category: 'speed',
  type: 'select',
  currentValue: 'slow',
  options: [
    {value: 'slow', name: 'Slow'},
    {value: 'quick', name: 'Quick'},
  ],
};

test('a key switches the speed of the model', () => {
  const window = openWindow();
  window.update({sessionUpdate: 'config_option_update', configOptions: [fast]});
  window.press('alt+s');
  expect(window.called('setConfigOption')).toEqual([['fast', true]]);
});

test('a key lists the speeds of the model', () => {
  const window = openWindow();
  window.update({sessionUpdate: 'config_option_update', configOptions: [tiers]});
  window.press('alt+s', 'down', 'enter');
  expect(window.called('setConfigOption')).toEqual([['tier', 'quick']]);
});

test('a key says that there is no speed to select', () => {
  const window = openWindow();
  window.press('alt+s');
  expect(window.state.toast?.text).toBe('This agent has no speeds to select.');
});

test.each([
  [true, 'Run the tests'],
  [false, ''],
])('a suggested prompt is taken with Tab unless the setting is off: %s', (promptSuggestions, draft) => {
  const window = openWindow();
  window.update({sessionUpdate: 'prompt_suggestions_update', suggestions: ['Run the tests']});
  window.dispatch({type: 'preferences_changed', change: {promptSuggestions}});
  window.press('tab');
  expect(window.draft).toBe(draft);
});
