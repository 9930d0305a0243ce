import {expect, test} from 'vitest';
import {fakeAgent, openReady, type Chat, selectHighlighted} from '../../../support/driver/chat.ts';
import {processesOf} from '../../../support/driver/processes.ts';

const agents = ({home}: Chat) =>
  processesOf(home).filter(({command}) => /^\S+ \S+\/fake-agent\.js/.test(command)).length;

async function leaderKey(chat: Chat, key: string): Promise<void> {
  chat.press('ctrl+x');
  await chat.sees('switch to the open session of that number');
  chat.type(key);
}

test('two sessions share one agent: both work at once, one is closed, and after a crash one restart restores both', async () => {
  const chat = await openReady({
    agent: fakeAgent('together', 'load', 'close'),
    columns: 100,
    ownProcess: true,
  });
  chat.type('wait\r');
  await chat.hasSeen(/session-1-in-project-\d+ waits/);
  await leaderKey(chat, 'n');
  await chat.sees('2/2 ');
  chat.type('meanwhile\r');
  await chat.hasSeen(/session-2-in-project-\d+ heard meanwhile/);
  expect(agents(chat)).toBe(1);
  await leaderKey(chat, 'n');
  await chat.sees('3/3 ');
  chat.type('release\r');
  await chat.hasSeen(/session-3-in-project-\d+ heard release/);
  chat.type('/close\r');
  await chat.sees(/[12]\/2 /);
  await leaderKey(chat, '2');
  await chat.sees('2/2 ');
  chat.type('die\r');
  await selectHighlighted(chat, 'The agent stopped');
  await chat.noLongerSees('The agent stopped');
  await leaderKey(chat, '1');
  await chat.sees('1/2 ');
  chat.type('again\r');
  await chat.hasSeen(/session-1-in-project-\d+ heard again/);
  expect(agents(chat)).toBe(1);
});
