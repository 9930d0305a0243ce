import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
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

test.each(['early', 'in time'])('a prompt that the agent repeats is shown once: %s', async (prompt) => {
  const chat = await openNewer();
  await say(chat, prompt);
  expect(chat.screen().match(new RegExp(`▌ ${prompt}`, 'g'))).toHaveLength(1);
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
  await chat.sees('Run the tests · Tab accept');
  chat.press('tab');
  await chat.noLongerSees('Tab accept');
  chat.press('enter');
  await chat.hasSeen(/▌ Run the tests/);
});

test('a tool call and a command are each cancelled alone, from the list of what runs', async () => {
  const chat = await openNewer();
  await say(chat, 'tasks');
  await chat.sees('2 tasks run in the background…');
  chat.type('/tasks\r');
  await chat.sees('What runs now');
  await chat.sees(/npm run watch +command/);
  chat.press('delete');
  await chat.sees(/⊘ Index the project/);
  await chat.sees('1 task runs in the background…');
  chat.type('/tasks\r');
  await chat.sees(/npm run watch +command/);
  chat.press('ctrl+d');
  await chat.noLongerSees('in the background…');
  chat.type('/tasks\r');
  await chat.sees('Nothing runs in this session.');
});

test('a tool call is cancelled in the transcript', async () => {
  const chat = await openNewer();
  await say(chat, 'tasks');
  await chat.sees('2 tasks run in the background…');
  chat.press('ctrl+o');
  chat.type('x');
  await chat.sees('Cancelling Index the project');
  chat.press('escape');
  await chat.sees('1 task runs in the background…');
});

const DELEGATES: Script = {
  turns: [
    [
      {update: {sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Reviewer'}},
      {
        update: {
          sessionUpdate: 'tool_call',
          toolCallId: 'c',
          title: 'Delegate',
          content: [{type: 'session', sessionId: 'child'}],
        },
      },
      {
        of: 'child',
        update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'I have read it.'}},
      },
    ],
  ],
};

test.each([
  ['1', fakeAgent('script', JSON.stringify(DELEGATES))],
  ['2', fakeAgent('newer')],
])('the subagent of a tool call is opened from the call, in version %s', async (version, agent) => {
  const chat = await openReady({agent, args: ['--protocol', version]});
  await say(chat, 'delegate');
  chat.press('ctrl+o');
  await chat.sees('Subagent: session child');
  chat.type('}o');
  await chat.sees('I have read it.');
});
