import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {
  fakeAgent,
  openChat,
  openShell,
  PROGRAM,
  quoted,
  READY,
  temporaryFolder,
  untilTurnsEnd,
  type Chat,
  selectHighlighted,
} from '../../support/driver/chat.ts';
import {untouched} from '../../support/driver/modes.ts';
import {processesOf} from '../../support/driver/processes.ts';

/** An agent that requires a sign-in until its file exists. */
function agent(): string {
  return fakeAgent('sign-in', path.join(temporaryFolder('sign-in'), 'file'));
}

/** Confirms the sign-in program. */
async function agree(chat: Chat): Promise<void> {
  await chat.sees('1  y  Run');
  await chat.sees('why am I asked');
  chat.type('1');
  await chat.noLongerSees('1  y  Run');
}

test('a sign-in in a terminal gets the real one, with its keys, and gives it back', async () => {
  const shell = await openShell({rows: 40});
  shell.type(`${quoted([process.execPath, PROGRAM, '--agent', agent()])}\r`);
  await shell.sees('❯ 1. Browser');
  shell.press('down');
  await shell.sees('❯ 2. Patience');
  shell.press('down');
  await shell.sees('❯ 3. Refused');
  shell.press('down');
  await shell.sees(/❯ 4\. Terminal +runs \S+ \S*node/);
  await selectHighlighted(shell, '❯ 4. Terminal');
  // It adds a variable to the agent's own command: that is confirmed, with all of it on the screen.
  await shell.sees(
    /Run this program to sign in with "Terminal"\?[^]*Command +\S+[^]*Variable +FAKE_LOGIN=agent/,
  );
  await agree(shell);
  await shell.sees('LOGIN as agent');
  await shell.sees(/^code\?$/m);
  expect(shell.modes).toEqual(untouched);
  // Both keys go to the program: the first is its own, the second suspends it and acp-tui as a shell job.
  shell.press('ctrl+c');
  await shell.sees('INTERRUPTED');
  shell.press('ctrl+z');
  await shell.sees(/Stopped[^]*\n\$$/);
  shell.type('fg\r');
  await shell.sees(/\$ fg\n/);
  // A program that reads Ctrl+Z as a key suspends only itself.
  shell.type('stop\r');
  await shell.until(() => shell.history().split('Stopped').length === 3, 'for the job to stop again');
  await shell.sees(/\n\$$/);
  shell.type('fg\r');
  await shell.until(() => shell.history().split('$ fg\n').length === 3, 'for the job to go on');
  shell.type('right\r');
  await shell.sees(READY);
  shell.type('hello\r');
  await untilTurnsEnd(shell);
  // A turn fails for a missing sign-in; the legacy form of it fixes that, and the prompt is sent again.
  shell.type('expire\r');
  await shell.sees('❯ 1. Browser');
  shell.press('down', 'down', 'down', 'down');
  await selectHighlighted(shell, '❯ 5. Old terminal');
  await agree(shell);
  await shell.sees('LOGIN as other');
  shell.type('right\r');
  await shell.hasSeen('heard expire, with no endpoint');
  await untilTurnsEnd(shell, 2);
  await expect.poll(() => shell.history().match(/^▌ expire$/gm)).toHaveLength(1);
});

test('a sign-in killed in raw mode leaves the window intact, and is offered again', async () => {
  const chat = openChat({agent: agent()});
  await chat.sees('❯ 1. Browser');
  chat.press('down', 'down', 'down');
  await selectHighlighted(chat, '❯ 4. Terminal');
  await agree(chat);
  await chat.sees(/^code\?$/m);
  // Ctrl+\ stops the sign-in, not the window.
  chat.press('ctrl+\\');
  await chat.sees('killed by SIGQUIT');
  chat.press('down', 'down', 'down');
  await selectHighlighted(chat, '❯ 4. Terminal');
  await agree(chat);
  await chat.until(() => chat.history().split('code?').length === 3, 'for the sign-in again');
  chat.type('mess\r');
  await chat.sees('killed by SIGKILL');
  await chat.until(() => chat.modes.bracketedPaste, 'for the terminal to be ours');
  expect(chat.modes).toMatchObject({alternateScreen: false, mouse: false});
  await selectHighlighted(chat, '❯ 1. Browser');
  await chat.sees(READY);
  chat.type('hello\r');
  await untilTurnsEnd(chat);
  await chat.sees('heard hello');
  chat.press('ctrl+d');
  expect(await chat.ended()).toBe(0);
  expect(chat.modes).toEqual(untouched);
});

test('quitting stops the sign-in and restores the terminal', async () => {
  const chat = openChat({agent: agent(), args: ['--auth', 'terminal']});
  await agree(chat);
  await chat.sees(/^code\?$/m);
  chat.signal('SIGTERM');
  expect(await chat.ended()).toBe(143);
  expect(chat.modes).toEqual(untouched);
  expect(processesOf(chat.home)).toEqual([]);
});

test('a sign-in with values asks for them, masked, and starts the agent with them; no file contains them', async () => {
  const record = path.join(temporaryFolder('recording'), 'wire.ndjson');
  const args = ['--log-level', 'debug', '--record', record];
  const chat = openChat({agent: agent(), args, rows: 40});
  await chat.sees('❯ 1. Browser');
  chat.press('down', 'down', 'down', 'down', 'down');
  await chat.sees(/❯ 6\. API key +asks for FAKE_KEY, FAKE_ENDPOINT/);
  await selectHighlighted(chat, '❯ 6. API key');
  await chat.sees(/❯ Key \(required\)[^]*Endpoint:[^]*\[ Continue \]/);
  await chat.sees('Where to find them: https://example.com/keys');
  await chat.sees('Ctrl+S submit');
  chat.type('wrong-and-secret');
  await chat.sees('*'.repeat(16));
  chat.press('ctrl+s');
  await chat.sees('the key is not valid');
  await chat.sees('❯ 1. Browser');
  chat.press('down', 'down', 'down', 'down', 'down');
  await selectHighlighted(chat, '❯ 6. API key');
  await chat.sees('already set');
  await chat.sees('Ctrl+S submit');
  chat.type('right');
  await chat.sees('*****');
  chat.press('ctrl+s');
  await chat.sees(READY);
  await expect.poll(() => chat.screen()).not.toContain('the key is not valid');
  chat.type('hello\r');
  await untilTurnsEnd(chat);
  chat.type('/export json all.json\r');
  await chat.sees('all.json');
  chat.press('ctrl+d');
  expect(await chat.ended()).toBe(0);
  const files = readdirSync(chat.home, {recursive: true, withFileTypes: true}).filter((file) =>
    file.isFile(),
  );
  const written = [record, ...files.map(({parentPath, name}) => path.join(parentPath, name))];
  expect(written.map((file) => path.basename(file))).toEqual(
    expect.arrayContaining(['wire.ndjson', 'acp-tui.log', 'all.json', 'acp-tui.sqlite']),
  );
  const telling = written.filter((file) => readFileSync(file, 'latin1').includes('wrong-and-secret'));
  expect(telling).toEqual([]);
  expect(chat.history()).not.toContain('wrong-and-secret');
});
