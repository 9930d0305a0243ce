import {readFileSync} from 'node:fs';
import {expect, test, vi} from 'vitest';
import {keepOne} from '../../../src/modes/commands/compare/keep-one.ts';
import {readRecords, writeRecord} from '../../../src/worktrees/worktree-record.ts';
import {writeFiles} from '../../support/folders/snapshot-folder.ts';
import {worktreeRepository} from '../../support/folders/worktree-repository.ts';

test('after a comparison, a worktree is not removed while somebody works in it, nor with more than was named', async () => {
  const {state, made} = worktreeRepository();
  vi.stubEnv('ACP_TUI_STATE_DIR', state);
  const [, ofParent = ''] = readFileSync(`/proc/${process.ppid}/stat`, 'latin1').split(') ');
  const lock = {pid: process.ppid, started: ofParent.split(' ')[19] ?? ''};
  const free = await made({name: 'free'});
  const busy = writeRecord(state, await made({name: 'busy'}), {lock});
  const soon = await made({name: 'soon'});
  const changing = await made({name: 'changing'});
  writeFiles(free.folder, {'a.txt': 'agent\n'});
  const printed: string[] = [];
  const asked: string[] = [];
  async function confirm(question: string): Promise<boolean> {
    asked.push(question);
    if (question.includes('worktree soon')) writeRecord(state, soon, {lock});
    if (question.includes('worktree changing')) writeFiles(changing.folder, {'b.txt': 'agent\n'});
    return question.includes('Remove');
  }
  const stderr = (text: string) => void printed.push(text);
  const entries = [free, busy, soon, changing].map((record) => ({
    agent: record.name,
    record,
    isDone: true,
  }));
  const command = {keep: undefined};
  expect(await keepOne(entries, command, {stderr, warn: stderr, confirm})).toBe(true);
  expect(asked.filter((question) => question.includes('Remove'))).toEqual([
    'free: It has 1 file with uncommitted changes: a.txt. Remove the worktree free? [y/N] ',
    'soon: It has no changes. Remove the worktree soon? [y/N] ',
    'changing: It has no changes. Remove the worktree changing? [y/N] ',
  ]);
  expect(printed).toEqual([
    expect.stringContaining('Removed the worktree free. Its last state is kept for 14 days: git -C'),
    `The worktree busy is in use: process ${process.ppid} has a session in it.\n`,
    `The worktree soon is in use: process ${process.ppid} has a session in it.\n`,
    expect.stringContaining('It has changed meanwhile: It has 1 file with uncommitted changes: b.txt.'),
  ]);
  expect(readRecords(state).map(({name}) => name)).toEqual(['busy', 'changing', 'soon']);
});
