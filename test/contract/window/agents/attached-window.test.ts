import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {git, writeFiles} from '../../../support/folders/snapshot-folder.ts';
import {worktreesIn} from '../../../support/folders/worktree-repository.ts';
import {newHome, openChat, READY, say} from '../../../support/driver/chat.ts';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {runHere} from '../../../support/program/run-program.ts';
import {quoteWords} from '../../../../src/text/shell-quote.ts';
import {takeLock} from '../../../../src/service/lock.ts';
import {attachSession} from '../../../../src/service/attached-session.ts';
import {findService} from '../../../../src/service/service-client.ts';
import {servicePlace} from '../../../../src/service/socket-place.ts';
import {FIRST, openWindowIn} from '../../conversation/open-window.ts';
import {environmentOf} from '../../sandbox/started/place.ts';
import {asks, openService, orThrow} from '../../service/open-service.ts';
import {startServiceHere} from '../../service/service-here.ts';

const SCRIPT: Script = {
  initialize: {agentInfo: {name: 'Spy', version: '1.0.0'}, agentCapabilities: {loadSession: true}},
  turns: [[]],
};
const SPY = quoteWords([process.execPath, FAKE_AGENT, 'script', JSON.stringify(SCRIPT)]);

/** A home whose background service runs in the process of the test. */
async function homeWithService(settings: object = {}) {
  const home = newHome(settings);
  const cwd = join(home, 'project');
  mkdirSync(cwd);
  const env = environmentOf(home);
  await startServiceHere(join(home, '.local/state/acp-tui'), env);
  const run = async (folder: string, ...args: string[]) => {
    const {exitCode, stdout, stderr} = await runHere(args, {cwd: folder, env});
    expect({exitCode, stderr}).toMatchObject({exitCode: 0});
    return stdout || stderr;
  };
  const attach = () => openChat({home, cwd: temporaryFolder(), columns: 100, args: ['attach']});
  return {home, cwd, run, attach};
}

test('a window on a session that was resumed in the background starts others with its agent, in its folder', async () => {
  const {cwd, run, attach} = await homeWithService();
  const id = (await run(cwd, '-b', '--wait', '--agent', SPY, 'go')).trim();
  await run(cwd, 'sessions', 'stop', id);
  await run(temporaryFolder(), '-b', '-r', id);
  const chat = attach();
  await chat.sees(READY);
  chat.press('ctrl+x');
  chat.type('b');
  await chat.sees('Spy · ');
  chat.type('hello\r');
  await chat.sees(/2\/2 Spy ─+ project/);
});

test('a session is shown also if a folder or a file of its command line is gone, and says which folder', async () => {
  const {cwd, run, attach} = await homeWithService();
  const [more, servers] = [join(cwd, 'more'), join(cwd, 'servers.json')];
  mkdirSync(more);
  writeFileSync(servers, '{"mcpServers": {}}');
  await run(cwd, '-b', '--agent', SPY, '--add-dir', more, '--mcp-config', servers);
  rmSync(more, {recursive: true});
  rmSync(servers);
  const chat = attach();
  await chat.sees(READY);
  await chat.sees(/more,\s+another folder/);
});

test('sessions are in the background, as set, once the question about the settings of the folder is answered', async () => {
  const {home, cwd} = await homeWithService({background: 'on'});
  writeFileSync(join(cwd, '.acp-tui.json'), '{"permissions": {"deny": ["any .env"]}}');
  const service = orThrow(await findService(join(home, '.local/state/acp-tui')));
  onTestFinished(() => service?.close());
  const inBackground = async () => (await service?.list())?.length;
  const chat = openChat({home, cwd, columns: 100, rows: 40, agent: SPY});
  await chat.sees('Trust the settings of the folder project?');
  await chat.sees('why am I asked');
  chat.press('escape');
  await chat.sees('Tab answer');
  chat.press('tab');
  await chat.sees('why am I asked');
  expect(await inBackground()).toBe(0);
  chat.type('1');
  await chat.sees('are used; /permissions');
  await say(chat, 'hello');
  chat.press('ctrl+x');
  chat.type('n');
  await chat.sees('2/2 Spy');
  await expect.poll(inBackground).toBe(1);
});

