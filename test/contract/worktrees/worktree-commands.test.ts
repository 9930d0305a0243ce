import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import type {ScriptStep} from '../../../fixtures/fake-agent/scenarios/script.ts';
import type {Settings} from '../../../src/settings/schema/settings-schema.ts';
import {quoteWords} from '../../../src/text/shell-quote.ts';
import {DEMO} from '../../support/driver/lend-process.ts';
import {contentIn, worktreeRepository, worktreesIn} from '../../support/folders/worktree-repository.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';
import {PROGRAM, runHere, startProgram} from '../../support/program/run-program.ts';

/** Moves its worktree away, and ends. */
const MOVER = quoteWords(['sh', '-c', 'mv ../mover-hello ../moved; exit 1']);

/** To run a command. */
const QUESTION = {
  sessionId: '$session',
  toolCall: {toolCallId: 't', title: 'npm test', kind: 'execute'},
  options: [
    {optionId: 'yes', name: 'Yes', kind: 'allow_once'},
    {optionId: 'no', name: 'No', kind: 'reject_once'},
  ],
};

/** Writes a file, and then does this. */
const writer = (...steps: readonly ScriptStep[]) => ({
  command: quoteWords([
    process.execPath,
    FAKE_AGENT,
    'script',
    JSON.stringify({
      turns: [
        [
          {
            ask: 1,
            method: 'fs/write_text_file',
            params: {sessionId: '$session', path: '$cwd/half.txt', content: 'half'},
          },
          {answered: 1},
          ...steps,
        ],
      ],
    }),
  ]),
});

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
  const echo = {command: quoteWords([process.execPath, FAKE_AGENT, 'echo'])};
  const agents = {
    one: agent,
    two: agent,
    echo,
    other: echo,
    gone: {command: 'no-such-program'},
    limited: writer({fail: {code: -32603, message: 'You have hit your usage limit. Try again in 2 hours.'}}),
    mover: {command: MOVER},
    writer: writer({cancelled: true}, {stop: {stopReason: 'cancelled'}}),
    refuser: writer({stop: {stopReason: 'refusal'}}),
    asker: writer({ask: 2, method: 'session/request_permission', params: QUESTION}, {answered: 2}),
  };
  writeFileSync(
    join(scratch, 'config/config.json'),
    JSON.stringify({agents, worktrees, waitForLimits: true}),
  );
  const run = (...args: readonly string[]) => runHere(args, {cwd: source, env: folders});
  const start = (...args: readonly string[]) => startProgram(args, {cwd: source, env: folders});
  const piped = (input: string, args: readonly string[]) =>
    promisify(execFile)(
      'sh',
      ['-c', `printf %s "$1" | ${quoteWords([process.execPath, PROGRAM, ...args])}`, 'sh', input],
      {
        cwd: source,
        env: {...process.env, ...folders},
      },
    );
  return {read, run, start, piped, git, worktrees: () => worktreesIn(join(scratch, 'data-worktrees'))};
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

test('each of the agents that are compared gets all of standard input', async () => {
  const {piped} = repository();
  const {stdout} = await piped('of a pipe', ['compare', '--with', 'echo,other', '--json', 'hello']);
  const all = {text: 'hello\n\nof a pipe'};
  expect(JSON.parse(stdout)).toMatchObject({agents: [all, all]});
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

test('an agent that is at a limit of its provider does not hold up the comparison', async () => {
  const {run} = repository();
  const {stdout} = await run('compare', '--with', 'limited,one', '--json', 'hello');
  expect(JSON.parse(stdout)).toMatchObject({
    agents: [
      {agent: 'limited', error: expect.stringContaining('usage limit')},
      {agent: 'one', exitCode: 0},
    ],
  });
});

test('a signal ends the comparison, while one agent works and another is checked', async () => {
  const {start, read, worktrees} = repository();
  const check = 'touch checking; sleep 600; true';
  const words = 'compare --with writer,one --approve edits --keep writer --check'.split(' ');
  const {child, ended, stdout, stderr} = start(...words, check, 'hello');
  const fileOf = (name: string, file: string) => contentIn(worktrees()[`${name}-hello`] ?? '', file);
  const isAtWork = () =>
    fileOf('writer', 'half.txt') !== undefined && fileOf('one', 'checking') !== undefined;
  await expect.poll(isAtWork).toBe(true);
  child.kill('SIGTERM');
  expect(await ended).toEqual({exitCode: 143, signal: null});
  expect(read('half.txt')).toBeUndefined();
  expect(stdout()).toMatch(/^writer +failed \(143\).* writer-hello$/m);
  expect(stdout()).toMatch(/^one +done .* one-hello$/m);
  expect(stderr()).toContain('acp-tui worktrees lists the worktrees that stay.');
});

test('the changes of an agent that did not finish are kept, but not applied', async () => {
  const {run, read, worktrees} = repository();
  const words = 'compare --with refuser,one --approve edits --keep refuser hello';
  const compared = await run(...words.split(' '));
  expect(compared).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(
      'refuser did not finish, so its changes are not applied: acp-tui worktrees apply refuser-hello does that.',
    ),
  });
  expect(read('half.txt')).toBeUndefined();
  expect(contentIn(worktrees()['refuser-hello'] ?? '', 'half.txt')).toBe('half');
});

test('the changes of an agent that ended its turn are applied although a request of it was rejected', async () => {
  const {run, read} = repository();
  const words = 'compare --with asker,refuser --approve edits --keep asker --json hello';
  const compared = await run(...words.split(' '));
  expect(JSON.parse(compared.stdout)).toMatchObject({
    agents: [
      {agent: 'asker', exitCode: 5, stopReason: 'end_turn'},
      {agent: 'refuser', exitCode: 7},
    ],
  });
  expect(compared).toMatchObject({exitCode: 0, stderr: expect.stringContaining('Applied 1 file')});
  expect(read('half.txt')).toBe('half');
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
