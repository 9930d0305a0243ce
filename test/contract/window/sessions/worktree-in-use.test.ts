import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {writeFiles} from '../../../support/folders/snapshot-folder.ts';
import {worktreeRepository} from '../../../support/folders/worktree-repository.ts';
import {restoreQueueChange} from '../../../../src/app/sessions.ts';
import type {NextSession} from '../../../../src/app/board/board-view.ts';
import {draftOf} from '../../../../src/app/editor/draft.ts';
import type {Result} from '../../../../src/shared/failure.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import type {AgentInFolder} from '../../../../src/conversation/options.ts';
import type {NewWorktree} from '../../../../src/window/effects/effect-context.ts';
import {removeWorktree} from '../../../../src/worktrees/remove-worktree.ts';
import {readRecord, type WorktreeRecord} from '../../../../src/worktrees/worktree-record.ts';
import {agentDefaults} from '../../conversation/conversation-defaults.ts';
import {openWindowIn} from '../../conversation/open-window.ts';

test('a worktree is not removed, merged or kept while another session works in it, nor with more than was agreed to', async () => {
  const {state, made} = worktreeRepository();
  const {folder} = await made();
  const window = await openWindowIn({state}, 'echo');
  const {sessions, store} = window;
  const key = await window.openWith({cwd: folder}, 'echo');
  await window.converse(key, 'one');
  const other = await window.openWith({cwd: join(folder, 'sub')}, 'echo');
  await window.converse(other, 'two');
  const finish = (how: 'merge' | 'keep' | 'remove', agreed?: {uncommitted: string[]; commits: number}) =>
    sessions.perform({kind: 'finish_worktree', session: key, how, ...(agreed && {agreed})});
  for (const how of ['merge', 'keep', 'remove'] as const) {
    store.dispatch({type: 'toast_shown', text: how, until: performance.now() + 60_000});
    finish(how);
    await expect
      .poll(() => store.latest().toast?.text)
      .toBe('The worktree fix is in use: another session of this window works in it.');
  }
  expect(existsSync(folder)).toBe(true);
  await sessions.leave(other);
  writeFiles(folder, {'a.txt': 'agent\n', 'b.txt': 'agent\n'});
  finish('remove', {uncommitted: ['a.txt'], commits: 0});
  await expect
    .poll(() => store.latest().overlay)
    .toMatchObject({picker: {note: expect.stringContaining('a.txt, b.txt')}});
  expect(window.session(key)).toBeDefined();
  finish('remove', {uncommitted: ['a.txt', 'b.txt'], commits: 0});
  await expect.poll(() => existsSync(folder)).toBe(false);
  expect(window.session(key)).toBeUndefined();
});

test('a worktree is locked until the last session of the window that works in it is closed', async () => {
  const {state, made} = worktreeRepository();
  const {folder} = await made();
  const window = await openWindowIn({state}, 'echo');
  await window.converse('session-1', 'one');
  const key = await window.openWith({cwd: folder}, 'echo');
  await window.converse(key, 'two');
  const other = await window.openWith({cwd: join(folder, 'sub')}, 'echo');
  const lock = () => readRecord(state, 'fix')?.lock;
  await window.sessions.leave(key);
  expect(lock()?.pid).toBe(process.pid);
  window.sessions.close(other);
  await expect.poll(lock).toBeUndefined();
});

test('a session that was replaced before its first prompt has ended when it is left', async () => {
  const window = await openWindowIn({}, 'echo');
  const {sessions} = window;
  const happened: string[] = [];
  const opening = sessions.open({options: sessions.optionsOf('session-1')});
  void opening.then(() => happened.push('opened'));
  expect(window.session('session-1')).toBeUndefined();
  await sessions.leave('session-1');
  expect(happened).toEqual(['opened']);
});

test('asks before the queue and the drafts of the session go with its worktree', async () => {
  const {state, made} = worktreeRepository();
  const {folder} = await made();
  const window = await openWindowIn({state}, 'echo');
  const {sessions, store} = window;
  const key = await window.openWith({cwd: folder}, 'echo');
  await window.converse(key, 'one');
  await window.until(({sessions: {[key]: tab}}) => tab?.session.turn.kind === 'idle');
  const left = restoreQueueChange({draft: '', queue: ['two']});
  sessions.perform({kind: 'call', key, action: 'changeQueue', args: [left]});
  store.dispatch({type: 'draft_changed', key, draft: draftOf('three'), at: performance.now()});
  sessions.perform({kind: 'finish_worktree', session: key, how: 'remove'});
  const note = 'Lost with the session: 1 queued prompt, what is typed in it.';
  await expect.poll(() => store.latest().overlay).toMatchObject({picker: {note}});
  expect([existsSync(folder), window.session(key) !== undefined]).toEqual([true, true]);
  const agreed = {uncommitted: [], commits: 0};
  sessions.perform({kind: 'finish_worktree', session: key, how: 'remove', agreed});
  await expect.poll(() => existsSync(folder)).toBe(false);
});

test('a worktree is not removed while its changes are being brought back', async () => {
  const {state, made} = worktreeRepository();
  const {folder} = await made();
  const {sessions, store, openWith, converse, notices, until} = await openWindowIn({state}, 'echo');
  const key = await openWith({cwd: folder}, 'echo');
  await converse(key, 'one');
  await until(({sessions: {[key]: tab}}) => tab?.session.turn.kind === 'idle');
  writeFiles(folder, {'a.txt': 'agent\n'});
  const agreed = {uncommitted: ['a.txt'], commits: 0};
  sessions.perform({kind: 'finish_worktree', session: key, how: 'apply'});
  sessions.perform({kind: 'finish_worktree', session: key, how: 'remove', agreed});
  await expect
    .poll(() => store.latest().toast?.text)
    .toBe('The worktree fix is in use: this window is at work on it.');
  await expect.poll(() => notices(key).at(-1)).toContain('Applied');
  expect(existsSync(folder)).toBe(true);
});

