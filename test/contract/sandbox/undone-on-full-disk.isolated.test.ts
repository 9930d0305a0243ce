import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {execFileSync} from 'node:child_process';
import type * as Files from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {idle, openScripted} from '../conversation/open-conversation.ts';
import {ask} from '../conversation/steps.ts';
import {aHome, hasNoSandbox} from './sandboxes.ts';

const disk = vi.hoisted(() => ({isFull: false}));

vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof Files>();
  const writeFile: typeof files.writeFile = async (path, data, options) => {
    if (!disk.isFull) return files.writeFile(path, data, options);
    // As much as there is space for.
    await files.writeFile(path, '[', options);
    throw Object.assign(new Error('ENOSPC: no space left on device'), {code: 'ENOSPC'});
  };
  return {...files, writeFile};
});

const sandbox = {network: 'ask', networkHosts: [], sandboxSockets: 'none', sandboxFolders: []} as const;

/** It names none of the files, so that it runs without asking. */
const COMMAND = [
  {
    ask: 'run',
    method: 'terminal/create',
    params: {sessionId: '$session', command: 'sh', args: ['work.sh']},
  },
  {answered: 'run'},
  ...ask('terminal/wait_for_exit', {terminalId: '$run.terminalId'}, 'exit'),
];

describe.skipIf(hasNoSandbox)('what was written in a sandbox', () => {
  test('is still there, and whole, if undoing it fails on a full disk', async () => {
    const {root: cwd} = aHome();
    execFileSync('git', ['init', '-q', cwd]);
    const file = join(cwd, '.git/config');
    const before = readFileSync(file, 'utf8');
    writeFileSync(join(cwd, 'work.sh'), 'git config core.fsmonitor ./theirs');
    const opened = await openScripted({turns: [COMMAND]}, {approval: 'all', cwd, sandbox});
    const {conversation, prompt, until} = opened;
    prompt('go');
    const {pending} = await until((now) => now.pending.length > 0, 'the question');
    disk.isFull = true;
    void conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 1});
    const {entries} = await until(idle, 'the end of the turn');
    expect(JSON.stringify(entries)).toContain('Not undone: ');
    expect(readFileSync(file, 'utf8')).toBe(`${before}\tfsmonitor = ./theirs\n`);
    expect(readdirSync(join(cwd, '.git')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
