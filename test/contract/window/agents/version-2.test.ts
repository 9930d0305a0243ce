import {expect, test} from 'vitest';
import {fakeAgent, openReady, say, type Chat} from '../../../support/driver/chat.ts';

function openNewer(): Promise<Chat> {
  return openReady({agent: fakeAgent('newer'), args: ['--protocol', '2']});
}

test('work that the agent begins by itself is shown with its time, and Esc cancels it', async () => {
  const chat = await openNewer();
  chat.type('alone\r');
  await chat.sees('I go on by myself.');
  await chat.sees(/Working without a prompt…/);
  chat.press('escape');
  await expect.poll(() => chat.screen()).not.toContain('Working without a prompt');
});

test('what runs in the background is shown when the turn has ended', async () => {
  const chat = await openNewer();
  await say(chat, 'background');
  await chat.sees('1 task runs in the background…');
});

test.each([
  ['redact', 'The agent has withdrawn a message.'],
  ['correct', 'The agent has changed a message.'],
])('a message is replaced, and a line says so: %s', async (scene, line) => {
  const chat = await openNewer();
  await say(chat, scene);
  await chat.sees(line);
});

test('what the agent keeps for itself is not shown', async () => {
  const chat = await openNewer();
  await say(chat, 'suggest');
  expect(chat.screen()).not.toContain('prompt_suggestions_update');
});

test('the prompt that the agent expects next is shown in an empty prompt, and Tab takes it', async () => {
  const chat = await openNewer();
  await say(chat, 'suggest');
  await chat.sees('Run the tests (Tab takes it)');
  chat.press('tab');
  await chat.noLongerSees('Tab takes it');
  chat.press('enter');
  await chat.hasSeen(/▌ Run the tests/);
});
