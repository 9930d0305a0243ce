import {chmodSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {
  fakeAgent,
  openChat,
  openReady,
  READY,
  temporaryFolder,
  untilTurnsEnd,
  promptWith,
  say,
  selectHighlighted,
} from '../../../support/driver/chat.ts';

test('a prompt sent while the agent starts is sent once it has started', async () => {
  const chat = openChat({agent: fakeAgent('slow-start', '1500')});
  await chat.sees('Starting… messages are queued');
  chat.type('first prompt\r');
  await chat.sees('then  first prompt');
  chat.type('second prompt\r');
  await chat.sees(/^ {8}second prompt/m);
  chat.type('a draft');
  await untilTurnsEnd(chat, 2);
  await chat.hasSeen(/▌ first prompt\n\n {2}first prompt\n.+\n\n▌ second prompt\n\n {2}second prompt/);
  await chat.sees(promptWith('a draft'));
  await expect.poll(() => chat.screen()).not.toContain('queued');
});

test.each([
  ['a command that does not exist', 'no-such-agent --acp', /"no-such-agent" not found/],
  ['a file that does not exist', '/nowhere/agent', /"\/nowhere\/agent" not found\.\n.*No such file/],
  ['a program that prints its usage', fakeAgent('not-acp'), /does not speak the Agent Client Protocol/],
  ['a program that echoes', fakeAgent('cat'), /does not speak the Agent Client Protocol/],
  [
    'a program that exits',
    fakeAgent('exits-early'),
    /exited before the session started \(exit code 3\)\.\n.*FAKE_API_KEY is not set/,
  ],
  ['another protocol version', fakeAgent('version-2'), /speaks ACP version 2; acp-tui speaks version 1/],
  ['a rejected session', fakeAgent('error-session'), /cannot read \/etc\/fake\.conf/],
])('%s is reported, with what to do', async (_name, agent, sentence) => {
  const chat = openChat({agent, columns: 140});
  await chat.hasSeen(sentence);
  await chat.sees('The agent could not be started');
  await chat.sees('❯ Try again');
});

test('a file that is not executable is reported as such', async () => {
  const file = path.join(temporaryFolder('agent'), 'agent.sh');
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o644);
  const chat = openChat({agent: file, columns: 140});
  await chat.hasSeen(/Cannot run the agent command ".*agent\.sh"\.\n.*not an executable file\.\n.*chmod \+x/);
});

test('an agent that never answers is waited for with a prompt, given up and reported', async () => {
  const chat = openChat({agent: fakeAgent('silent', 'set KEY first'), env: {ACP_TUI_START_SECONDS: '7'}});
  await chat.sees('Starting… messages are queued');
  await chat.sees('Waiting for fake-agent.js to answer…');
  await chat.sees(/Waiting for fake-agent\.js to answer… \d+ s/);
  await chat.sees(/has not answered initialize\. It printed: set KEY first\. Wait, or press Esc/);
  await chat.hasSeen('The agent did not answer initialize within 7 seconds.');
  await chat.hasSeen('Last output: set KEY first');
  await chat.sees('❯ Try again');
});

test('an agent that failed to start is restarted from the list, and the prompt is sent', async () => {
  const mark = path.join(temporaryFolder('mark'), 'started');
  const chat = openChat({agent: fakeAgent('fails-once', mark)});
  chat.type('hello\r');
  await chat.hasSeen('the first start fails');
  await chat.sees(/^ {2}(?:then|paused) {2}hello/m);
  await selectHighlighted(chat, '❯ Try again');
  await chat.sees(READY);
  await chat.sees(/^ {2}(?:then|paused) {2}hello/m);
  chat.press('enter');
  await untilTurnsEnd(chat);
  await chat.hasSeen(/▌ hello\n\n {2}hello\n/);
});

test('typing while the resume list would open goes into the prompt', async () => {
  const chat = openChat({agent: fakeAgent('exits-early')});
  for (const letter of 'a long thought ') chat.type(letter);
  await chat.hasSeen('exited before the session started');
  chat.type('goes on');
  await chat.sees('a long thought goes on');
  await expect.poll(() => chat.screen()).not.toContain('Try again');
});

test("an agent's first lines that are no messages are not shown", async () => {
  const chat = await openReady({agent: fakeAgent('banner')});
  await say(chat, 'hello');
  expect(chat.history()).not.toContain('Loading configuration');
  expect(chat.history()).not.toContain('session ready');
});

test('a prompt on the command line is sent first', async () => {
  const chat = openChat({agent: fakeAgent('echo'), args: ['say this']});
  await untilTurnsEnd(chat);
  await chat.hasSeen(/▌ say this\n\n {2}say this\n/);
});

test("Node's own warning of certificates that it cannot load stays above the screen", async () => {
  const chat = await openReady({agent: 'demo', env: {NODE_EXTRA_CA_CERTS: '/nonexistent'}, ownProcess: true});
  const at = chat.raw.indexOf('Warning: Ignoring extra certs');
  expect(at).toBeGreaterThan(-1);
  expect(at).toBeLessThan(chat.raw.indexOf('╭'));
});

test('without an agent the demo agent answers once the list of agents is closed', async () => {
  const chat = openChat({env: {ACP_TUI_AGENT: ''}});
  await chat.sees('Esc demo');
  chat.press('escape');
  await chat.sees(READY);
  chat.type('hi\r');
  await chat.hasSeen('There is no model behind me');
});
