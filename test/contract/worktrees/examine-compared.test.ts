import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {examineCompared} from '../../../src/worktrees/compare/examine-compared.ts';
import {worktreeRepository} from '../../support/folders/worktree-repository.ts';
import {hasNoSandbox} from '../sandbox/sandboxes.ts';

const settings = {network: 'none', networkHosts: [], sandboxSockets: 'none', sandboxFolders: []} as const;

async function examining(ended: AbortSignal) {
  const {state, scratch, git, made} = worktreeRepository();
  const record = await made({name: 'one'});
  const options = {
    agent: {label: 'demo', command: 'demo', args: [], env: {}},
    cwd: record.folder,
    additionalDirectories: [],
    environment: process.env,
    sandbox: settings,
  };
  const outside = join(scratch, 'outside');
  const check = `touch checked; touch ${outside}; git config core.fsmonitor ./trap`;
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  const changes = examineCompared(record, {state, check, options, ended, tell});
  return {
    changes,
    told,
    hasRun: () => existsSync(join(record.folder, 'checked')),
    isOutside: () => existsSync(outside),
    settings: () => git('config', '--list', '--local'),
  };
}

test.skipIf(hasNoSandbox)(
  'a check runs in the sandbox, and what it leaves to be run later is undone, which is said',
  async () => {
    const {changes, told, hasRun, isOutside, settings} = await examining(new AbortController().signal);
    expect(await changes).toMatchObject({check: 'passed', files: 1});
    expect([hasRun(), isOutside()]).toEqual([true, false]);
    expect(settings()).not.toContain('fsmonitor');
    expect(told).toEqual([expect.stringMatching(/^What was written in the sandbox was undone: .*config/)]);
  },
);

test.skipIf(hasNoSandbox)('a check that is to end while its sandbox is set up is not begun', async () => {
  const ended = new AbortController();
  const {changes, hasRun} = await examining(ended.signal);
  ended.abort();
  expect(await changes).toMatchObject({check: null, files: 0});
  expect(hasRun()).toBe(false);
});
