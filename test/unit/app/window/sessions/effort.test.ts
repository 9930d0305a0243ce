import type * as acp from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {statusLine} from '../../../../../src/app/status/status-line.ts';
import {openWindow} from '../../../../support/window/app-window.ts';

function withEffort(currentValue: string) {
  const window = openWindow();
  const effort: acp.SessionConfigOption = {
    type: 'select',
    id: 'reasoning_effort',
    name: 'Reasoning effort',
    category: 'thought_level',
    currentValue,
    options: ['low', 'medium', 'high'].map((value) => ({value, name: value})),
  };
  const place = {cwd: '/project', additionalDirectories: []};
  window.agent({
    type: 'session_opened',
    how: 'new',
    session: {sessionId: 's2', ...place, configOptions: [effort]},
  });
  return window;
}

test.each([
  ['alt+.', 'high'],
  ['alt+,', 'low'],
])('%s changes the reasoning effort by one step', (key, value) => {
  const window = withEffort('medium');
  expect(statusLine(window.state, window.now).effort).toBe('effort medium');
  window.press(key);
  expect(window.effects).toContainEqual(
    expect.objectContaining({action: 'setConfigOption', args: ['reasoning_effort', value]}),
  );
  expect(window.state.toast?.text).toBe(`Reasoning effort: ${value}`);
});

test.each([
  ['alt+.', 'high', 'Reasoning effort has no higher value.'],
  ['alt+,', 'low', 'Reasoning effort has no lower value.'],
])('%s stops at the end', (key, value, told) => {
  const window = withEffort(value);
  window.press(key);
  expect(window.effects).toEqual([]);
  expect(window.state.toast?.text).toBe(told);
});

test('/effort selects a value by its name, or lists them', () => {
  const window = withEffort('medium');
  window.say('/effort hi');
  expect(window.effects).toContainEqual(
    expect.objectContaining({action: 'setConfigOption', args: ['reasoning_effort', 'high']}),
  );
  window.say('/effort');
  expect(window.state.overlay).toMatchObject({picker: {title: 'Reasoning effort'}});
});

test('without such an option, keys and command say so', () => {
  const window = openWindow();
  const told = 'This agent has no reasoning effort to select.';
  window.press('alt+.');
  expect(window.state.toast?.text).toBe(told);
  window.say('/effort');
  expect(window.state.toast?.text).toBe(told);
});
