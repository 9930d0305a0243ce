import {expect, test} from 'vitest';
import {
  fakeAgent,
  openChat,
  openReady,
  promptWith,
  READY,
  untilTurnsEnd,
  say,
  runCommand,
  selectHighlighted,
  newHome,
  writeSettings,
} from '../../../support/driver/chat.ts';
import {ASKS} from '../../../support/driver/request-texts.ts';
import {storedUnsentText} from '../../../support/driver/stored.ts';

/** A home and a folder in which one chat can find what another one left. */
function place() {
  const home = newHome();
  return {home, cwd: `${home}/project`, columns: 100, agent: 'demo'};
}

test('after kill -9 the session is offered, resumes with its transcript, and accepts a prompt', async () => {
  const where = place();
  const first = await openReady({...where, ownProcess: true});
  await say(first, 'remember me');
  first.signal('SIGKILL');
  await first.ended();

  const second = openChat(where);
  await second.sees('A session of this folder was interrupted');
  await selectHighlighted(second, '❯ Resume it');
  await second.hasSeen('▌ remember me');
  await second.sees(READY);
  await expect.poll(() => second.history().match(/▌ remember me/g)).toHaveLength(1);
  second.type('and more\r');
  await second.hasSeen('▌ and more');
  await untilTurnsEnd(second, 2);
});

test('a title that several sessions have lists them', async () => {
  const where = place();
  for (const prompt of ['first words', 'other words']) {
    const chat = await openReady(where);
    await say(chat, prompt);
    await runCommand(chat, '/rename the flaky test');
    chat.press('ctrl+d');
    await chat.ended();
  }
  const chat = openChat({...where, args: ['-r', 'The flaky test']});
  await chat.sees('Filter: The flaky test');
  await chat.sees(/2 of 2[^]*❯ the flaky test[^]*\n {2}the flaky test/);
});

test('after kill -9 in a turn its prompt is offered in the resumed session, and not sent by itself', async () => {
  const where = place();
  const first = await openReady({...where, ownProcess: true});
  await say(first, 'remember me');
  first.type('/edit\r');
  await first.sees(ASKS);
  first.signal('SIGKILL');
  await first.ended();

  const second = openChat({...where, args: ['--continue']});
  await second.sees('The last prompt was interrupted');
  await second.sees('“/edit” The agent may have done part of it.');
  await second.hasSeen('▌ /edit');
  await expect.poll(() => second.history().match(/▌ \/edit/g)).toHaveLength(1);
  await selectHighlighted(second, '“/edit” The agent may have done part of it.');
  await second.hasSeen(ASKS);
});

test('after kill -9 in a turn with a draft, Enter shows the options that the line names, and keeps the draft', async () => {
  const where = place();
  const first = await openReady({...where, ownProcess: true});
  await say(first, 'remember me');
  first.type('/edit\r');
  await first.sees(ASKS);
  first.type('half a thought');
  await first.until(() => storedUnsentText(first).includes('half a thought'), 'the draft to be stored');
  first.signal('SIGKILL');
  await first.ended();

  const second = openChat({...where, args: ['--continue']});
  await second.sees(promptWith('half a thought'));
  await second.sees('The last prompt was interrupted · Enter show options');
  second.press('enter');
  await selectHighlighted(second, '“/edit” The agent may have done part of it.');
  await second.sees(ASKS);
  await second.sees(promptWith('half a thought'));
  expect(second.history()).not.toContain('▌ half a thought');
});

test('after kill -9 in a first turn unknown to the agent, --continue shows it and sends it to a new session', async () => {
  const where = place();
  const first = await openReady({...where, ownProcess: true});
  first.type('/edit\r');
  await first.sees(ASKS);
  first.signal('SIGKILL');
  await first.ended();

  const second = openChat({...where, args: ['--continue']});
  await second.sees('The agent no longer has this session');
  await second.hasSeen('Interrupted before the turn ended.');
  await selectHighlighted(second, 'The agent no longer has this session');
  await second.hasSeen('User: /edit');
});

