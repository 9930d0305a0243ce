import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {commonOptions, runSchema, type CommonOptions} from '../../../src/cli/options.ts';
import {prepareSession} from '../../../src/modes/start/prepared-session.ts';
import {git} from '../../support/folders/snapshot-folder.ts';
import {worktreeRepository} from '../../support/folders/worktree-repository.ts';
import {readRecords} from '../../../src/worktrees/worktree-record.ts';

/** Prepares a session of the background service. */
function preparation() {
  const repository = worktreeRepository();
  const {source, scratch, state} = repository;
  for (const name of ['config', 'state', 'data', 'cache'])
    vi.stubEnv(`ACP_TUI_${name.toUpperCase()}_DIR`, join(scratch, name));
  const prepare = (given: Partial<CommonOptions>, prompt = 'fix it') =>
    prepareSession(
      {
        given: {
          ...commonOptions(runSchema.parse({})),
          agent: process.execPath,
          cwd: source,
          worktree: {prompt},
          ...given,
        },
        prompt,
        environment: process.env,
      },
      {reserve: () => true, demoCommand: {command: process.execPath, args: []}},
    );
  const branches = () => repository.git('branch', '--list', 'acp-tui/*');
  return {...repository, prepare, branches, records: () => readRecords(state)};
}

const OPTIONAL = {prompt: 'fix it', isOptional: true} as const;

test('a session that is to have a worktree if that is possible works in the folder itself only if there is nothing to make one from', async () => {
  const {prepare, scratch, records} = preparation();
  const [plain, fresh] = [join(scratch, 'plain'), join(scratch, 'fresh')];
  mkdirSync(plain);
  git(scratch, 'init', '-q', 'fresh');
  for (const cwd of [plain, fresh]) {
    const prepared = await prepare({cwd, worktree: OPTIONAL});
    expect(prepared).toMatchObject({ok: true, value: {options: {cwd}}});
    if (prepared.ok) prepared.value.close();
  }
  expect(records()).toEqual([]);
});

test('it does not start if its worktree cannot be made', async () => {
  const {prepare, source, write, git: inSource} = preparation();
  inSource('checkout', '-q', '-b', 'other');
  write({'a.txt': 'theirs\n'});
  inSource('commit', '-qam', 'theirs');
  inSource('checkout', '-q', 'main');
  write({'a.txt': 'ours\n'});
  inSource('commit', '-qam', 'ours');
  expect(() => inSource('merge', '-q', 'other')).toThrow('merge -q other');
  expect(await prepare({cwd: source, worktree: OPTIONAL})).toMatchObject({
    ok: false,
    failure: {why: expect.stringContaining('conflicts')},
  });
});

test.each([
  ['an agent that is not installed', {agent: 'no-such-agent-here'}, 'fix it', 'command_not_found'],
  ['a command that cannot be used', {}, '/mine', 'file'],
])('nothing is left of the worktree of a session that does not start: %s', async (_, given, prompt, kind) => {
  const {prepare, records, branches, write} = preparation();
  write({'.acp-tui/commands/mine.md': 'Not trusted yet.'});
  expect(await prepare(given, prompt)).toMatchObject({ok: false, failure: {kind}});
  expect([records(), branches()]).toEqual([[], '']);
});
