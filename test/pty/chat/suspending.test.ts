import {execFileSync} from 'node:child_process';
import {readFileSync, readlinkSync, writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {openChat, READY, type Chat} from '../../support/driver/chat.ts';
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

/** The modes of a chat's terminal as a shell sees and sets them. */
async function shellIn(chat: Chat) {
  let terminal = '';
  // A process that waits to become the program has none yet.
  const hasTerminal = () => (terminal = readlinkSync(`/proc/${chat.pid}/fd/0`)).startsWith('/dev/');
  await chat.until(hasTerminal, 'for the program to have the terminal');
  const stty = (...args: readonly string[]) =>
    execFileSync('stty', ['-F', terminal, ...args], {encoding: 'utf8'});
  return {
    isRaw: () => stty('-a').includes('-icanon'),
    /** Stops the program, and takes the terminal as shells do. */
    async stop() {
      chat.signal('SIGSTOP');
      const isStopped = () => /^State:\s+T/m.test(readFileSync(`/proc/${chat.pid}/status`, 'utf8'));
      await chat.until(isStopped, 'for it to be stopped');
      stty('sane');
    },
    write: (text: string) => writeFileSync(terminal, text),
  };
}

describe.skipIf(process.platform !== 'linux')('stopped from outside', () => {
  test.each([
    {screen: 'inline', args: []},
    {screen: 'on the full screen', args: ['--fullscreen']},
  ])('it takes the terminal back from the shell when it is continued, $screen', async ({screen, args}) => {
    const chat = await openPuppet({args, kitty: true});
    await chat.begin();
    chat.paste('first row\nsecond row\nthird row\nlast row');
    await chat.sees('last row');
    await chat.until(() => chat.modes.kittyLevels > 0, 'for the kitty keyboard');
    const {modes} = chat;
    const shell = await shellIn(chat);
    expect(shell.isRaw()).toBe(true);
    await shell.stop();
    const files = Array.from({length: 6}, (_, index) => `file ${index}`);
    shell.write(`\x1b[?1002;1004;1006;2004l${['', ...files, '$ fg', ''].join('\n')}`);
    await chat.sees('$ fg');
    const before = chat.raw.length;
    chat.signal('SIGCONT');
    await expect.poll(shell.isRaw).toBe(true);
    await chat.until(() => chat.raw.slice(before).includes('last row'), 'for the draft to be drawn again');
    await expect.poll(() => chat.modes).toEqual(modes);
    chat.type(', still here');
    await chat.sees('last row, still here');
    if (screen !== 'inline') return;
    await chat.sees(/file 5\n\$ fg\n(?:.*\n)*.*first row/);
    for (const file of files) expect(chat.history().split(file)).toHaveLength(2);
  });
  test('while it starts, it takes the terminal once it has started', async () => {
    const chat = openChat({agent: 'demo'});
    const shell = await shellIn(chat);
    await expect.poll(shell.isRaw, {interval: 1}).toBe(true);
    await shell.stop();
    shell.write('$ fg');
    await chat.sees('$ fg');
    // The window was not there yet.
    expect(chat.raw).toBe('$ fg');
    chat.signal('SIGCONT');
    await chat.sees(READY);
    await expect.poll(shell.isRaw).toBe(true);
  });
});