/** What creates a worktree resolves to, in a folder. */
function created(cwd: string, notices: readonly string[] = []): Result<NewWorktree> {
  const record = {name: 'fix'} as WorktreeRecord;
  return {ok: true, value: {cwd, notices, problems: [], record, discard: async () => {}}};
}

/** A window with a session that asks for a worktree, and a function that creates that. */
async function waitingWindow(...used: readonly string[]) {
  const {promise, resolve} = Promise.withResolvers<Result<NewWorktree>>();
  const window = await openWindowIn({openWorktree: () => promise}, 'echo');
  for (const text of used) await window.converse('session-1', text);
  window.sessions.perform({kind: 'open_worktree', session: 'session-1'});
  const create = () => resolve(created(temporaryFolder(), ['In a worktree.']));
  const write = (text: string) =>
    window.store.dispatch({
      type: 'draft_changed',
      key: 'session-1',
      draft: draftOf(text),
      at: performance.now(),
    });
  return {...window, create, write, active: () => window.store.latest().active};
}

test('a worktree is removed again with its session if nothing was said in that, and no other works there', async () => {
  const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const discarded: string[] = [];
  const openWorktree = async (): Promise<Result<NewWorktree>> => {
    const cwd = folders.shift() ?? '';
    const record = {name: 'fix', folder: cwd} as WorktreeRecord;
    const discard = async () => void discarded.push(cwd);
    return {ok: true, value: {cwd, notices: [], problems: [], record, discard}};
  };
  const [one, two, three] = folders;
  const window = await openWindowIn({openWorktree}, 'echo');
  await window.converse('session-1', 'one');
  for (const key of ['session-2', 'session-3', 'session-4']) {
    window.sessions.perform({kind: 'open_beside', prompt: '', next: {worktree: true}});
    await expect.poll(() => window.session(key)?.session.connection.kind).toBe('ready');
    if (key !== 'session-4') await window.converse(key, 'Stay');
  }
  expect([two, discarded]).toEqual([window.session('session-3')?.session.cwd, []]);
  await window.sessions.leave('session-2');
  await window.sessions.leave('session-4');
  expect([discarded, one]).toEqual([[three], one]);
});

test('/worktree remove says what it did, also in a session whose worktree goes with it', async () => {
  const {state, made} = worktreeRepository();
  const record = await made();
  const discard = async () =>
    void (await removeWorktree(record, {state, agreed: {uncommitted: [], commits: 0}}));
  const value = {cwd: record.folder, notices: [], problems: [], record, discard};
  const window = await openWindowIn({state, openWorktree: async () => ({ok: true, value})}, 'echo');
  await window.converse('session-1', 'one');
  window.sessions.perform({kind: 'open_beside', prompt: '', next: {worktree: true}});
  await expect.poll(() => window.session('session-2')?.session.connection.kind).toBe('ready');
  window.sessions.perform({kind: 'finish_worktree', session: 'session-2', how: 'remove'});
  await expect.poll(() => window.notices('session-3').join()).toContain('Removed the worktree fix.');
  expect(existsSync(record.folder)).toBe(false);
});

test('a worktree that is ready does not take the screen from who has gone on', async () => {
  const {store, create, write, active, notices, session} = await waitingWindow('one');
  write('Meanwhile');
  create();
  await expect.poll(() => notices('session-2')).toEqual(['In a worktree.']);
  expect([active(), session('session-1')?.draft.text]).toEqual(['session-1', 'Meanwhile']);
  expect(store.latest().toast?.text).toBe('The worktree is ready, in session 2.');
});

test.each([
  [[], 'Fix it'],
  [['one'], ''],
])(
  'it takes the screen otherwise, with what was typed in a session without prompts: %j',
  async (used, typed) => {
    const {create, write, active, session} = await waitingWindow(...used);
    if (typed !== '') write(typed);
    create();
    await expect.poll(active).toBe('session-2');
    expect(session('session-2')?.draft.text).toBe(typed);
  },
);

test('a prompt of the board is sent in a new worktree, and is given back if none can be made', async () => {
  const cwd = temporaryFolder();
  const asked: unknown[] = [];
  const results: Result<NewWorktree>[] = [
    created(cwd),
    {ok: false, failure: {kind: 'not_offered', what: 'a worktree', why: 'no'}},
  ];
  const window = await openWindowIn(
    {openWorktree: async (_, named) => (asked.push(named), results.shift()!)},
    'echo',
  );
  await window.converse('session-1', 'one');
  const start = (prompt: string) =>
    window.sessions.perform({kind: 'open_beside', prompt, next: {worktree: true}});
  start('fix it');
  await expect.poll(() => window.said('session-2')).toContain('fix it');
  expect([window.session('session-2')?.session.cwd, asked]).toEqual([cwd, [{prompt: 'fix it'}]]);
  start('and this');
  await expect.poll(() => window.session('session-2')?.draft.text).toBe('and this');
});

test('the next session is confined as the board says', async () => {
  const asked: unknown[] = [];
  const optionsForAgent = ({isConfined}: AgentInFolder) => (asked.push(isConfined), agentDefaults);
  const window = await openWindowIn({optionsForAgent}, 'echo');
  const start = (next: NextSession) => window.sessions.perform({kind: 'open_beside', prompt: '', next});
  start({});
  start({cwd: temporaryFolder()});
  start({sandbox: true});
  start({sandbox: false});
  await expect.poll(() => asked).toEqual([undefined, undefined, true, false]);
});
