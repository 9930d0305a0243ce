import {expect, test} from 'vitest';
import {
  fakeAgent,
  openChat,
  openReady,
  READY,
  untilTurnsEnd,
  promptWith,
} from '../../../support/driver/chat.ts';

test('/ lists commands, typing filters them, and Tab completes', async () => {
  const chat = await openReady({agent: 'demo'});
  chat.type('/');
  await chat.sees('❯ /help');
  chat.type('app');
  await chat.sees(/❯ \/approve .*What is auto-approved/);
  expect(chat.screen()).not.toContain('/help');
  chat.press('tab');
  await chat.sees(promptWith('/approve [none|reads|edits|all]'));
  await chat.sees(/❯ \/approve none +\(now\)/);
});

test("the agent's commands are listed with their hints, and sent as text", async () => {
  const chat = await openReady({agent: 'demo'});
  chat.type('/rea');
  await chat.sees(/❯ \/read .*Reads a file through the client/);
  chat.press('ctrl+u');
  chat.type('/markdown\r');
  await untilTurnsEnd(chat);
  await chat.hasSeen('▌ /markdown');
});

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

test("/log shows the agent's stderr", async () => {
  const chat = await openReady({agent: fakeAgent('stubborn')});
  chat.type('/log\r');
  await chat.sees(/"daemon":\d+/);
});

test('/mode lists the modes, and accepts one by name', async () => {
  const chat = await openReady({agent: fakeAgent('modes')});
  chat.type('/mode\r');
  await chat.sees(/❯ Ask \(now\) +Asks before every change/);
  chat.press('down', 'enter');
  await chat.sees(/Fake agent · (?:[^─]*· )?Code ─/);
  chat.type('/mode ask\r');
  await chat.sees(/Fake agent · (?:[^─]*· )?Ask ─/);
  chat.type('/mode nothing\r');
  await chat.sees('Unknown mode "nothing". Available: ask, code, locked.');
});

test('/model lists the models in groups, and accepts one by name', async () => {
  const chat = await openReady({agent: fakeAgent('config-options')});
  chat.type('/model\r');
  await chat.sees(/Fast\n +Small[^]*Best\n❯ Large \(now\)/);
  chat.type('quick');
  await chat.sees('❯ Small');
  chat.press('enter');
  await chat.sees('· Small ·');
  chat.type('/model large\r');
  await chat.sees('· Large ·');
});

test('a picker filters 384 models while typing', async () => {
  const chat = await openReady({agent: fakeAgent('many-models', '384')});
  chat.type('/model\r');
  await chat.sees('❯ Model 0 (now)');
  chat.press('end');
  await chat.sees('❯ Model 383');
  chat.type('model 217');
  await chat.sees('❯ Model 217');
  expect(chat.screen()).not.toContain('Model 383');
  chat.press('enter');
  await chat.sees('· Model 217 ─');
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
  await chat.noLongerSees('Web search: on');
  chat.type('/options effort low');
  await chat.sees('/options effort low');
  chat.press('enter');
  await chat.sees(READY);
  chat.type('tell\r');
  await untilTurnsEnd(chat);
  await chat.hasSeen('"effort":"low","web":true');
});

test('/approve changes the auto-approve level', async () => {
  const chat = await openReady({agent: fakeAgent('permission')});
  chat.type('/approve all\r');
  await chat.sees('auto-approve all');
  chat.type('go\r');
  await untilTurnsEnd(chat);
  await chat.hasSeen('"optionId":"yes"');
});

test('/retry resends the last prompt', async () => {
  const chat = await openReady({agent: fakeAgent('error-details')});
  chat.type('/retry\r');
  await chat.sees('No prompt sent yet.');
  chat.press('ctrl+u');
  chat.type('try it\r');
  await chat.hasSeen('quota exceeded');
  await untilTurnsEnd(chat, 1);
  chat.type('/retry\r');
  await untilTurnsEnd(chat, 2);
  expect(chat.history().match(/▌ try it/g)).toHaveLength(2);
  await chat.hasSeen('trying again');
});

test('/new opens another session, and keeps what is on the screen', async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  chat.type('before\r');
  await untilTurnsEnd(chat, 1);
  chat.type('/new');
  await chat.sees('❯ /new');
  chat.press('enter');
  await chat.noLongerSees('/new');
  await chat.sees(READY);
  chat.type('after\r');
  await untilTurnsEnd(chat, 2);
  await chat.hasSeen(/▌ before\n[^]*▌ after\n/);
  chat.type('/status\r');
  await chat.sees(/Session +session-2/);
});

test("an unknown command is sent as text, and // sends a command that acp-tui's would hide", async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  chat.type('/usr/bin is a folder\r');
  await untilTurnsEnd(chat);
  await chat.hasSeen(/▌ \/usr\/bin is a folder\n\n {2}\/usr\/bin is a folder/);
});

test('an agent that requires a sign-in gets it from the list, and the prompt is sent', async () => {
  const chat = openChat({agent: fakeAgent('auth')});
  await chat.sees('Sign in to continue');
  await chat.sees('❯ 1. Access token');
  await chat.typeWhileItSees('\r', '❯ 1. Access token');
  await chat.sees(READY);
  chat.type('hello\r');
  await untilTurnsEnd(chat);
});

test('a failing sign-in is reported and offered again', async () => {
  const chat = openChat({agent: fakeAgent('auth')});
  await chat.sees('❯ 1. Access token');
  chat.press('down');
  await chat.sees('❯ 2. Broken sign-in');
  await chat.typeUntilItSees('\r', 'sign-in failed');
});
