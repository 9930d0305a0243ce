import {execFileSync} from 'node:child_process';
import {readFileSync, readlinkSync} from 'node:fs';
import {expect, test} from 'vitest';
import {ASKS} from '../../support/driver/request-texts.ts';
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

test.skipIf(process.platform !== 'linux')(
  'stopped from outside, it takes the terminal back from the shell when it is continued',
  async () => {
    const chat = await openPuppet();
    await chat.begin();
    const terminal = readlinkSync(`/proc/${chat.pid}/fd/0`);
    const stty = (...args: readonly string[]) =>
      execFileSync('stty', ['-F', terminal, ...args], {encoding: 'utf8'});
    const isRaw = () => stty('-a').includes('-icanon');
    expect(isRaw()).toBe(true);
    chat.signal('SIGSTOP');
    const isStopped = () => /^State:\s+T/m.test(readFileSync(`/proc/${chat.pid}/status`, 'utf8'));
    await chat.until(isStopped, 'for it to be stopped');
    // As shells do.
    stty('sane');
    const timesSet = () => chat.raw.split('\x1b[?2004h').length;
    const before = timesSet();
    chat.signal('SIGCONT');
    await expect.poll(isRaw).toBe(true);
    await expect.poll(timesSet).toBeGreaterThan(before);
    chat.type('still here');
    await chat.sees('still here');
  },
);
