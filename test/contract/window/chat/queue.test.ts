import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {
  fakeAgent,
  openChat,
  openReady,
  READY,
  temporaryFolder,
  untilTurnsEnd,
  type Chat,
  promptWith,
  untilWaiting,
  say,
  selectHighlighted,
} from '../../../support/driver/chat.ts';
import {openPuppet} from '../../../support/driver/puppet.ts';
import {storedUnsentText} from '../../../support/driver/stored.ts';

/** Types a prompt and presses Enter, as a user who reads the screen. */
async function submit(chat: Chat, text: string): Promise<void> {
  chat.type(text);
  await chat.sees(promptWith(text));
  chat.press('enter');
  await chat.noLongerSees(promptWith(text));
}

test('queued prompts are edited in place, moved and removed while the answer streams', async () => {
  const chat = await openPuppet();
  await chat.begin();
  for (const text of ['secnd', 'third', 'fourth']) {
    await submit(chat, text);
    await chat.sees(new RegExp(`^ {2}(?:then| {4}) {2}${text}`, 'm'));
  }
  chat.report({say: 'one\n\n'});
  chat.press('up');
  await chat.sees(/❯ +(?:then +)?fourth/);
  chat.type('x');
  await chat.sees(/❯ +(?:then +)?third/);
  chat.report({say: 'two\n\n'});
  chat.press('alt+up');
  await chat.sees(/❯ +(?:then +)?third/);
  chat.press('down');
  await chat.sees(/❯ +(?:then +)?secnd/);
  chat.press('enter');
  await chat.sees(promptWith('secnd'));
  chat.press('backspace', 'backspace');
  chat.type('ond');
  await chat.sees(promptWith('second'));
  chat.press('enter');
  await chat.sees(/^ {8}second/m);
  chat.report({say: 'three'}, {end: 'end_turn'}, {end: 'end_turn'}, {end: 'end_turn'});
  await untilTurnsEnd(chat, 3);
  await chat.hasSeen(/▌ third\n[^]*▌ second\n/);
  expect(chat.history()).not.toContain('▌ fourth');
});

test('s stops the turn and sends the selected prompt; an agent that supports it gets it in its turn', async () => {
  const chat = await openReady({agent: fakeAgent('waits')});
  chat.type('first\r');
  await untilWaiting(chat);
  await submit(chat, 'instead');
  await chat.sees('then  instead');
  chat.press('up');
  await chat.sees('cancel the turn and send now');
  chat.type('s');
  await chat.hasSeen('Cancelled');
  await chat.hasSeen('▌ instead');

  const steered = await openReady({agent: fakeAgent('steers')});
  steered.type('go\r');
  await steered.sees('began with go');
  steered.type('end');
  await steered.sees(promptWith('end'));
  steered.press('ctrl+x', 'enter');
  await steered.hasSeen('steered by end');
  await untilTurnsEnd(steered, 1);
  await steered.hasSeen('▌ end');
  expect(steered.history()).not.toContain('Cancelled');
});

test('a crash shows the last output and the exit code, and a restart keeps the transcript and the queue', async () => {
  const chat = await openReady({agent: fakeAgent('mortal'), columns: 120});
  await say(chat, 'hello', 1);
  await submit(chat, 'die');
  await chat.hasSeen('The agent exited (exit code 7).');
  await chat.hasSeen('fake-agent: cannot go on');
  await chat.sees('The agent stopped');
  await selectHighlighted(chat, '❯ Restart the agent');
  await chat.sees(READY);
  await chat.sees('The last prompt was interrupted');
  await chat.sees('“die” The agent may have done part of it.');
  chat.press('down');
  await selectHighlighted(chat, '❯ Edit it first');
  await chat.sees(promptWith('die'));
  chat.press('ctrl+u');
  await say(chat, 'are you there', 3);
  await expect
    .poll(() => chat.history())
    .toMatch(/▌ hello\n\n {2}hello\n[^]*▌ die\n\n {2}farewell[^]*▌ are you there\n\n {2}are you there/);
  await expect.poll(() => chat.history().match(/▌ hello/g)).toHaveLength(1);
});

test('an agent that closes its output within a message is reported, too', async () => {
  const chat = await openReady({agent: fakeAgent('closes-output')});
  chat.type('go\r');
  await chat.hasSeen('half a');
  await chat.sees('The agent stopped');
});

test('after kill -9 draft and queue are restored on the next start in the same folder', async () => {
  const file = path.join(temporaryFolder('puppet'), 'steps');
  writeFileSync(file, '');
  const agent = fakeAgent('puppet', file);
  const first = await openReady({agent, ownProcess: true});
  first.type('running\r');
  await first.sees('Working…');
  for (const number of [1, 2, 3]) {
    await submit(first, `waits ${number}`);
    await first.sees(new RegExp(`^ {2}(?:then)? +waits ${number}`, 'm'));
  }
  first.type('half a thought');
  await first.until(() => storedUnsentText(first).includes('half a thought'), 'for the draft to be stored');
  first.signal('SIGKILL');
  await first.ended();
  const {home, cwd} = first;
  const second = openChat({agent, home, cwd});
  await second.sees(promptWith('half a thought'));
  for (const number of [1, 2, 3]) await second.sees(`waits ${number}`);
  await second.sees('paused');
});

test('unsent text is kept over a normal exit as well', async () => {
  const first = await openReady({agent: fakeAgent('echo'), ownProcess: true});
  first.type('half a thought');
  await first.sees(promptWith('half a thought'));
  first.signal('SIGTERM');
  expect(await first.ended()).toBe(143);
  const {home, cwd} = first;
  const second = openChat({agent: fakeAgent('echo'), home, cwd});
  await second.sees(promptWith('half a thought'));
});
