import {expect, test} from 'vitest';
import {ASKS} from '../../support/driver/focus-request.ts';
import {askToRun, openPuppet} from '../../support/driver/puppet.ts';

test('Ctrl+Z suspends the program and restores the terminal, and resuming redraws the screen', async () => {
  const chat = await openPuppet();
  await chat.begin();
  chat.report(askToRun('make'), {end: 'end_turn'});
  await chat.sees(ASKS);
  chat.press('ctrl+z');
  await chat.until(
    () => !chat.modes.focusReports && !chat.modes.bracketedPaste,
    'for the terminal to be given back',
  );
  // A SIGCONT before it has stopped is lost.
  const isTaken = () => chat.modes.focusReports && chat.modes.bracketedPaste;
  await expect.poll(() => isTaken() || (chat.signal('SIGCONT'), false)).toBe(true);
  await chat.sees(ASKS);
});
