import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {whyInUse} from '../../../src/worktrees/worktree-sessions.ts';
import {writeRecord} from '../../../src/worktrees/worktree-record.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {worktreeRepository} from '../../support/folders/worktree-repository.ts';
import {conversation, storeConversation, storeIn, valueOf} from '../storage/stores.ts';

test('a session of the background service, stored or not, does not keep its own window from its worktree', async () => {
  const {state, made} = worktreeRepository();
  const [, ofParent = ''] = readFileSync(`/proc/${process.ppid}/stat`, 'latin1').split(') ');
  const lock = {pid: process.ppid, started: ofParent.split(' ')[19] ?? ''};
  const record = writeRecord(state, await made(), {lock});
  const store = storeIn(temporaryFolder());
  const id = storeConversation(store, conversation([['one', 'yes']]));
  const closed = {...valueOf(store.find(id)), cwd: record.folder};
  const list = (...sessions: readonly (typeof closed)[]) => ({
    list: () => ({ok: true, value: sessions}) as const,
  });
  const own = {...closed, status: 'open', openBy: lock} as const;
  const other = {...own, id: 'other'};
  const of = (...sessions: readonly (typeof own)[]) => ({id, service: {pid: lock.pid, sessions}});
  expect(whyInUse(record, list(own), of(own))).toBe(undefined);
  expect(whyInUse(record, list(closed), of(own))).toBe(undefined);
  expect(whyInUse(record, list(), of(own, {...other, cwd: '/elsewhere'}))).toBe(undefined);
  expect(whyInUse(record, list(own))).toBe(`its session ${id} is open`);
  expect(whyInUse(record, list(own, other), of(own))).toBe('its session other is open');
  expect(whyInUse(record, list(), of(own, other))).toBe('its session other is open');
  // The lock is of a process whose sessions are not known.
  const isLocked = `process ${lock.pid} has a session in it`;
  expect(whyInUse(record, list(closed), {id})).toBe(isLocked);
  expect(whyInUse(record, list(), {id, service: {pid: 1, sessions: [own]}})).toBe(isLocked);
});