test.each([
  ['stored', []],
  ['not stored', ['--no-save']],
])('a session in the background that is %s is removed with its worktree', async (_, options) => {
  const {home, cwd, run, attach} = await homeWithService();
  git(cwd, 'init', '-q', '-b', 'main');
  writeFiles(cwd, {'a.txt': 'a\n'});
  git(cwd, 'add', '.');
  git(cwd, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-qm', 'first');
  await run(cwd, '-b', '-w', 'fix', ...options, '--agent', SPY, 'go');
  const {fix: folder = ''} = worktreesIn(join(home, '.local/share/acp-tui-worktrees'));
  expect(existsSync(folder)).toBe(true);
  const chat = attach();
  await chat.sees(READY);
  chat.type('/worktree remove\r');
  await chat.sees('Removed the worktree fix.');
  expect(existsSync(folder)).toBe(false);
  // Its session, which ends with it, has not written down that it was there.
  expect(await run(cwd, 'worktrees', '--json')).not.toContain('fix');
});

test('Ctrl+X a shows the session that has waited longest of those that can be shown here, once', async () => {
  const {start, attach: show, client, state} = await openService({turns: [asks('it')]});
  const elsewhere = await start('the first');
  await (await show(elsewhere)).until(({pending}) => pending.length > 0);
  const id = await start('the second');
  await (await show(id)).until(({pending}) => pending.length > 0);
  const none = {ok: true, value: undefined} as const;
  const background = {
    start: () => undefined,
    // It waits in another window.
    attach: async ({id: wanted}: {id: string}) =>
      wanted === elsewhere ? none : attachSession(await client(), wanted, state),
    running: async () => undefined,
    reach: async () => none,
    resume: async () => none,
    resumeAtEnd: () => undefined,
  };
  const window = await openWindowIn({state, background}, 'echo');
  await window.converse(FIRST, 'one');
  window.sessions.perform({kind: 'show_waiting'});
  window.sessions.perform({kind: 'show_waiting'});
  await window.until(({active}) => active !== FIRST);
  const {active} = window.store.latest();
  expect(window.session(active)?.session.pending).toHaveLength(1);
  window.sessions.perform({kind: 'show_waiting'});
  await window.until(({toast}) => toast?.text.includes('in another window') === true);
  expect(Object.keys(window.store.latest().sessions)).toEqual([FIRST, active]);
});

test('a session in the background that asks something is reported in every window, as long as none shows it', async () => {
  const {home, cwd, run} = await homeWithService();
  const lock = takeLock(orThrow(servicePlace(join(home, '.local/state/acp-tui'))).lock);
  onTestFinished(() => lock?.release());
  const asking = quoteWords([
    process.execPath,
    FAKE_AGENT,
    'script',
    JSON.stringify({...SCRIPT, turns: [asks('a')]}),
  ]);
  const chat = openChat({home, cwd: temporaryFolder(), columns: 120, agent: SPY});
  await chat.sees(READY);
  await run(cwd, '-b', '--agent', asking, 'go');
  await chat.sees('! 1 in the background needs you (Ctrl+X a)');
  expect({title: chat.title, bells: chat.bells}).toEqual({
    title: expect.stringMatching(/^1 in the background needs you \(Ctrl\+X a\) · /),
    bells: 1,
  });
  chat.press('ctrl+x');
  chat.type('a');
  await chat.sees('Run a');
  await expect.poll(() => chat.title).toMatch(/^Needs you/);
  await run(cwd, '-b', '--agent', asking, 'go');
  const other = openChat({home, cwd: temporaryFolder(), columns: 120, agent: SPY});
  await other.sees('! 1 in the background needs you (Ctrl+X a)');
});