test('a turn that another window is still running is not offered again', async () => {
  const where = place();
  const first = await openReady({...where, ownProcess: true});
  await say(first, 'remember me');
  first.type('/edit\r');
  await first.sees(ASKS);

  const second = openChat({...where, args: ['--continue']});
  await second.hasSeen('The turn is still running in the original session.');
  await second.hasSeen('This session is open twice');
  await second.sees(READY);
  second.type('go on here\r');
  await second.hasSeen('▌ go on here');
  await untilTurnsEnd(second, 3);
  expect(second.history()).not.toContain('was interrupted');
  await expect.poll(() => first.screen()).toMatch(ASKS);
});

test('a window started with npm start names the command that resumes its session', async () => {
  const chat = await openReady({
    ...place(),
    env: {npm_lifecycle_event: 'start', npm_package_name: 'acp-tui'},
  });
  await say(chat, 'hello');
  await runCommand(chat, '/quit');
  await chat.ended();
  await chat.hasSeen(/To resume this session: npm start -- -r \w{10}/);
});

test('--continue resumes the newest session, and the list any of them', async () => {
  const where = place();
  const first = await openReady(where);
  await say(first, 'about parsers');
  await runCommand(first, '/new');
  await first.hasSeen('New session.');
  await first.sees(READY);
  await say(first, 'about the sky', 2);
  first.type('!echo own-$((40 + 2))\r');
  await first.hasSeen('own-42');
  await first.sees(READY);
  await runCommand(first, '/quit');
  await first.ended();
  await first.hasSeen(/To resume this session: acp-tui -r \w{10}/);

  const second = await openReady({...where, args: ['--continue']});
  await second.hasSeen('▌ about the sky');
  await second.hasSeen('own-42');
  expect(second.history()).not.toContain('about parsers');
  await runCommand(second, '/resume');
  await second.sees('Sessions of this folder');
  await second.sees('about parsers');
  second.type('pars');
  await second.sees('Filter: pars');
  await second.sees('> about parsers');
  second.press('enter');
  await second.hasSeen('▌ about parsers');
  await second.sees('2/2 Demo agent');
  second.press('ctrl+x');
  await second.sees('switch to the open session of that number');
  second.type('1');
  await second.sees('1/2 Demo agent');
  second.type('/quit\r');
  await second.ended();
  await second.hasSeen(
    /To resume these sessions:\s+acp-tui -r \w{10} {2}about the sky\s+acp-tui -r \w{10} {2}about parsers/,
  );
});

test('Ctrl+A lists sessions of other agents, and Enter resumes one with its agent', async () => {
  const where = place();
  const command = fakeAgent('lists', 'Other', '1', 'well', where.cwd);
  writeSettings(where.home, {agents: {other: {command}, gone: {command: '/no/such/program'}}});
  const chat = await openReady(where);
  await runCommand(chat, '/resume');
  await chat.sees('Ctrl+A all agents');
  chat.press('ctrl+a');
  await chat.sees('Other: 1');
  await chat.sees('gone: ');
  await chat.sees('❯ Other 0');
  chat.press('enter');
  await chat.sees('Resume "Other 0" in other folders?');
  await chat.sees('/more');
  await chat.sees("❯ Don't resume it");
  chat.press('down');
  await chat.sees('❯ Resume it in');
  chat.press('enter');
  await chat.sees(/╰─ Other ─+ project/);
  await chat.sees(READY);
});

test('a session that is restored is in the list again, from where it was restored', async () => {
  const where = place();
  const first = await openReady(where);
  await say(first, 'about parsers');
  await runCommand(first, '/quit');
  await first.ended();

  const chat = await openReady(where);
  await runCommand(chat, '/resume');
  await chat.sees('❯ about parsers');
  chat.press('ctrl+d');
  await chat.sees('Deleted; /resume restores it (→).');
  await chat.noLongerSees('❯ about parsers');
  chat.press('right');
  await chat.sees('❯ Restore the session deleted last');
  chat.press('enter');
  await chat.sees('❯ about parsers');
});

test('--resume without a match exits with code 4', async () => {
  const chat = openChat({...place(), args: ['--resume', 'nothing']});
  expect(await chat.ended()).toBe(4);
});
