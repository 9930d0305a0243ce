import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {quoteWords} from '../../../../src/text/shell-quote.ts';
import {fakeAgent, openReady, promptWith} from '../../../support/driver/chat.ts';
import {DEMO} from '../../../support/driver/lend-process.ts';
import {contentIn, worktreeRepository, worktreesIn} from '../../../support/folders/worktree-repository.ts';

/** A window in a repository, with the agents `one` and `two`. */
async function openInRepository(others: Readonly<Record<string, string>> = {}) {
  const {source, scratch, read, write} = worktreeRepository();
  const agent = {command: quoteWords([DEMO.command, ...DEMO.args])};
  const config = path.join(scratch, '.config/acp-tui');
  mkdirSync(config, {recursive: true});
  const named = Object.entries(others).map(([name, command]) => [name, {command}]);
  const agents = {one: agent, two: agent, gone: {command: 'no-such-program'}, ...Object.fromEntries(named)};
  writeFileSync(
    path.join(config, 'config.json'),
    JSON.stringify({agents, approve: 'edits', snapshots: {take: false}}),
  );
  const chat = await openReady({
    agent: 'demo',
    cwd: source,
    home: scratch,
    rows: 40,
    columns: 140,
  });
  const worktrees = () => worktreesIn(path.join(scratch, '.local/share/acp-tui-worktrees'));
  return {chat, read, write, worktrees};
}

test('agents are compared in sessions of their own, and what one did is brought back from its session', async () => {
  const {chat, read, worktrees} = await openInRepository();
  chat.type('/compare --check "test -f acp-tui-demo.md" one,two /edit\r');
  await chat.sees('What the agents did');
  expect(chat.screen()).toMatch(/one +done +check passed +1 file/);
  expect(chat.screen()).toMatch(/two +done +check passed +1 file/);
  const {'two-edit': folder = ''} = worktrees();
  expect(contentIn(folder, 'acp-tui-demo.md')).toBeDefined();
  chat.press('escape');
  await expect.poll(() => chat.screen()).not.toContain('What the agents did');
  chat.type('/compare\r');
  await chat.sees('What the agents did');
  chat.press('down');
  chat.press('enter');
  await chat.sees('acp-tui/two-edit');
  chat.type('/worktree apply\r');
  await chat.sees('Applied 1 file');
  expect(read('acp-tui-demo.md')).toBeDefined();
});

test('no agent is started if one of them is missing, and names are completed', async () => {
  const {chat, worktrees} = await openInRepository();
  chat.type('/compare one,g');
  await chat.sees('gone');
  chat.type('one hello\r');
  await chat.sees('Agent command "no-such-program" not found');
  expect(worktrees()).toEqual({});
  chat.type('/compare one hello\r');
  await chat.sees('Usage: /compare claude,codex <prompt>');
});

test('an agent that has finished is listed while another works, whose prompt can be taken back', async () => {
  const slow = fakeAgent('script', JSON.stringify({opening: [{received: 'never'}]}));
  const {chat} = await openInRepository({slow});
  chat.type('/compare one,slow hello\r');
  await chat.hasSeen('one has finished: /compare shows what it did.');
  chat.type('/compare\r');
  await chat.sees('What the agents did');
  expect(chat.screen()).toMatch(/❯ one +done/);
  expect(chat.screen()).not.toMatch(/slow +(?:done|failed)/);
  chat.press('escape');
  await expect.poll(() => chat.screen()).not.toContain('What the agents did');
  chat.press('ctrl+x');
  await chat.sees('switch to the open session of that number');
  chat.type('3');
  await chat.sees(/then +hello/);
  chat.press('alt+up');
  await chat.sees(promptWith('hello'));
  await chat.sees('All agents have finished: /compare compares them.');
});

test('a check ends with all that it has started when its session is closed', async () => {
  const {chat, worktrees, write} = await openInRepository();
  write({'check.sh': 'sleep 300 & echo $! > pid\nwait\n'});
  chat.type('/compare --check "sh check.sh" one,two hello\r');
  const pid = () => Number(contentIn(worktrees()['two-hello'] ?? '/none', 'pid'));
  await expect.poll(pid).toBeGreaterThan(0);
  // The file goes with its worktree.
  const process = `/proc/${pid()}`;
  expect(existsSync(process)).toBe(true);
  chat.press('ctrl+x');
  await chat.sees('switch to the open session of that number');
  chat.type('3');
  await chat.sees('acp-tui/two-hello');
  chat.type('/close\r');
  await expect.poll(() => existsSync(process)).toBe(false);
});
