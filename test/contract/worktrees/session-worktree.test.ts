import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {ProjectRules} from '../../../src/conversation/trust/permission-rules.ts';
import {openWorktree} from '../../../src/modes/start/session-worktree.ts';
import type {SandboxSettings} from '../../../src/session/settings/sandbox.ts';
import {readProjectSettings} from '../../../src/settings/project-settings.ts';
import {DEFAULTS, type Settings} from '../../../src/settings/schema/settings-schema.ts';
import {isTrusted, trustFolder} from '../../../src/settings/trusted-folders.ts';
import {openFolderTrust} from '../../../src/window/trust/folder-trust.ts';
import {readRecords} from '../../../src/worktrees/worktree-record.ts';
import {contentIn, worktreeRepository, worktreesIn} from '../../support/folders/worktree-repository.ts';
import {hasNoSandbox} from '../sandbox/sandboxes.ts';

const SETTINGS = JSON.stringify({sandbox: 'on', permissions: {deny: ['execute git push*']}});

/** A repository with trusted settings of its own, which git ignores. */
function trustedRepository() {
  const repository = worktreeRepository();
  const {source, state, scratch, write} = repository;
  write({
    '.acp-tui.json': SETTINGS,
    '.acp-tui/commands/do.md': 'Do it.\n',
    '.git/info/exclude': '.acp-tui*\n',
  });
  trustFolder(state, source, readProjectSettings(source)?.hash ?? '');
  const paths = {config: scratch, state, data: join(scratch, 'data'), cache: scratch};
  const open = (
    worktrees: Settings['worktrees'] = {},
    environment = process.env,
    sandbox?: SandboxSettings,
  ) =>
    openWorktree(
      {
        agent: {label: 'unknown', command: 'unknown', args: [], env: {}},
        cwd: source,
        environment,
        ...(sandbox && {sandbox}),
      },
      {name: 'fix'},
      {paths, settings: {...DEFAULTS, worktrees}},
    );
  return {...repository, open};
}

test('trusted settings of a folder hold in its worktree although git ignores them', async () => {
  const {source, state, open} = trustedRepository();
  const opened = await open();
  const {cwd} = (opened as Extract<typeof opened, {ok: true}>).value;
  const [original, copied] = [readProjectSettings(source), readProjectSettings(cwd)];
  expect(copied?.hash).toBe(original?.hash);
  expect(isTrusted(state, cwd, original?.hash ?? '')).toBe(true);
});

test('no worktree is made in which the trusted settings would not hold', async () => {
  const {state, scratch, open} = trustedRepository();
  expect(await open({setup: 'echo {} > .acp-tui.json'})).toMatchObject({
    ok: false,
    failure: {why: 'the settings of this folder, which you trust, would not hold there'},
  });
  expect([readRecords(state), worktreesIn(join(scratch, 'data-worktrees'))]).toEqual([[], {}]);
});

test('the set-up command has the environment of where the session is started', async () => {
  const {open} = trustedRepository();
  const opened = await open(
    {setup: 'echo "$PROBE $HOME" > probe'},
    {PATH: process.env['PATH'], PROBE: 'there'},
  );
  const {cwd} = (opened as Extract<typeof opened, {ok: true}>).value;
  expect(contentIn(cwd, 'probe')).toBe('there \n');
});

test.skipIf(hasNoSandbox)(
  'the set-up command of a confined session can write the worktree alone, and nothing there that runs later',
  async () => {
    const {scratch, open} = trustedRepository();
    const setup = `echo x > ${join(scratch, 'outside')}; echo x > probe; echo x > .envrc; exit 3`;
    const sandbox = {network: 'none', networkHosts: [], sandboxSockets: 'none'} as const;
    const opened = await open({setup}, process.env, sandbox);
    const {cwd, problems} = (opened as Extract<typeof opened, {ok: true}>).value;
    expect(contentIn(cwd, 'probe')).toBe('x\n');
    expect([existsSync(join(scratch, 'outside')), existsSync(join(cwd, '.envrc'))]).toEqual([false, false]);
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'What was written in the sandbox was undone',
      'The set-up command of the worktree failed',
    ]);
  },
);

test('the rules of a window’s folder hold in the worktrees that are made from it, and nowhere else', async () => {
  const {source, scratch, state, open} = trustedRepository();
  let rules: ProjectRules | undefined;
  const permissions = {useProject: (used: ProjectRules) => void (rules = used)};
  openFolderTrust({state, folder: source, permissions, mcp: {useProject: () => {}}, hasUser: true});
  const opened = await open();
  const {cwd} = (opened as Extract<typeof opened, {ok: true}>).value;
  const other = join(scratch, 'other');
  mkdirSync(other);
  expect([source, cwd, other].map((folder) => rules?.holdIn(folder))).toEqual([true, true, false]);
});
