import {expect, test} from 'vitest';
import {fakeAgent, openReady, promptWith, say} from '../../../support/driver/chat.ts';

const env = {ACP_TUI_AGENT: ''};
const script = (...texts: readonly string[]) =>
  fakeAgent(
    'script',
    JSON.stringify({
      turns: texts.map((text) => [
        {update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}},
      ]),
    }),
  );

test('/handoff gives the conversation to another agent as a chip, which is one entry there with its size', async () => {
  const chat = await openReady({env, agent: script('The answer is 42.', 'Again 42.'), columns: 100});
  await say(chat, 'What is the answer?');
  await say(chat, 'Really?', 2);
  chat.type('/handoff demo\r');
  await chat.sees('Continue with demo: what does it get?');
  await chat.sees(/❯ The conversation +\d+ characters/);
  chat.type('The last turn');
  chat.press('enter');
  await chat.sees(/\[Conversation with .+, \d+ characters\]/);
  chat.type('go on\r');
  await chat.sees(/▌ \[Conversation with .+, \d+ characters\] go on/);
  await chat.sees('I am the demo agent');
  expect(chat.screen()).not.toMatch(/Continues|Pasted/);
});

test('an agent writes the summary that another one gets', async () => {
  const chat = await openReady({env, agent: script('Done.', 'SUMMARY OF IT'), columns: 100});
  await say(chat, 'Do it');
  // Its output goes to the agent with the next prompt.
  chat.type('!echo own-$((40 + 2))\r');
  await chat.hasSeen('own-42');
  chat.type('/handoff demo\r');
  await chat.sees('A summary that');
  chat.type('summary');
  await chat.sees('❯ A summary that');
  chat.press('enter');
  await chat.sees(/\[Conversation with .+, \d+ characters\]/);
});

test('what is handed over after a summary takes neither the screen nor the place of another session', async () => {
  const update = (text: string) => ({
    update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}},
    of: 'session-1',
  });
  const turns = [[update('Done.')], [{received: 'session/new'}, update('SUMMARY OF IT')]];
  const chat = await openReady({env, agent: fakeAgent('script', JSON.stringify({turns})), columns: 100});
  await say(chat, 'Do it');
  chat.type('/handoff demo\r');
  await chat.sees('A summary that');
  chat.type('summary');
  await chat.sees('❯ A summary that');
  chat.press('enter');
  await chat.sees('▌ Another agent will continue our conversation');
  chat.press('ctrl+x');
  await chat.sees('switch to the open session of that number');
  chat.type('n');
  await chat.sees('The conversation is in session 3, with demo.');
  await chat.sees('2/3 ');
  await chat.sees(promptWith(''));
  chat.press('ctrl+x');
  await chat.sees('switch to the open session of that number');
  chat.type('3');
  await chat.sees(/\[Conversation with .+, \d+ characters\]/);
});

test('a summary that waits for the user is not handed over later', async () => {
  const error = {fail: {code: -32000, message: 'no more today'}};
  const update = {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'Done.'}};
  const chat = await openReady({
    env,
    agent: fakeAgent('script', JSON.stringify({turns: [[{update}], [error]]})),
    columns: 100,
  });
  await say(chat, 'Do it');
  chat.type('/handoff demo\r');
  await chat.sees('A summary that');
  chat.type('summary');
  await chat.sees('❯ A summary that');
  chat.press('enter');
  await chat.sees('No summary: nothing was handed over.');
});

test('a summary that fails at a limit is not waited for', async () => {
  const error = {fail: {code: -32603, message: "You've hit your usage limit. Try again in 2 hours."}};
  const update = {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'Done.'}};
  const chat = await openReady({
    env,
    agent: fakeAgent('script', JSON.stringify({turns: [[{update}], [error]]})),
    args: ['--wait-for-limits'],
    columns: 100,
  });
  await say(chat, 'Do it');
  chat.type('/handoff demo\r');
  await chat.sees('A summary that');
  chat.type('summary');
  await chat.sees('❯ A summary that');
  chat.press('enter');
  await chat.sees('No summary: nothing was handed over.');
  expect(chat.screen()).not.toContain('Waiting until');
});

test('/agents leads to the agents that go on with the conversation', async () => {
  const chat = await openReady({env, agent: script('Done.'), columns: 100});
  await say(chat, 'Do it');
  chat.type('/agents with this\r');
  await chat.sees('❯ With this conversation…');
  chat.press('enter');
  await chat.sees('Continue with another agent');
  chat.type('demo');
  await chat.sees('❯ Demo');
  chat.press('enter');
  await chat.sees('Continue with demo: what does it get?');
  chat.press('escape');
  await chat.sees(promptWith(''));
});
