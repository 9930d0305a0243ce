import {test} from 'vitest';
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

test('/handoff gives the conversation to another agent as a chip, and says where it comes from', async () => {
  const chat = await openReady({env, agent: script('The answer is 42.', 'Again 42.'), columns: 100});
  await say(chat, 'What is the answer?');
  await say(chat, 'Really?', 2);
  chat.type('/handoff demo\r');
  await chat.sees('Continue with demo: what does it get?');
  await chat.sees(/❯ The conversation +\d+ characters/);
  chat.type('The last turn');
  chat.press('enter');
  await chat.sees(/\[Conversation with .+, \d+ characters\]/);
  await chat.sees('Continues the session "What is the answer?" with');
});

test('an agent writes the summary that another one gets', async () => {
  const chat = await openReady({env, agent: script('Done.', 'SUMMARY OF IT'), columns: 100});
  await say(chat, 'Do it');
  chat.type('/handoff demo\r');
  await chat.sees('A summary that');
  chat.type('summary');
  await chat.sees('❯ A summary that');
  chat.press('enter');
  await chat.sees(/\[Conversation with .+, \d+ characters\]/);
  await chat.sees('Continues the session "Do it"');
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
