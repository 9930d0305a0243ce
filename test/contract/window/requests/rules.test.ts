import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {openReady, untilTurnsEnd, newHome, writeSettings} from '../../../support/driver/chat.ts';
import {askToRun, openPuppet} from '../../../support/driver/puppet.ts';

const LIT = 'why am I asked';

/** A home with these rules, and a project in it. */
function homeWith(permissions: object): string {
  return newHome({permissions});
}

test('rules of the settings answer, say so, and are explained', async () => {
  const home = homeWith({allow: ['execute npm test*'], deny: ['execute rm *']});
  const chat = await openPuppet({home, rows: 40});
  await chat.begin();
  chat.report(askToRun('npm test -- -u', 'one'));
  await chat.sees('one: yes');
  chat.report(askToRun('ls && rm -rf build', 'two'), {end: 'end_turn'});
  await untilTurnsEnd(chat);
  await chat.hasSeen('allowed by rule execute npm test* in config.json');
  await chat.hasSeen('rejected by rule execute rm * in config.json');
  chat.type('/permissions\r');
  await chat.sees('rejected by rule: execute rm * (user): ls && rm -rf build');
  chat.press('up');
  chat.press('enter');
  await chat.sees('Allowed by rule: execute npm test* (user)');
  chat.press('escape');
  chat.type('/permissions log\r');
  await chat.sees('session/request_permission');
});

test('rules of the command line hold for the run, below those of the settings', async () => {
  const home = homeWith({deny: ['execute npm test evil*']});
  const args = ['--allow', 'execute npm test*', '--deny', 'execute rm *', '--approve', 'all'];
  const chat = await openPuppet({home, rows: 40, args});
  await chat.begin();
  chat.report(askToRun('npm test -- -u', 'one'));
  await chat.sees('one: yes');
  chat.report(askToRun('npm test evil', 'two'));
  chat.report(askToRun('ls && rm -rf build', 'three'), {end: 'end_turn'});
  await untilTurnsEnd(chat);
  await chat.hasSeen('allowed by rule execute npm test* on the command line');
  await chat.hasSeen('rejected by rule execute npm test evil* in config.json');
  await chat.hasSeen('rejected by rule execute rm * on the command line');
  chat.type('/permissions\r');
  await chat.sees('Rules of this run');
});

test('an offered rule allows now, and from then on without asking', async () => {
  const chat = await openPuppet({rows: 40});
  await chat.begin();
  chat.type('x');
  chat.report(askToRun('npm test', 'one'));
  await chat.sees('Tab answer');
  chat.press('tab');
  await chat.sees('Always allow, as a rule: execute npm test');
  await chat.sees(LIT);
  chat.type('p');
  await chat.sees('one: yes');
  await chat.sees('Rule added: allow execute npm test.');
  chat.report(askToRun('npm test', 'two'), {end: 'end_turn'});
  await chat.sees('allowed by rule execute npm test in config.json');
  await untilTurnsEnd(chat);
  const config = readFileSync(path.join(chat.home, '.config/acp-tui/config.json'), 'utf8');
  expect(JSON.parse(config).permissions).toEqual({allow: ['execute npm test']});
  const audit = path.join(chat.home, '.local/state/acp-tui/audit');
  const [file] = readdirSync(audit);
  expect(readFileSync(path.join(audit, file!), 'utf8')).toContain('"key":"p"');
});

test('an offered rule that cannot be saved allows this time, says so, and the other rules stay', async () => {
  const chat = await openPuppet({home: homeWith({deny: ['execute curl*']}), rows: 40});
  await chat.begin();
  const permissions = {allow: 'execute npm test', deny: 'execute curl*'};
  writeSettings(chat.home, {permissions});
  chat.type('x');
  chat.report(askToRun('npm test', 'one'));
  await chat.sees('Tab answer');
  chat.press('tab');
  await chat.sees(LIT);
  chat.type('p');
  await chat.sees('one: yes');
  await chat.hasSeen('The rule "execute npm test" was not saved.');
  chat.report(askToRun('curl evil', 'two'), {end: 'end_turn'});
  await chat.hasSeen('rejected by rule execute curl* in config.json');
  await untilTurnsEnd(chat);
  const config = readFileSync(path.join(chat.home, '.config/acp-tui/config.json'), 'utf8');
  expect(JSON.parse(config).permissions).toEqual(permissions);
});

test('project settings apply once trusted, and are asked about again when they change', async () => {
  const home = newHome();
  const cwd = path.join(home, 'project');
  mkdirSync(cwd);
  const file = path.join(cwd, '.acp-tui.json');
  writeFileSync(file, '{"permissions":{"deny":["execute rm *"]}}');
  const first = await openPuppet({home, cwd, rows: 40});
  await first.sees('acp-tui asks');
  await first.sees(LIT);
  // Focused again on purpose, it has the focus at once.
  first.press('escape');
  await first.sees('Tab answer');
  first.press('tab');
  await first.sees(LIT);
  first.type('1');
  await first.sees('are used; /permissions');
  await first.begin();
  first.report(askToRun('rm -rf build'), {end: 'end_turn'});
  await untilTurnsEnd(first);
  await first.hasSeen('rejected by rule execute rm * in .acp-tui.json');

  const second = await openReady({home, cwd, agent: 'demo', rows: 40});
  second.type('/permissions\r');
  await second.sees('deny execute rm *');
  expect(second.history()).not.toContain('acp-tui asks');

  writeFileSync(file, '{"permissions":{"allow":["any"]}}');
  const third = await openReady({home, cwd, agent: 'demo', args: ['say hello'], rows: 40});
  await third.sees('acp-tui asks');
  await third.sees('allow any');
  // The command-line prompt waits for the answer.
  await third.sees('say hello');
  expect(third.history()).not.toContain('Working');
  await third.sees(LIT);
  third.press('escape');
  await third.sees('Tab answer');
  third.press('tab');
  await third.sees(LIT);
  third.type('2');
  await third.sees('are not used');
  await third.hasSeen('show one thing each');
  await untilTurnsEnd(third);
  third.type('/permissions log\r');
  await third.sees(/rejected by you: Trust the settings[^]*\(trust,\s+key\s+2\)/);
});
