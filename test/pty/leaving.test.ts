import {existsSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import {
  fakeAgent,
  openChat,
  openReady,
  openShell,
  PROGRAM,
  quoted,
  READY,
  temporaryFolder,
  type Chat,
} from './driver/chat.ts';
import {processesOf} from './driver/processes.ts';
import {untouched} from './driver/modes.ts';

const start = quoted([process.execPath, PROGRAM, '--agent', fakeAgent('stubborn')]);

/** The process of acp-tui itself. */
function program(chat: Chat): number {
  const found = processesOf(chat.home).find(({command}) => command.includes(PROGRAM));
  if (!found) throw new Error(`acp-tui does not run; the screen shows\n${chat.screen()}`);
  return found.pid;
}

async function tellsItsState(shell: Chat, code: number): Promise<void> {
  shell.type('echo "left with $?"; stty -a\r');
  await shell.hasSeen(`left with ${code}\n`);
  await shell.hasSeen(/[ -]echoke/);
  const settings = shell.history().slice(shell.history().indexOf('left with '));
  expect(settings).toMatch(/(?<!-)\bicanon\b/);
  expect(settings).toMatch(/(?<!-)\becho\b/);
  expect(settings).toMatch(/(?<!-)\bisig\b/);
}

const kill = (signal: NodeJS.Signals) => (chat: Chat) => {
  process.kill(program(chat), signal);
};

describe.each<[name: string, leave: (chat: Chat) => void | Promise<void>, code: number]>([
  ['/quit', (chat) => chat.type('/quit\r'), 0],
  ['Ctrl+D', (chat) => chat.press('ctrl+d'), 0],
  [
    'Ctrl+C twice',
    async (chat) => {
      chat.press('ctrl+c');
      await chat.sees('Press Ctrl+C again to leave');
      chat.press('ctrl+c');
    },
    0,
  ],
  ['SIGINT', kill('SIGINT'), 130],
  ['SIGTERM', kill('SIGTERM'), 143],
  ['SIGHUP', kill('SIGHUP'), 129],
])('leaving by %s', (_name, leave, code) => {
  test('leaves the terminal as it was, says how it ended, and leaves no process behind', async () => {
    const shell = await openShell({kitty: true});
    shell.type(`${start}\r`);
    await shell.sees(READY);
    await shell.until(() => shell.modes.kittyLevels === 1, 'for the kitty keyboard');
    expect(shell.modes).toMatchObject({bracketedPaste: true, focusReports: true});
    await shell.until(() => processesOf(shell.home).length >= 5, 'for the children of the agent');
    await leave(shell);
    await shell.sees(/\n\$$/);
    // The shell, and nothing else; its line editor has modes of its own.
    expect(processesOf(shell.home).map(({pid}) => pid)).toEqual([shell.pid]);
    expect(shell.modes).toEqual(untouched);
    await tellsItsState(shell, code);
  });
});

test('a terminal that is closed ends the program, the agent and all of its children', async () => {
  const chat = await openReady({agent: fakeAgent('stubborn')});
  await chat.until(() => processesOf(chat.home).length >= 4, 'for the children of the agent');
  chat.hangUp();
  await chat.until(() => processesOf(chat.home).length === 0, 'for every process to end');
});

test('an agent that is being started is ended as well', async () => {
  const chat = openChat({agent: fakeAgent('silent')});
  await chat.sees('Waiting for main.ts to answer');
  chat.press('ctrl+d');
  expect(await chat.ended()).toBe(0);
  expect(processesOf(chat.home)).toEqual([]);
});

test('a second signal does not wait for the agent', async () => {
  const chat = await openReady({agent: fakeAgent('stubborn')});
  chat.signal('SIGTERM');
  chat.signal('SIGTERM');
  expect(await chat.ended()).toBe(143);
  await chat.until(() => processesOf(chat.home).length === 0, 'for every process to end');
  expect(chat.modes).toEqual(untouched);
});

test('the conversation stays on the screen after leaving', async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  chat.type('remember me\r');
  await chat.hasSeen(/❯ remember me\n\nremember me/);
  chat.press('ctrl+d');
  expect(await chat.ended()).toBe(0);
  expect(chat.screen()).toMatch(/❯ remember me\n\nremember me/);
});

test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP'])(
  'after %s the agent has the time to tidy up',
  async (signal) => {
    const mark = path.join(temporaryFolder('mark'), 'tidied-up');
    const chat = await openReady({agent: fakeAgent('lingers', mark)});
    chat.signal(signal);
    await chat.ended();
    expect(existsSync(mark)).toBe(true);
  },
);
