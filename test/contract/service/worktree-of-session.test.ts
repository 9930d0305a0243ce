import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {attachSession} from '../../../src/service/attached-session.ts';
import {writeRecord} from '../../../src/worktrees/worktree-record.ts';
import {git, writeFiles} from '../../support/folders/snapshot-folder.ts';
import {worktreeRepository} from '../../support/folders/worktree-repository.ts';
import {openWindowIn} from '../conversation/open-window.ts';
import {openService, orThrow} from './open-service.ts';

/** The process that has started this one. */
function parent() {
  const [, stat = ''] = readFileSync(`/proc/${process.ppid}/stat`, 'latin1').split(') ');
  return {pid: process.ppid, started: stat.split(' ')[19] ?? ''};
}

/** A window that shows a session of the background service, which works in a worktree and is not stored where the window looks. */
async function attachedWindow() {
  const repository = worktreeRepository();
  const {state, made} = repository;
  const service = await openService({turns: [[]]});
  // As if the service was a process of its own.
  const {folder} = writeRecord(state, await made(), {lock: parent()});
  const id = await service.start('go', folder);
  const client = await service.client();
  const none = {ok: true, value: undefined} as const;
  const background = {
    start: () => undefined,
    attach: async () => none,
    running: async () => ({pid: process.ppid, sessions: await client.list()}),
    reach: async () => none,
    resume: async () => none,
    resumeAtEnd: () => undefined,
  };
  const window = await openWindowIn({state, background}, 'echo');
  await window.converse('session-1', 'one');
  const attached = orThrow(await attachSession(await service.client(), id, service.state));
  const options = {...window.sessions.optionsOf('session-1'), cwd: folder};
  void window.sessions.open({options, attached});
  const {active: key} = window.store.latest();
  await window.until(
    ({sessions: {[key]: tab}}) => tab?.session.turn.kind === 'idle' && tab.session.lastTurn !== undefined,
  );
  const finish = (how: 'merge' | 'keep' | 'remove') =>
    window.sessions.perform({kind: 'finish_worktree', session: key, how});
  return {...repository, ...window, service, client, folder, key, finish};
}

test('a window merges and removes the worktree of a session in the background that is not stored', async () => {
  const {folder, finish, notices, key, client, read, session} = await attachedWindow();
  writeFiles(folder, {'a.txt': 'agent\n'});
  git(folder, 'commit', '-qam', 'agent');
  finish('merge');
  await expect.poll(() => notices(key).join()).toContain('Merged');
  expect(read('a.txt')).toBe('agent\n');
  finish('remove');
  await expect.poll(() => existsSync(folder)).toBe(false);
  expect([await client.list(), session(key)]).toEqual([[], undefined]);
});

test('a window does not while another session in the background works there', async () => {
  const {folder, finish, store, service} = await attachedWindow();
  mkdirSync(join(folder, 'more'));
  const other = await service.start('go', join(folder, 'more'));
  for (const how of ['merge', 'keep', 'remove'] as const) {
    store.dispatch({type: 'toast_shown', text: how, until: performance.now() + 60_000});
    finish(how);
    await expect
      .poll(() => store.latest().toast?.text)
      .toBe(`The worktree fix is in use: its session ${other} is open.`);
  }
  expect(existsSync(folder)).toBe(true);
});
