import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {appendFileSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {restoredSession} from '../../../../src/session/lifecycle/opening.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import {identifyRequest} from '../../../../src/session/subagents/nested.ts';
import type {Failure} from '../../../../src/shared/failure.ts';
import {ownIdentity, type ProcessIdentity} from '../../../../src/shared/processes/process-identity.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {
  conversation,
  databaseIn,
  playConversation,
  origin,
  storeConversation,
  storeIn,
  turn,
  valueOf,
} from '../stores.ts';

/** Makes a process that is gone, or another, the one that has all sessions open. */
function openBy(folder: string, {pid, started}: ProcessIdentity = {pid: 999_999_999, started: '1'}): void {
  const change = 'UPDATE sessions SET open_pid = ?, open_started = ?';
  valueOf(databaseIn(folder).use((sql) => sql.run(change, pid, started)));
}

describe('a stored session', () => {
  /** Records a session, and closes it or leaves it to a window that crashes. */
  function stored(folder: string) {
    const store = storeIn(folder);
    const cutOff = turn(2, 'cut off', 'in the middle').slice(0, 2);
    return {store, id: storeConversation(store, [...conversation([['hello', 'hi']]), ...cutOff])};
  }

  test('continues in its file, also after a torn line, as the window shows it', async () => {
    const folder = temporaryFolder();
    const {store, id} = stored(folder);
    appendFileSync(join(folder, 'sessions', `${id}.ndjson`), '{"type":"session_upda');
    const session = restoredSession(valueOf(await store.state(id)), 77);
    const again = valueOf(store.record({...origin, continues: id, restoredAt: 77}));
    const lived = playConversation(again, turn(3, 'and now?', 'still here'), session);
    again.close();
    expect(valueOf(await store.state(id))).toEqual(lived);
    expect(valueOf(store.list())).toEqual([expect.objectContaining({id, turns: 3, status: 'closed'})]);
    expect(valueOf(store.search('hello'))).toHaveLength(1);
    expect(valueOf(store.search('still'))).toHaveLength(1);
  });

  test('keeps calls with one ID apart, also from those after it was resumed', async () => {
    const store = storeIn(temporaryFolder());
    const calls = (toolCallId: string, title: string): SessionEvent => ({
      type: 'session_update',
      update: {sessionUpdate: 'tool_call', toolCallId, title, rawInput: {command: title}},
      at: 1,
    });
    const [begins, ...rest] = turn(1, 'hello', 'hi');
    const events = [...conversation([]), begins!, calls('call_0', 'ls'), calls('call_0 #2', 'rm'), ...rest];
    const id = storeConversation(store, events);
    const resumed = [events[1]!, turn(2, 'and now?', '')[0]!].reduce(reduce, valueOf(await store.state(id)));
    expect(resumed.entries.filter(({type}) => type === 'tool_call')).toMatchObject([
      {toolCallId: 'call_0', rawInput: {command: 'ls'}},
      {toolCallId: 'call_0 #2', rawInput: {command: 'rm'}},
    ]);
    const asked = {sessionId: 'agent-session', toolCall: {toolCallId: 'call_0', title: 'rm'}, options: []};
    expect(identifyRequest(resumed, asked).toolCall.toolCallId).toBe('call_0 #3');
  });

  test('is closed again when resuming it fails', () => {
    const {store, id} = stored(temporaryFolder());
    valueOf(store.record({...origin, continues: id})).close();
    expect(valueOf(store.find(id))).toMatchObject({status: 'closed', turns: 2});
  });

  test('is not taken over from a running process that has it open, but from one that is gone', async () => {
    const folder = temporaryFolder();
    const {store, id} = stored(folder);
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e9)'], {stdio: 'ignore'});
    const {pid = 0} = other;
    const started = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19] ?? '';
    const open = 'UPDATE sessions SET open_pid = ?, open_started = ?';
    valueOf(databaseIn(folder).use((sql) => sql.run(open, pid, started)));
    expect(valueOf(store.find(id))).toMatchObject({status: 'open', openBy: {pid}});
    expect(store.record({...origin, continues: id})).toMatchObject({
      ok: false,
      failure: {kind: 'not_offered', why: expect.stringContaining(String(pid))},
    });
    expect(store.delete(id)).toMatchObject({ok: false, failure: {kind: 'not_offered'}});
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(valueOf(store.list({status: 'interrupted'}))).toHaveLength(1);
    expect(store.record({...origin, continues: id}).ok).toBe(true);
  });

  test('is no longer interrupted once the user has seen it', async () => {
    const folder = temporaryFolder();
    const {store, id} = stored(folder);
    openBy(folder);
    expect(valueOf(store.find(id)).status).toBe('interrupted');
    valueOf(store.settle(id));
    expect(valueOf(store.find(id)).status).toBe('closed');
    expect(valueOf(await store.reindex())).toBe(0);
  });

  test('is restored if it was deleted, and stays', async () => {
    const folder = temporaryFolder();
    const {store, id} = stored(folder);
    valueOf(store.delete(id));
    expect(valueOf(await store.locate(id, '/')).deletedAt).toBeDefined();
    const session = restoredSession(valueOf(await store.state(id)), 77);
    const again = valueOf(store.record({...origin, continues: id, restoredAt: 77}));
    const lived = playConversation(again, turn(3, 'and now?', 'still here'), session);
    again.close();
    valueOf(store.prune({}, Date.now() + 2 * 24 * 60 * 60 * 1000));
    expect(valueOf(await store.state(id))).toEqual(lived);
    expect(valueOf(store.list())).toMatchObject([{id, turns: 3, deletedAt: undefined}]);
    expect(store.restore(id)).toMatchObject({ok: false, failure: {kind: 'not_offered'}});
    expect(valueOf(await store.reindex())).toBe(0);
  });

  test('stays open in the window that resumes it, if another does not want it', () => {
    const folder = temporaryFolder();
    const {store, id} = stored(folder);
    openBy(folder);
    valueOf(store.record({...origin, continues: id}));
    valueOf(storeIn(folder).settle(id));
    expect(valueOf(store.find(id)).status).toBe('open');
    expect(store.delete(id)).toMatchObject({ok: false, failure: {kind: 'not_offered'}});
  });

  test('stays open in the window that resumes it, if another is just reading its file', async () => {
    const folder = temporaryFolder();
    const {store, id} = stored(folder);
    openBy(folder);
    appendFileSync(join(folder, 'sessions', `${id}.ndjson`), '{"type":"session_upda');
    const reading = storeIn(folder).reindex();
    openBy(folder, ownIdentity());
    expect(valueOf(await reading)).toBe(1);
    expect(valueOf(store.find(id))).toMatchObject({status: 'open', openBy: ownIdentity()});
  });

  test('is forked and stays unchanged', async () => {
    const {store, id} = stored(temporaryFolder());
    const before = valueOf(await store.state(id));
    const session = restoredSession(before, 77);
    const copy = valueOf(store.record({...origin, copies: id, restoredAt: 77}));
    const opened = {sessionId: 'copy', cwd: '/project', additionalDirectories: []};
    const lived = playConversation(
      copy,
      [{type: 'session_opened', session: opened, how: 'fork', at: 78}],
      session,
    );
    expect(copy.id()).not.toBe(id);
    copy.close();
    expect(valueOf(await store.state(copy.id() ?? ''))).toEqual(lived);
    expect(valueOf(await store.state(id))).toEqual(before);
    expect(valueOf(store.search('hello'))).toHaveLength(2);
  });

  test('is forked with the ends of its earlier runs', async () => {
    const {store, id} = stored(temporaryFolder());
    const resumed = restoredSession(valueOf(await store.state(id)), 77);
    const again = valueOf(store.record({...origin, continues: id, restoredAt: 77}));
    playConversation(again, turn(3, 'and now?', 'still here'), resumed);
    again.close();
    const before = valueOf(await store.state(id));
    const copy = valueOf(store.record({...origin, copies: id, restoredAt: 99}));
    const lived = playConversation(copy, turn(4, 'here', 'yes'), restoredSession(before, 99));
    copy.close();
    expect(valueOf(await store.state(copy.id() ?? ''))).toEqual(lived);
  });

  test('is forked though it was deleted meanwhile', async () => {
    const {store, id} = stored(temporaryFolder());
    const session = restoredSession(valueOf(await store.state(id)), 77);
    const copy = valueOf(store.record({...origin, copies: id, restoredAt: 77}));
    valueOf(store.delete(id));
    const lived = playConversation(copy, turn(3, 'here', 'yes'), session);
    copy.close();
    expect(valueOf(await store.state(copy.id() ?? ''))).toEqual(lived);
  });

  test('is forked without what was said before if it was removed meanwhile, and says so', async () => {
    const folder = temporaryFolder();
    const {id} = stored(folder);
    const problems: Failure[] = [];
    const store = storeIn(folder, {onProblem: (problem) => problems.push(problem)});
    const session = restoredSession(valueOf(await store.state(id)), 77);
    const copy = valueOf(store.record({...origin, copies: id, restoredAt: 77}));
    rmSync(join(folder, 'sessions', `${id}.ndjson`));
    playConversation(copy, turn(3, 'here', 'yes'), session);
    copy.close();
    expect(problems).toMatchObject([{kind: 'file', path: expect.stringContaining(id)}]);
    const kept = valueOf(await store.state(copy.id() ?? ''));
    expect(kept.entries.map(({type}) => type)).toEqual(['user_message', 'agent_message', 'turn_end']);
  });

  test('leaves no fork if the agent made none and nothing was said', async () => {
    const {store, id} = stored(temporaryFolder());
    const session = restoredSession(valueOf(await store.state(id)), 77);
    const copy = valueOf(store.record({...origin, copies: id, restoredAt: 77}));
    const opened = {sessionId: 'agent-session', cwd: '/project', additionalDirectories: []};
    playConversation(copy, [{type: 'session_opened', session: opened, how: 'resume', at: 78}], session);
    copy.close();
    expect(valueOf(store.list()).map((session) => session.id)).toEqual([id]);
  });

  test('is not copied into the new session that was started instead', async () => {
    const {store, id} = stored(temporaryFolder());
    const session = restoredSession(valueOf(await store.state(id)), 77);
    const copy = valueOf(store.record({...origin, copies: id, restoredAt: 77}));
    const opened = {sessionId: 'another', cwd: '/project', additionalDirectories: []};
    playConversation(
      copy,
      [{type: 'session_opened', session: opened, how: 'new', at: 78}, ...turn(3, 'afresh', 'yes')],
      session,
    );
    copy.close();
    const [begun] = valueOf(store.list());
    expect(begun).toMatchObject({agentSessionId: 'another', firstPrompt: 'afresh', turns: 1});
  });

  test('is forked as it was, whatever another window adds meanwhile', async () => {
    const folder = temporaryFolder();
    const {store, id} = stored(folder);
    const session = restoredSession(valueOf(await store.state(id)), 77);
    const copy = valueOf(store.record({...origin, copies: id, restoredAt: 77}));
    const other = valueOf(store.record({...origin, continues: id}));
    playConversation(other, turn(3, 'said elsewhere', 'yes'), session);
    other.close();
    const lived = playConversation(copy, turn(3, 'said here', 'yes'), session);
    copy.close();
    expect(valueOf(await store.state(copy.id() ?? ''))).toEqual(lived);
  });

  test('is forked by the agent while it is open', async () => {
    const store = storeIn(temporaryFolder());
    const recorder = valueOf(store.record(origin));
    const before = playConversation(recorder, conversation([['hello', 'hi']], 'a'));
    const first = recorder.id() ?? '';
    const opened = {sessionId: 'b', cwd: '/project', additionalDirectories: []};
    const lived = playConversation(
      recorder,
      [{type: 'session_opened', session: opened, how: 'fork', at: 78}, ...turn(2, 'more', 'yes')],
      before,
    );
    recorder.close();
    expect(valueOf(await store.state(recorder.id() ?? ''))).toEqual(lived);
    expect(valueOf(await store.state(first))).toEqual(before);
    expect(valueOf(store.list()).map(({agentSessionId}) => agentSessionId)).toEqual(['b', 'a']);
  });
});
