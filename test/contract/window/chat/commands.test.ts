import {test} from 'vitest';
import {
  fakeAgent,
  openChat,
  openReady,
  READY,
  say,
  runCommand,
  selectHighlighted,
} from '../../../support/driver/chat.ts';

test.each([
  ['/help', '─ Help'],
  ['/status', /Command +fake-agent\.js/],
  ['/plan', 'No plan yet.'],
])('%s shows a page that Esc closes', async (command, content) => {
  const chat = await openReady({agent: fakeAgent('echo')});
  chat.type(`${command}\r`);
  await chat.sees(content);
  chat.press('escape');
  await chat.noLongerSees(content);
});

test("/status log shows the agent's stderr", async () => {
  const chat = await openReady({agent: fakeAgent('flood', '1000', ' ', 'counted')});
  await say(chat, 'go');
  chat.type('/status log\r');
  await chat.sees(/The agent's stderr output ─+\n\d+\n/);
});

test('/config shows and changes the options of the session', async () => {
  const chat = await openReady({agent: fakeAgent('config-options')});
  chat.type('/config\r');
  await chat.sees('Web search: off');
  chat.type('web');
  await chat.sees('❯ Web search');
  chat.press('enter');
  await chat.sees('❯ Web search: on');
  chat.press('escape');
  await chat.noLongerSees('❯ Web search');
  chat.type('/options effort low');
  await chat.sees('/options effort low');
  chat.press('enter');
  await chat.sees(READY);
  await say(chat, 'tell');
  await chat.hasSeen('"effort":"low","web":true');
});

test('/permissions changes the auto-approve level', async () => {
  const chat = await openReady({agent: fakeAgent('permission')});
  chat.type('/permissions all\r');
  await chat.sees('auto-approve all');
  await say(chat, 'go');
  await chat.hasSeen('"optionId":"yes"');
});

test('/new opens another session, and keeps what is on the screen', async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  await say(chat, 'before', 1);
  await runCommand(chat, '/new');
  await chat.noLongerSees('/new');
  await chat.sees(READY);
  await say(chat, 'after', 2);
  await chat.hasSeen(/▌ before\n[^]*▌ after\n/);
  chat.type('/status\r');
  await chat.sees(/Session +session-2/);
});

test('an agent that requires a sign-in gets it from the list, and the prompt is sent', async () => {
  const chat = openChat({agent: fakeAgent('auth')});
  await chat.sees('Sign in to continue');
  await selectHighlighted(chat, '❯ 1. Access token');
  await chat.sees(READY);
  await say(chat, 'hello');
});

test('a failing sign-in is reported and offered again', async () => {
  const chat = openChat({agent: fakeAgent('auth')});
  await chat.sees('❯ 1. Access token');
  chat.press('down');
  await selectHighlighted(chat, '❯ 2. Broken sign-in');
  await chat.hasSeen('sign-in failed');
});
