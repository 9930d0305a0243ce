import {expect, test} from 'vitest';
import {askToRun, openPuppet} from '../../support/driver/puppet.ts';

// Not among the windows that run in the process of the test: the keyboard would stall with them.
test('a request is not answered by an Enter held down while it appears', async () => {
  const chat = await openPuppet();
  await chat.begin();
  chat.report(askToRun('rm -rf build'), {end: 'end_turn'});
  // At the repeat rate of a keyboard, whether something is drawn or not.
  const held = setInterval(() => chat.press('enter'), 100);
  await chat.sees('Key pressed too soon').finally(() => clearInterval(held));
  expect(chat.history()).not.toContain('request:');
});
