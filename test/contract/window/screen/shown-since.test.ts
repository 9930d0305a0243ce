import {expect, onTestFinished, test, vi} from 'vitest';
import {createTab} from '../../../../src/app/initial.ts';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import {newTab} from '../../../../src/window/effects/effect-context.ts';
import {opened, prompted, reduceEvents} from '../../../support/session/build.ts';
import {conversationDefaults, noPermissions} from '../../conversation/conversation-defaults.ts';

const options: ConversationOptions = {
  ...conversationDefaults,
  agent: {label: 'mine', command: 'mine', args: [], env: {}},
  cwd: '/project',
  permissions: noPermissions,
};

test('a window that shows a working session reads the clock that its events have', () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(91_000);
  onTestFinished(() => clock.mockRestore());
  const session = reduceEvents(opened, {...prompted('go'), at: 1000});
  const tab = createTab({...newTab('a', {options, session}), at: 100_000});
  expect(tab.since.turn).toBe(10_000);
});
