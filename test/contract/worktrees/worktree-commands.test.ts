import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Settings} from '../../../src/settings/schema/settings-schema.ts';
import {quoteWords} from '../../../src/text/shell-quote.ts';
import {DEMO} from '../../support/driver/lend-process.ts';
import {contentIn, worktreeRepository, worktreesIn} from '../../support/folders/worktree-repository.ts';
import {runHere} from '../../support/program/run-program.ts';

/** Moves its worktree away, and ends. */
const MOVER = quoteWords(['sh', '-c', 'mv ../mover-hello ../moved; exit 1']);

/** A repository, and a function that runs acp-tui in it with two agents: `one` and `two`. */
function repository(worktrees: Settings['worktrees'] = {}) {
  const {source, scratch, read, git} = worktreeRepository();
  const folders = Object.fromEntries(
    ['config', 'state', 'data', 'cache'].map((name) => [
      `ACP_TUI_${name.toUpperCase()}_DIR`,
      join(scratch, name),
    ]),
  );
  mkdirSync(join(scratch, 'config'));
  const agent = {command: quoteWords([DEMO.command, ...DEMO.args])};
  const agents = {one: agent, two: agent, gone: {command: 'no-such-program'}, mover: {command: MOVER}};
  writeFileSync(join(scratch, 'config/config.json'), JSON.stringify({agents, worktrees}));
  const run = (...args: readonly string[]) => runHere(args, {cwd: source, env: folders});
  return {read, run, git, worktrees: () => worktreesIn(join(scratch, 'data-worktrees'))};
}

test('a run in a worktree is listed, and removed after what it has changed is named', async () => {
  const {run, read, worktrees} = repository();
  const printed = await run('-p', '--agent', 'one', '--approve', 'edits', '-w', 'edit-now', '/edit');
  expect(printed).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('works in the worktree edit-now'),
  });
  const {'edit-now': folder = ''} = worktrees();
  expect(contentIn(folder, 'acp-tui-demo.md')).toBeDefined();
  expect(read('acp-tui-demo.md')).toBeUndefined();
  const listed = await run('worktrees', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject({
    worktrees: [
      {name: 'edit-now', state: 'changed', sourceBranch: 'main', files: 1, uncommitted: ['acp-tui-demo.md']},
    ],
  });
  const refused = await run('worktrees', 'remove', 'edit-now');
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('uncommitted changes: acp-tui-demo.md'),
  });
  expect(existsSync(folder)).toBe(true);
  const removed = await run('worktrees', 'remove', 'edit-now', '--yes');
  expect(removed.stdout).toContain(
    'Removed the worktree edit-now. Its last state is kept for 14 days: git -C',
  );
  expect(await run('worktrees', 'apply', 'edit-now')).toMatchObject({exitCode: 2});
});

test('agents are compared in a worktree each, and none is started if one is missing', async () => {
  const {run, read} = repository();
  const missing = await run('compare', '--with', 'one,gone', '/edit');
  expect(missing).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('gone: Agent command "no-such-program" not found'),
  });
  expect(await run('compare', '--with', 'one', '/edit')).toMatchObject({exitCode: 2});
  const compared = await run(
    'compare',
    '--with',
    'one,two',
    '--approve',
    'edits',
    '--check',
    'test -f acp-tui-demo.md',
    '--keep',
    'two',
    '--json',
    '/edit',
  );
  const outcome = {exitCode: 0, files: 1, check: 'passed', error: null};
  expect(compared.exitCode).toBe(0);
  expect(JSON.parse(compared.stdout)).toMatchObject({
    agents: [
      {agent: 'one', worktree: 'one-edit', ...outcome},
      {agent: 'two', worktree: 'two-edit', ...outcome},
    ],
  });
  expect(read('acp-tui-demo.md')).toBeDefined();
  const listed = await run('worktrees');
  expect(listed.stdout).toMatch(/two-edit +unchanged[^]*one-edit +changed/);
});

test('the comparison ends with a table although one of the worktrees is gone', async () => {
  const {run} = repository();
  const {stdout} = await run('compare', '--with', 'one,mover', '--json', 'hello');
  expect(JSON.parse(stdout)).toMatchObject({
    agents: [
      {agent: 'one', files: 0, added: 0},
      {agent: 'mover', files: null, added: null},
    ],
  });
});

/** Leaves a conflict in the repository that a worktree was made from, so that no other one is. */
const CONFLICTS =
  'for n in 1 2 3; do printf "100644 $(git rev-parse HEAD:a.txt) $n\\ta.txt\\n"; done | git -C ../../../project update-index --index-info';

test.each([
  ['of which the second cannot be made', ['compare', '--with', 'one,two', 'hello'], {setup: CONFLICTS}],
  ['of an agent that is not installed', ['-p', '--agent', 'no-such-program', '-w', 'fix', 'hello'], {}],
  ['of a session that does not open', ['-p', '--agent', 'false', '-w', 'fix', 'hello'], {}],
])('nothing is left of worktrees %s', async (_, command, settings) => {
  const {run, git} = repository(settings);
  expect((await run(...command)).exitCode).not.toBe(0);
  expect((await run('worktrees', '--json')).stdout).toContain('"worktrees": []');
  expect(git('branch', '--list', 'acp-tui/*')).toBe('');
});
